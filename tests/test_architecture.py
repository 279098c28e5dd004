"""The walls of docs/architecture.md, as far as a test can hold them."""

import ast
import re
import statistics
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fairtrial import conformance, registry

ROOT = Path(__file__).parents[1]
CORE = ROOT / "core/src/fairtrial"
KINDS = {
    "solver": "solvers",
    "meter": "meters",
    "gateway": "gateways",
    "suite": "suites",
    "auditor": "auditors",
    "reporter": "reporters",
    "answerer": "answerers",
    "sandbox": "sandboxes",
    "selector": "selectors",
}
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/*/pyproject.toml"))
SOURCES = sorted([*CORE.rglob("*.py"), *ROOT.glob("plugins/*/*/src/**/*.py")])
NAMELESS = {"utils", "util", "helpers", "common", "manager", "misc"}


def tracked() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            yield ROOT / name


def test_each_kind_has_its_five_places() -> None:
    for noun, plural in KINDS.items():
        assert (CORE / f"api/{noun}.py").is_file()
        assert hasattr(conformance, f"{noun.capitalize()}Conformance")
        assert registry.KINDS[noun].plural == plural
        assert registry.KINDS[noun].group == f"fairtrial.{plural}"
    assert set(KINDS) == set(registry.KINDS)


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_plugin_has_one_name_in_all_places(folder: Path) -> None:
    noun = {plural: noun for noun, plural in KINDS.items()}[folder.parent.name]
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    package = f"fairtrial_{noun}_{folder.name.replace('-', '_')}"
    words = re.split(r"[-_]", folder.name)
    cls = "".join(word.capitalize() for word in words) + noun.capitalize()
    assert f"fairtrial-{noun}-{folder.name}" == project["name"]
    points = project["entry-points"][f"fairtrial.{KINDS[noun]}"]
    assert {folder.name: f"{package}:{cls}"} == points
    assert (folder / "src" / package / "py.typed").is_file()
    assert (folder / "README.md").is_file()
    assert list((folder / "tests").glob("test_*.py")), "a plugin has tests of its own"
    assert "fairtrial-core>=0.1,<0.2" in project["dependencies"]


def test_the_root_names_every_plugin_once_where_it_must() -> None:
    root = tomllib.loads((ROOT / "pyproject.toml").read_text())
    nouns = {plural: noun for noun, plural in KINDS.items()}
    names = {f"fairtrial-{nouns[p.parent.name]}-{p.name}" for p in PLUGINS}
    packages = {name.replace("-", "_") for name in names}
    assert names | {"fairtrial-core"} == set(root["tool"]["uv"]["sources"])
    assert packages | {"fairtrial"} == set(root["tool"]["importlinter"]["root_packages"])


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_small_and_has_a_name(source: Path) -> None:
    lines = sum(bool(line.strip()) for line in source.read_text().splitlines())
    assert lines <= 400
    assert source.stem not in NAMELESS
    assert source.stem != "base" or source.parent.name == "conformance"


def test_modules_and_functions_are_of_the_size_that_reads_well() -> None:
    modules = [len(source.read_text().splitlines()) for source in SOURCES]
    functions = sorted(
        node.end_lineno - node.lineno + 1 - _docstring_lines(node)
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    )
    assert statistics.median(modules) <= 130
    assert statistics.median(functions) <= 10
    assert functions[int(len(functions) * 0.95)] <= 40


def _docstring_lines(node: ast.FunctionDef) -> int:
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) - first.lineno + 1 if is_text else 0


def test_only_the_command_line_prints() -> None:
    printing = [
        str(source.relative_to(ROOT))
        for source in SOURCES
        if "/cli/" not in str(source) and "/assets/" not in str(source)
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    ]
    assert printing == []


def test_children_are_started_in_few_places() -> None:
    starting = {
        str(source.relative_to(ROOT))
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom) and "subprocess" in _imported(node)
    }
    allowed = re.compile(
        r"core/src/fairtrial/processes/|plugins/sandboxes/|plugins/suites/[^/]+/src/[^/]+/fetch"
    )
    assert [place for place in sorted(starting) if not allowed.match(place)] == []


def _imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {node.module or ""}
    return {alias.name for alias in node.names}


def test_no_tracked_file_names_a_registry_or_a_place_on_a_machine() -> None:
    # Put together here, so that this file doesn't name them either.
    registries = (
        ("py", "pi[.]org"),
        ("python", "hosted[.]"),
        ("npm", "js[.]"),
        ("deb[.]deb", "ian"),
    )
    hosts = re.compile("|".join(map("".join, registries)).encode())
    places = re.compile("|".join(("/work/" + "main", "/work/" + "shared", "/roo" + "t/")).encode())
    faulty = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if hosts.search(content := path.read_bytes()) or places.search(content)
    ]
    assert faulty == []


def test_the_lock_pins_every_package_by_hash_and_names_no_index() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    entries = [line for line in lock.splitlines() if re.match(r"[a-z0-9]", line)]
    assert len(entries) > 20
    assert all("==" in entry for entry in entries)
    assert lock.count("--hash=sha256:") >= len(entries)
    assert "://" not in lock
    ignored = (ROOT / ".gitignore").read_text().split()
    assert "uv.lock" in ignored


def test_every_lint_rule_that_is_off_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    ignores = re.search(r"^ignore = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert ignores is not None
    assert all("#" in line for line in ignores[1].splitlines() if line.strip())
