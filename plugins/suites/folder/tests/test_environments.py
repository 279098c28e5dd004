import os
import subprocess
import threading
from pathlib import Path

import pytest
from fairtrial.api import NeedMissing
from fairtrial_suite_folder import FolderSuite, environments

TASK = """
name = "clock"
prompt = "The clock is one off."
test_cmd = "false"
needs = ["{need}"]
"""


@pytest.fixture
def needing(folder, suite):
    def equip(need: str):
        folder.clock(TASK.replace("{need}", need))
        fresh = FolderSuite(path=folder.root, cache=suite.cache)
        (task,) = fresh.tasks()
        return fresh.equip(task)

    return equip


@pytest.fixture
def programs(tmp_path: Path, monkeypatch) -> Path:
    """A folder of stand-ins, first on PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    environments._version.cache_clear()
    return folder


def program(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def test_a_task_without_needs_gets_nothing(folder, suite):
    folder.clock()
    (task,) = suite.tasks()
    equipment = suite.equip(task)
    assert ((), {}, ()) == (equipment.path, equipment.variables, equipment.readable)
    assert (suite.path,) == equipment.hidden


def test_a_program_on_path_is_enough(needing, programs):
    program(programs, "whittle", "exit 1")
    needing("whittle")


@pytest.mark.parametrize("said", ["v20.1.0", "whittle 20.1 (x 9)", "whittle version go20.1.3 x"])
def test_a_program_tells_its_version(needing, programs, said):
    program(programs, "whittle", f"echo '{said}'")
    needing("whittle>=20.1")
    needing("whittle >= 9")
    with pytest.raises(NeedMissing, match=r"but the task needs 20\.2 or later"):
        needing("whittle>=20.2")


def test_a_program_that_knows_only_the_word_version_is_asked_so(needing, programs):
    program(programs, "whittle", '[ "$1" = version ] && echo 3.1')
    needing("whittle>=3")


def test_a_program_without_a_version_is_missing_where_one_is_asked(needing, programs):
    program(programs, "whittle", "echo sharp")
    with pytest.raises(NeedMissing, match="does not tell its version"):
        needing("whittle>=3")


def test_a_missing_program_is_told_with_the_way_to_get_it(needing, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NeedMissing) as caught:
        needing("cargo>=1.70")
    assert "the program “cargo” isn't there" == caught.value.problem
    assert ("cargo>=1.70", "apt-get install cargo, or brew install rust") == (
        caught.value.need,
        caught.value.way_on,
    )


def test_an_unknown_program_never_becomes_a_command(needing):
    with pytest.raises(NeedMissing) as caught:
        needing("no-such-program-here")
    assert "no-such-program-here" not in caught.value.way_on


@pytest.mark.usefixtures("wheels")
def test_a_package_goes_into_an_environment_of_the_task_s_own(needing, cache):
    equipment = needing("pypi:pocketwatch==1.2")
    (folder,) = equipment.path
    argv = [str(folder / "python3"), "-c", "import pocketwatch; print(pocketwatch.VERSION)"]
    assert "1.2\n" == subprocess.run(argv, capture_output=True, check=True, text=True).stdout
    assert str(folder.parent) == equipment.variables["VIRTUAL_ENV"]
    assert (folder.parent,) == equipment.readable
    assert cache / "environments" == folder.parent.parent


def test_an_environment_is_made_once_and_then_offline(needing, wheels):
    first = needing("pypi:pocketwatch==1.2")
    (wheels / "pocketwatch-1.2-py3-none-any.whl").unlink()
    assert first == needing("pypi:pocketwatch==1.2")


@pytest.mark.usefixtures("wheels")
def test_a_package_that_can_not_be_had_leaves_nothing_half_made(needing, cache):
    with pytest.raises(NeedMissing) as caught:
        needing("pypi:pocketwatch==9.9")
    assert "pypi:pocketwatch==9.9 can't be installed: " in caught.value.problem
    assert [] == [path for path in (cache / "environments").iterdir() if path.is_dir()]


@pytest.mark.usefixtures("wheels")
def test_an_environment_that_was_not_finished_is_made_anew(needing):
    first = needing("pypi:pocketwatch==1.2")
    home = first.readable[0]
    (home / environments.DONE).unlink()
    (home / "junk").write_text("")
    assert first == needing("pypi:pocketwatch==1.2")
    assert not (home / "junk").exists()


def test_many_at_once_make_one_environment(folder, suite, programs):
    program(programs, "npm", f"echo x >> {programs}/calls; mkdir -p node_modules/.bin")
    folder.clock(TASK.replace("{need}", "npm:mocha@10.2.0"))
    (task,) = suite.tasks()
    threads = [threading.Thread(target=suite.equip, args=(task,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "x\n" == (programs / "calls").read_text()


def test_node_packages_are_found_by_path_and_by_require(needing, programs):
    program(programs, "npm", f'echo "$@" > {programs}/said; mkdir -p node_modules/.bin')
    equipment = needing("npm:@scope/pkg@1.0.0")
    said = (programs / "said").read_text().split()
    assert ("install", "--ignore-scripts", "@scope/pkg@1.0.0") == (said[0], said[1], said[-1])
    home = equipment.readable[0]
    assert (home / "node_modules/.bin",) == equipment.path
    assert str(home / "node_modules") == equipment.variables["NODE_PATH"]


@pytest.mark.usefixtures("wheels")
def test_an_environment_holds_nothing_of_the_harness(needing):
    (folder,) = needing("pypi:pocketwatch==1.2").path
    argv = [str(folder / "python3"), "-c", "import attrs"]
    assert 0 != subprocess.run(argv, capture_output=True, check=False).returncode


def test_variables_of_a_task_are_for_the_attempt_too(folder, suite):
    folder.clock(TASK.replace("needs", "env = { FLAVOUR = 'mint' }\n#"))
    (task,) = suite.tasks()
    assert {"FLAVOUR": "mint"} == suite.equip(task).variables


def test_the_programs_that_checks_start_are_named(folder, suite):
    folder.clock(
        'name = "clock"\nprompt = "It is one off."\n'
        'test_cmd = ["sh", "-c", "make -s test && no-such-program"]\n'
        'regression_cmd = ["env", "./run.sh"]\n'
    )
    (task,) = suite.tasks()
    assert ("sh", "env", "make") == tuple(
        name for name in suite.equip(task).programs if name != "test"
    )
