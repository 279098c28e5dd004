from pathlib import Path

import pytest
from fairtrial.stacks import (
    ANYWHERE,
    GO,
    NODE,
    PYTHON,
    RUST,
    STACKS,
    detect,
    executed_by,
    runner_of,
)


@pytest.mark.parametrize(
    ("files", "stack"),
    [
        (("Cargo.toml",), RUST),
        (("go.mod",), GO),
        (("pyproject.toml",), PYTHON),
        (("setup.py",), PYTHON),
        (("package.json",), NODE),
        (("Cargo.toml", "pyproject.toml"), RUST),
        (("pyproject.toml", "package.json"), PYTHON),
        (("go.mod", "package.json"), GO),
        (("README.md",), None),
    ],
)
def test_a_root_is_told_by_its_markers_in_order(tmp_path: Path, files, stack):
    for name in files:
        (tmp_path / name).touch()
    assert stack is detect(tmp_path)


def test_a_folder_with_a_marker_name_is_no_marker(tmp_path: Path):
    (tmp_path / "go.mod").mkdir()
    assert detect(tmp_path) is None


def test_stacks_are_asked_in_a_fixed_order():
    assert ["rust", "go", "python", "node"] == list(STACKS)


def test_a_known_stack_names_its_own_executed_files_and_those_of_any():
    globs = executed_by("python")
    assert set(ANYWHERE) < set(globs)
    assert "conftest.py" in globs
    assert "package.json" not in globs


@pytest.mark.parametrize("name", ["", "cobol"])
def test_an_unknown_stack_is_held_to_all_of_them(name):
    globs = executed_by(name)
    assert {"conftest.py", "package.json", "build.rs", "go.work", ".git"} <= set(globs)


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (("python3", "-m", "unittest", "-q"), "unittest"),
        (("python3", "-m", "pytest", "-q"), "pytest"),
        (("/usr/bin/pytest", "tests"), "pytest"),
        (("node", "--test"), "node --test"),
        (("cargo", "test", "--offline"), "cargo test"),
        (("/usr/local/go/bin/go", "test", "./..."), "go test"),
        (("sh", "-c", "cd src && python3 -m unittest"), "unittest"),
        (("sh", "-c", "make"), None),
        (("python3", "check.py"), None),
        (("go", "vet", "test"), None),
    ],
)
def test_a_command_tells_its_runner(argv, name):
    runner = runner_of(argv)
    assert name == (runner and runner.name)
