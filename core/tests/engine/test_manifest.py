"""What is noticed of a file, and what is not held against anybody."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.engine.manifest import Manifest, files_clock_ns

Deed = Callable[[Path], None]

PTH = "site-packages/evil.pth"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    top = tmp_path / "python3.11"
    for name in ("unittest/case.py", "unittest/__pycache__/case.cpython-311.pyc", "json.py"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("assert True\n")
    for name in ("_pytest/main.py", "requests/api.py", "early.pth", "test/big.py"):
        place = top / "site-packages" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("import sys\n")
    # Clocks of files are coarse: what is done in a test must be later than what was made for it.
    time.sleep(0.03)
    return top


@pytest.fixture
def manifest(library: Path) -> Manifest:
    found = Manifest()
    found.add_folder(library)
    found.add_packages(library / "site-packages")
    return found


def _edit_keeping_times(top: Path) -> None:
    place = top / "unittest/case.py"
    before = place.stat()
    place.write_text("assert 1==1\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert before.st_size == place.stat().st_size


def _replace(top: Path) -> None:
    (top / "new").write_text("assert False\n")
    (top / "new").rename(top / "json.py")


def _through_a_second_name(top: Path) -> None:
    os.link(top / "json.py", top.parent / "other")
    (top.parent / "other").write_text("assert False\n")


@pytest.mark.parametrize(
    ("deed", "path"),
    [
        (_edit_keeping_times, "unittest/case.py"),
        (_replace, "json.py"),
        (_through_a_second_name, "json.py"),
        (lambda top: (top / "json.py").unlink(), "json.py"),
        (lambda top: (top / "pytest.py").write_text("x"), "pytest.py"),
        (lambda top: (top / "xml").mkdir(), "xml"),
        (
            lambda top: (top / "unittest/__pycache__/case.cpython-311.pyc").write_text("x"),
            "unittest/__pycache__/case.cpython-311.pyc",
        ),
        (
            lambda top: (top / "site-packages/_pytest/main.py").write_text("x"),
            "site-packages/_pytest/main.py",
        ),
        (lambda top: (top / "site-packages/early.pth").write_text("x"), "site-packages/early.pth"),
        (lambda top: (top / PTH).write_text("import os\n"), PTH),
        (
            lambda top: (top / "site-packages/usercustomize.py").write_text("x"),
            "site-packages/usercustomize.py",
        ),
    ],
)
@pytest.mark.parametrize("thorough", [True, False])
def test_a_change_is_found_and_named(
    library: Path, manifest: Manifest, deed: Deed, path: str, thorough: bool
) -> None:
    assert [] == manifest.changes(files_clock_ns(), thorough=thorough)
    deed(library)
    found = manifest.changes(files_clock_ns(), thorough=thorough)
    assert [str(library / path)] == [change.path for change in found]


def test_a_plugin_of_the_test_runner_is_found(library: Path, manifest: Manifest) -> None:
    for name, group in (("evil-1.dist-info", "pytest11"), ("good-1.dist-info", "console_scripts")):
        (library / "site-packages" / name).mkdir()
        place = library / "site-packages" / name / "entry_points.txt"
        place.write_text(f"[{group}]\nevil = evil\n")
    found = [change.path for change in manifest.changes(files_clock_ns())]
    assert [str(library / "site-packages/evil-1.dist-info")] == found


@pytest.mark.parametrize(
    "deed",
    [
        lambda top: (top / "json.py").chmod(0o600),
        lambda top: os.link(top / "json.py", top.parent / "other"),
        lambda top: (top / "json.py").write_text("assert True\n"),
        lambda top: (top / "site-packages/newer").mkdir(),
        lambda top: (top / "site-packages/requests/api.py").write_text("x"),
        lambda top: (top / "site-packages/test/big.py").write_text("x"),
        lambda top: (top / "unittest/__pycache__/no_module.cpython-311.pyc").write_text("x"),
        lambda top: (top / "unittest/__pycache__/case.cpython-311.opt-1.pyc").write_text("x"),
    ],
)
def test_what_no_run_executes_is_nobodys_matter_before_checks_begin(
    library: Path, manifest: Manifest, deed: Deed
) -> None:
    deed(library)
    time.sleep(0.05)
    assert [] == manifest.changes(files_clock_ns())


def test_what_was_put_back_while_checks_ran_was_changed(library: Path, manifest: Manifest) -> None:
    begun = files_clock_ns()
    (library / "json.py").write_text("assert False\n")
    (library / "json.py").write_text("assert True\n")
    assert [str(library / "json.py")] == [change.path for change in manifest.changes(begun)]


@pytest.mark.parametrize("name", ["pytest.py", PTH])
def test_what_came_and_went_while_checks_ran_is_told_by_its_folder(
    library: Path, manifest: Manifest, name: str
) -> None:
    begun = files_clock_ns()
    (library / name).write_text("import os\n")
    (library / name).unlink()
    found = [change.path for change in manifest.changes(begun)]
    assert [str((library / name).parent)] == found


def test_a_folder_made_for_bytecode_is_told_by_what_is_in_it(
    library: Path, manifest: Manifest
) -> None:
    place = library / "__pycache__/json.cpython-311.pyc"
    place.parent.mkdir()
    place.write_bytes(b"x")
    (change,) = manifest.changes(files_clock_ns())
    assert (str(place), True) == (change.path, change.new)
    assert abs(files_clock_ns() - change.at_ns) < 10**10
    manifest.admit(place)
    assert [] == manifest.changes(files_clock_ns())


def test_a_file_behind_a_link_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("#!/bin/sh\n")
    (tmp_path / "make").symlink_to("real")
    manifest = Manifest()
    manifest.add_file(tmp_path / "make")
    (tmp_path / "real").write_text("#!/bin/true\n")
    assert [str(tmp_path / "real")] == [c.path for c in manifest.changes(files_clock_ns())]


def test_a_file_that_is_not_there_must_not_come(tmp_path: Path) -> None:
    manifest = Manifest()
    manifest.add_file(tmp_path / "ld.so.preload")
    assert [] == manifest.changes(files_clock_ns(), thorough=False)
    (tmp_path / "ld.so.preload").write_text("evil.so\n")
    (change,) = manifest.changes(files_clock_ns(), thorough=False)
    assert (str(tmp_path / "ld.so.preload"), True) == (change.path, change.new)
