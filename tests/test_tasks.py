"""What can be said of our own tasks without running them; the engine's run says the rest."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from attrs import frozen

TASKS = Path(__file__).parents[1] / "tasks"
SUITES = ("smoke", "mix")
PIN = re.compile(r"pypi:[a-z0-9-]+==[0-9][0-9a-z.]*")
PROGRAM = re.compile(r"(node|cargo|go)>=[0-9.]+")
BEHIND_THE_SCENES = (
    "hidden",
    "check/",
    "held-out",
    "oracle",
    "reference/",
    "bug.patch",
    "planted",
)


@frozen
class Folder:
    """A task's folder with what its task.toml says."""

    path: Path
    table: Mapping[str, object]

    def text(self, key: str) -> str:
        return str(self.table.get(key, ""))

    def texts(self, key: str) -> list[str]:
        value = self.table.get(key, [])
        assert isinstance(value, list), f"{self.path.name}: {key}"
        return [str(item) for item in value]

    @property
    def hidden(self) -> Mapping[str, str]:
        """Files that no solver sees, by the keys that name them."""
        probe = self.table.get("probe", {})
        assert isinstance(probe, dict)
        named = {
            "check": self.text("check"),
            **{k: str(probe.get(k, "")) for k in ("file", "cases")},
        }
        return {key: place for key, place in named.items() if place}

    @property
    def source(self) -> Mapping[str, object]:
        value = self.table.get("source", {})
        assert isinstance(value, dict)
        return value

    @property
    def package(self) -> str:
        """The registry and the name of the package that a bug is planted in, or nothing."""
        return next((f"{k} {self.source[k]}" for k in ("pypi", "npm") if k in self.source), "")

    @property
    def patch(self) -> str:
        return (self.path / str(self.source["plant"])).read_text(encoding="utf-8")

    @property
    def fixed(self) -> list[str]:
        """The files that the known fix changes."""
        if self.source:
            return re.findall(r"^\+\+\+ b/(\S+)", self.patch, re.MULTILINE)
        reference = self.path / "reference"
        return sorted(str(f.relative_to(reference)) for f in files(reference))


def files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def read(suite: str) -> list[Folder]:
    found = sorted((TASKS / suite).glob("*/task.toml"))
    return [Folder(file.parent, tomllib.loads(file.read_text(encoding="utf-8"))) for file in found]


EVERY = [folder for suite in SUITES for folder in read(suite)]
each = pytest.mark.parametrize(
    "folder", EVERY, ids=lambda f: f"{f.path.parent.name}-{f.path.name}"
)
own = pytest.mark.parametrize(
    "folder",
    [f for f in EVERY if not f.source],
    ids=lambda f: f"{f.path.parent.name}-{f.path.name}",
)
planted = pytest.mark.parametrize(
    "folder", [f for f in EVERY if f.source], ids=lambda f: f.path.name
)


def test_the_smoke_suite_is_large_enough() -> None:
    assert len(read("smoke")) >= 4


def test_the_mixed_suite_is_large_enough_and_mixed() -> None:
    folders = read("mix")
    assert len(folders) >= 12
    assert {f.text("stack") for f in folders} >= {"python", "node"}
    packages = [f.package for f in folders if f.package]
    assert len(packages) >= 8
    assert len(set(packages)) >= 6
    assert {package.split()[0] for package in packages} == {"pypi", "npm"}


def test_real_packages_are_judged_by_their_own_tests_too() -> None:
    judged = [
        f.path.name
        for f in read("mix")
        if f.package and (f.texts("test_cmd") or f.texts("regression_cmd"))
    ]
    assert len(judged) >= 8


def test_the_smoke_suite_needs_nothing_but_the_standard_library() -> None:
    for folder in read("smoke"):
        assert not folder.source
        assert folder.texts("needs") == []
        assert folder.texts("test_cmd")[:3] == ["python3", "-m", "unittest"]
        trees = [folder.path / part for part in ("before", "reference", "check")]
        own_packages = {"fairtrial_probe", *(path.name for path in trees[0].iterdir())}
        for file in (file for tree in trees for file in files(tree) if file.suffix == ".py"):
            for name in imported(file):
                assert name in sys.stdlib_module_names | own_packages, f"{file}: {name}"


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@each
def test_a_task_is_named_like_its_folder(folder: Folder) -> None:
    assert folder.text("name") == folder.path.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", folder.path.name)
    assert folder.text("stack") in {"python", "node"}


@each
def test_a_prompt_reads_like_a_report(folder: Folder) -> None:
    lines = folder.text("prompt").strip().splitlines()
    assert 5 <= len(lines) <= 22
    assert max(map(len, lines)) <= 120


@each
def test_a_prompt_says_nothing_of_the_grading(folder: Folder) -> None:
    prompt = folder.text("prompt").lower()
    assert [word for word in BEHIND_THE_SCENES if word in prompt] == []


@each
def test_a_prompt_does_not_point_at_the_fix(folder: Folder) -> None:
    prompt = folder.text("prompt")
    assert [path for path in folder.fixed if Path(path).name in prompt] == []
    assert re.search(r"\.(py|js)\b.{0,3}\b(line )?\d+", prompt) is None
    # A user may call a public function by name, but doesn't know the private ones.
    private = re.findall(r"(?<![\w`])_[a-z]\w+|#[a-z]\w+\(", prompt)
    assert private == []


@each
def test_a_task_has_a_known_fix(folder: Folder) -> None:
    assert folder.fixed
    assert (folder.path / "before").is_dir() is not bool(folder.source)
    assert (folder.path / "reference").is_dir() is not bool(folder.source)


@each
def test_a_fix_leaves_the_tests_alone(folder: Folder) -> None:
    assert set(folder.fixed) & set(folder.texts("test_files")) == set()
    assert [path for path in folder.fixed if re.search(r"(^|/)tests?(/|_)", path)] == []


@each
def test_a_check_lies_beside_the_tree_and_is_not_in_it(folder: Folder) -> None:
    asked = folder.hidden
    names = {path.name for part in ("before", "reference") for path in files(folder.path / part)}
    text = folder.path.joinpath("task.toml").read_text()
    for key, place in asked.items():
        check = folder.path / place
        assert check.is_file()
        assert check.parent == folder.path / "check"
        assert check.name not in names
        text = text.replace(f'{key} = "{place}"', "")
    assert not any(Path(place).name in text for place in asked.values())


@each
def test_every_task_is_judged_by_a_probe(folder: Folder) -> None:
    hidden = folder.hidden
    assert {"file", "cases"} <= hidden.keys()
    cases = json.loads((folder.path / hidden["cases"]).read_text())["cases"]
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names) > 0
    probe = (folder.path / hidden["file"]).read_text()
    assert all(case["call"] in probe for case in cases)


@each
def test_what_a_task_needs_is_pinned(folder: Folder) -> None:
    for need in folder.texts("needs"):
        assert PIN.fullmatch(need) or PROGRAM.fullmatch(need), need
    if folder.text("stack") == "node":
        assert any(need.startswith("node>=") for need in folder.texts("needs"))


@own
def test_a_fix_changes_what_it_names(folder: Folder) -> None:
    for path in folder.fixed:
        before, after = folder.path / "before" / path, folder.path / "reference" / path
        assert not before.exists() or before.read_bytes() != after.read_bytes(), path


@own
def test_a_tree_of_our_own_shows_its_bug_in_its_own_tests(folder: Folder) -> None:
    assert folder.texts("test_cmd")
    assert folder.texts("test_files")
    for path in folder.texts("test_files"):
        assert (folder.path / "before" / path).is_file(), path


@planted
def test_a_package_is_pinned_by_its_digest(folder: Folder) -> None:
    assert set(folder.source) - {"pypi", "npm"} == {"version", "sha256", "plant"}
    assert re.fullmatch(r"[0-9a-f]{64}", str(folder.source["sha256"]))
    assert re.fullmatch(r"[0-9]+(\.[0-9]+)*", str(folder.source["version"]))


@planted
def test_a_planted_bug_is_a_few_lines_of_a_unified_diff(folder: Folder) -> None:
    lines = folder.patch.splitlines()
    assert [line for line in lines if line.startswith(("--- ", "+++ "))] == [
        f"{mark} {side}/{path}"
        for path in folder.fixed
        for mark, side in (("---", "a"), ("+++", "b"))
    ]
    assert 5 <= len(lines) <= 60


def test_the_notice_lists_what_the_suite_builds_on() -> None:
    notice = (TASKS / "mix/NOTICE.md").read_text(encoding="utf-8")
    listed = re.findall(
        r"^\| ([a-z-]+) \| (\S+) \| ([0-9.]+) \| (\w+) \| \S+ \|$", notice, re.MULTILINE
    )
    wanted = [
        (f.path.name, f.package.split()[1], str(f.source["version"]), f.package.split()[0])
        for f in read("mix")
        if f.package
    ]
    assert [
        (task, name, version, place.lower()) for task, name, version, place in listed
    ] == wanted


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_config_runs_both_control_arms(suite: str) -> None:
    config = tomllib.loads((TASKS / f"{suite}.toml").read_text(encoding="utf-8"))
    assert config["run"]["suite"] == suite
    assert config["run"]["solvers"] == ["reference", "noop"]
    assert config["suites"][suite] == {"plugin": "folder", "path": suite}
