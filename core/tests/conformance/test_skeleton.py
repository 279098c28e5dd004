import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from fairtrial.api import ConfigError, RunError
from fairtrial.config import RunTable
from fairtrial.conformance.skeleton import new_plugin, plugin_files
from fairtrial.registry import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_bears_the_new_name_alone(kind: str) -> None:
    files = plugin_files(kind, "brand-new")

    for text in files.values():
        assert "echo" not in text.lower()
    module = files[f"src/fairtrial_{kind}_brand_new/__init__.py"]
    classes = {node.name for node in ast.parse(module).body if isinstance(node, ast.ClassDef)}
    assert f"BrandNew{kind.capitalize()}" in classes


@pytest.mark.parametrize("kind", KINDS)
def test_the_entry_point_leads_to_the_class(kind: str) -> None:
    project = tomllib.loads(plugin_files(kind, "brand-new")["pyproject.toml"])["project"]

    assert f"fairtrial-{kind}-brand-new" == project["name"]
    assert {
        KINDS[kind].group: {"brand-new": f"fairtrial_{kind}_brand_new:BrandNew{kind.capitalize()}"}
    } == project["entry-points"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_readme_s_config_uses_it(kind: str) -> None:
    readme = plugin_files(kind, "brand-new")["README.md"]
    told = tomllib.loads(readme.partition("```toml\n")[2].partition("```")[0])

    assert {"brand-new": {"plugin": "brand-new"}} == told[KINDS[kind].plural]
    run = RunTable(**({"suite": "s", "solvers": ("reference",)} | told["run"]))
    assert "brand-new" in getattr(run, next(iter(told["run"])))


def test_a_new_plugin_passes_its_own_tests_but_for_the_packaging(tmp_path: Path) -> None:
    """Where it isn't installed, exactly the test of its entry point fails."""
    folders, kinds = [], set(KINDS) - {"sandbox"}  # that kit is slow, and run on its skeleton
    for kind in kinds:
        new_plugin(kind, "brand-new", tmp_path / kind)
        folders.append(str(tmp_path / kind / "src"))
    paths = [str(tmp_path / kind / "tests") for kind in kinds]
    code = f"import sys, pytest; sys.path[:0] = {folders!r}; sys.exit(pytest.main(sys.argv[1:]))"

    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            "-q",
            "--import-mode=importlib",
            "-rf",
            "-p",
            "no:cacheprovider",
            *paths,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    failed = [
        line.partition(" - ")[0] for line in done.stdout.splitlines() if line[:6] == "FAILED"
    ]
    assert len(kinds) == len(failed), done.stdout
    assert {"test_the_entry_point_leads_to_it"} == {line.rpartition("::")[2] for line in failed}


def test_an_unknown_kind_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        new_plugin("pilot", "x", tmp_path)

    assert "there is no kind of plugin called “pilot”" == caught.value.problem
    assert "solver" in dict(caught.value.facts)["kinds"]


@pytest.mark.parametrize(
    "name", ["", "Upper", "class", "under_score", "1st", "a--b", "-a", "../x", "é"]
)
def test_a_name_that_fits_no_package_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"a plugin can't be called “{name}”"):
        new_plugin("solver", name, tmp_path / "new")
    assert [] == list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(RunError, match="is there already"):
        new_plugin("solver", "mine", tmp_path)
    assert ["mine.txt"] == [path.name for path in tmp_path.iterdir()]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")

    with pytest.raises(RunError, match="can't be written") as caught:
        new_plugin("solver", "mine", tmp_path / "file" / "below")
    assert "Not a directory" == dict(caught.value.facts)["because"]


def test_without_a_place_it_is_called_after_the_distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    new_plugin("meter", "mine")

    assert (tmp_path / "fairtrial-meter-mine" / "pyproject.toml").is_file()
