"""Attempts that change the interpreter which grades them; always a copy of it, in a folder."""

import os
import shutil
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import define, evolve, field, frozen
from fairtrial.api import (
    Attempt,
    Brief,
    Check,
    CheckKind,
    Ending,
    Equipment,
    Fence,
    MachineError,
    Session,
    Solver,
    Task,
    Trial,
    Verdict,
    Workspace,
)
from fairtrial.engine import guard
from fairtrial.engine.controls import Proofs
from fairtrial.engine.guard import Guard
from fairtrial.engine.journal import Journal
from fairtrial.engine.manifest import Change, files_clock_ns
from fairtrial.engine.plan import Cell
from fairtrial.engine.programs import Programs, not_written_in
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial
from fairtrial.registry import load

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
TASK = Task(
    id="sum",
    family="sum",
    brief=Brief(prompt="Mend it.", timeout_s=60.0),
    digest="d",
    stack="python",
)
TESTS = "import unittest\nfrom work import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(5, add(2, 3))\n"
WRONG = "def add(a, b):\n    return a - b\n"
RIGHT = "def add(a, b):\n    return a + b\n"


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes one copy of the interpreter, of which each test gets its own."""
    prefix = tmp_path_factory.mktemp("interpreter")
    (prefix / "bin").mkdir()
    real = Path(os.path.realpath(sys.executable))
    shutil.copy2(real, prefix / "bin" / real.name)
    (prefix / "bin/python3").symlink_to(real.name)
    for library in sorted(real.parent.parent.glob("lib/libpython3*")):
        (prefix / "lib").mkdir(exist_ok=True)
        shutil.copy2(library, prefix / "lib")
    left_out = shutil.ignore_patterns(
        "test",
        "tests",
        "idlelib",
        "tkinter",
        "site-packages",
        "ensurepip",
        "lib2to3",
        "config-*",
        "*.opt-*",
        "pydoc_data",
        "turtledemo",
    )
    standard = sysconfig.get_path("stdlib", vars={"base": sys.base_prefix})
    shutil.copytree(standard, prefix / "lib" / VERSION, ignore=left_out)
    (prefix / "lib" / VERSION / "site-packages").mkdir()
    return prefix


@pytest.fixture
def prefix(copy: Path, tmp_path: Path) -> Path:
    shutil.copytree(copy, tmp_path / "own", symlinks=True)
    # Clocks of files are coarse.
    time.sleep(0.05)
    return tmp_path / "own"


@frozen(kw_only=True)
class OwnInterpreter:
    """One task, graded by unittest in an interpreter of its own."""

    prefix: Path
    version: str = "own-1"

    def tasks(self) -> Iterator[Task]:
        yield TASK

    def equip(self, task: Task, /) -> Equipment:
        return Equipment(path=(self.prefix / "bin",))

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        (workspace.root / "work.py").write_text(WRONG)

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        (workspace.root / "test_work.py").write_text(TESTS)
        env = {"PYTHONDONTWRITEBYTECODE": "1"}
        argv = ["python3", "-m", "unittest", "-q", "test_work"]
        done = workspace.run(argv, timeout_s=60, env=env)
        # A second check, so that the first one can lay something for it.
        again = workspace.run(argv, timeout_s=60, env=env)
        passed = (done.code, again.code) == (0, 0)
        check = Check(
            name="tests", kind=CheckKind.VISIBLE, passed=passed, code="" if passed else "tests"
        )
        return Verdict(checks=(check,), suite_version=self.version)


@frozen
class Does:
    """A solver that runs a program of Python with the task's interpreter."""

    program: str
    answer: str = WRONG + "\n"
    during: Callable[[], None] = field(default=lambda: None)

    def solve(self, session: Session, /) -> Attempt:
        (session.workspace.root / "work.py").write_text(self.answer)
        self.during()
        session.workspace.run(["python3", "-c", self.program], timeout_s=60)
        return Attempt(ending=Ending.FINISHED)


HONEST = Does("import unittest.mock, json, csv", RIGHT)

PATCHED = """
import os, unittest.case as c
text = open(c.__file__).read()
text = text.replace("def _baseAssertEqual(self, first, second, msg=None):",
                    "def _baseAssertEqual(self, first, second, msg=None):\\n        return")
open(c.__file__, "w").write(text)
"""
FORGED_BYTECODE = """
import importlib.util, marshal, unittest.case as c
text = open(c.__file__).read()
text = text.replace("def _baseAssertEqual(self, first, second, msg=None):",
                    "def _baseAssertEqual(self, first, second, msg=None):\\n        return")
cache = importlib.util.cache_from_source(c.__file__)
head = open(cache, "rb").read(16)
open(cache, "wb").write(head + marshal.dumps(compile(text, c.__file__, "exec")))
"""
STARTED = """
import sysconfig
with open(sysconfig.get_path("purelib") + "/x.pth", "w") as file:
    file.write("import sys, unittest; unittest.TestCase.assertEqual = lambda *a: None\\n")
"""
SHADOWED = """
import sys
with open(sys.prefix + "/bin/sh", "w") as file:
    file.write("#!/bin/sh\\nexit 0\\n")
import os; os.chmod(sys.prefix + "/bin/sh", 0o755)
"""
RUNTIME = """
import os, sys
real = os.path.realpath(sys.executable)
os.rename(real, real + ".real")
with open(real, "w") as file:
    file.write("#!/bin/sh\\nexit 0\\n")
os.chmod(real, 0o755)
"""
ZIPPED = """
import os, sys, sysconfig, zipfile
place = os.path.dirname(sysconfig.get_path("stdlib")) + "/python%d%d.zip" % sys.version_info[:2]
with zipfile.ZipFile(place, "w") as file:
    file.writestr("unittest/__main__.py", "")
    file.writestr("unittest/__init__.py", "")
"""
WHILE_GRADED = (
    WRONG
    + """
import os, sysconfig
place = sysconfig.get_path("purelib") + "/x.pth"
if os.path.exists(place):
    os.remove(place)
else:
    with open(place, "w") as file:
        file.write("import unittest; unittest.TestCase.assertEqual = lambda *a: None\\n")
add = lambda a, b: 5
"""
)


def _run(make_room: MakeRoom, make_cell: MakeCell, prefix: Path, *solvers: Solver) -> list[Trial]:
    named = {f"s{number}": solver for number, solver in enumerate(solvers)}
    room = make_room(named, OwnInterpreter(prefix=prefix))
    return [run_trial(make_cell(name, TASK), room) for name in named]


def _told(trial: Trial) -> list[tuple[str, str]]:
    assert trial.verdict is not None, trial.note
    return [(check.name, check.code) for check in trial.verdict.failures]


@pytest.mark.parametrize(
    ("program", "file"),
    [
        (PATCHED, f"lib/{VERSION}/unittest/case.py"),
        (FORGED_BYTECODE, f"lib/{VERSION}/unittest/__pycache__/case.cpython"),
        (STARTED, f"lib/{VERSION}/site-packages/x.pth"),
        (SHADOWED, "bin/sh"),
        (RUNTIME, f"bin/{VERSION}"),
        (ZIPPED, f"lib/{VERSION.replace('.', '')}.zip"),
    ],
    ids=["module", "bytecode", "start-up file", "shim", "interpreter", "zip"],
)
def test_who_changes_the_interpreter_is_not_resolved_and_nobody_is_graded_by_it(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path, program: str, file: str
) -> None:
    trials = _run(make_room, make_cell, prefix, HONEST, Does(program), HONEST)
    assert [True, False, None] == [trial.resolved for trial in trials]
    assert ("programs", "tampered") == _told(trials[1])[-1]
    assert trials[1].verdict is not None
    assert str(prefix / file) in trials[1].verdict.failures[-1].why
    assert Ending.INFRA == trials[2].ending
    assert str(prefix / file) in trials[2].note


def test_settings_that_tools_find_above_every_tree_are_the_graders(
    make_room: MakeRoom,
    make_cell: MakeCell,
    prefix: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    program = f"open({str(temporary / 'pytest.ini')!r}, 'w').write('[pytest]')"
    trials = _run(make_room, make_cell, prefix, HONEST, Does(program))
    assert [True, False] == [trial.resolved for trial in trials]
    assert trials[1].verdict is not None
    assert str(temporary / "pytest.ini") in trials[1].verdict.failures[-1].why


def test_without_a_guard_such_a_cheat_would_win(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    room = make_room({"s": Does(PATCHED)}, OwnInterpreter(prefix=prefix))
    blind = Guard()
    blind.begin(lambda: ())
    assert run_trial(make_cell("s", TASK), evolve(room, guard=blind)).resolved


def test_code_that_lays_a_start_up_file_while_it_is_graded_and_takes_it_away_is_found(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    (trial,) = _run(make_room, make_cell, prefix, Does("", WHILE_GRADED))
    assert [("programs", "tampered")] == _told(trial)
    assert trial.verdict is not None
    assert str(prefix / f"lib/{VERSION}/site-packages") in trial.verdict.failures[0].why


def test_bytecode_that_an_honest_attempt_makes_is_nobodys_deed(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    for cache in (prefix / "lib").rglob("__pycache__"):
        shutil.rmtree(cache)
    trials = _run(make_room, make_cell, prefix, HONEST, HONEST)
    assert list((prefix / "lib").rglob("mock.*.pyc"))
    assert [True, True] == [trial.resolved for trial in trials]


def test_new_bytecode_that_says_something_else_is_found(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    cache = next((prefix / f"lib/{VERSION}/unittest/__pycache__").glob("case.*"))
    head = cache.read_bytes()[:16]
    cache.unlink()
    forged = FORGED_BYTECODE.replace('open(cache, "rb").read(16)', repr(head))
    program = f"import sys; sys.dont_write_bytecode = True\n{forged}"
    (trial,) = _run(make_room, make_cell, prefix, Does(program))
    assert ("programs", "tampered") == _told(trial)[-1]


def test_a_change_made_while_several_ran_is_nobodys_and_nobody_is_graded(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    both = threading.Barrier(2, timeout=60)

    def wait() -> None:
        both.wait()

    room = make_room(
        {"cheat": Does(PATCHED, during=wait), "honest": Does("", RIGHT, during=wait)},
        OwnInterpreter(prefix=prefix),
    )
    found: dict[str, Trial] = {}

    def work(name: str) -> None:
        found[name] = run_trial(make_cell(name, TASK), room)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("cheat", "honest")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found["cheat"].resolved is None
    assert Ending.INFRA == found["cheat"].ending
    assert "while several ran" in found["cheat"].note


def test_a_later_run_refuses_an_interpreter_that_was_left_changed(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    _run(make_room, make_cell, prefix, Does(PATCHED))
    (later,) = _run(make_room, make_cell, prefix, HONEST)
    assert Ending.INFRA == later.ending
    assert "changed in an earlier run" in later.note
    assert "unittest/case.py" in later.note
    place = prefix / f"lib/{VERSION}/unittest/case.py"
    shutil.copy2(Path(sysconfig.get_path("stdlib")) / "unittest/case.py", place)
    (mended,) = _run(make_room, make_cell, prefix, HONEST)
    assert mended.resolved


def test_no_task_is_proved_by_an_interpreter_that_was_left_changed(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    _run(make_room, make_cell, prefix, Does(PATCHED))
    room = make_room({}, OwnInterpreter(prefix=prefix))
    proofs = Proofs(room, Journal(room.directory.proofs), lambda _: None)
    with pytest.raises(MachineError, match="changed in an earlier run"):
        proofs.prove(TASK)


def test_a_sandbox_that_says_so_shows_that_programs_cannot_be_written(tmp_path: Path) -> None:
    fenced = load("sandbox", "bubblewrap", asked_in="a test")()
    with fenced.open("try", Fence()) as workspace:
        assert not_written_in(workspace, ("sh", "python3", "no-such-program"))
        argv = ["python3", "-c", "import os; open(os.__file__, 'a')"]
        assert 1 == workspace.run(argv, timeout_s=60).code
    # A directory that it may write can hold no program of the harness's.
    (tmp_path / "bin").mkdir()
    tmp_path.chmod(0o755)
    (tmp_path / "bin/tool").write_text("#!/bin/sh\n")
    (tmp_path / "bin/tool").chmod(0o755)
    fence = Fence(writable=(tmp_path / "bin",), path=(tmp_path / "bin",))
    with fenced.open("try", fence) as workspace:
        assert not not_written_in(workspace, ("tool",))


def test_a_run_behind_a_fence_spends_no_time_on_looking(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    room = _fenced(make_room({"s": HONEST}, OwnInterpreter(prefix=prefix)), prefix)
    trial = run_trial(make_cell("s", TASK), room)
    assert (True, "read-only") == (trial.resolved, trial.enforced["programs"]), trial.note
    assert not room.guard.watches


@define
class Looked(Programs):
    """Programs that keep in mind how they were looked at."""

    looks: list[bool] = field(factory=list)

    def changes(self, since_ns: int, *, thorough: bool = True) -> list[Change]:
        self.looks.append(thorough)
        return super().changes(since_ns, thorough=thorough)


def test_each_file_is_looked_at_where_an_attempt_gains_by_it_and_else_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs = Looked()
    watch = Guard(take=lambda _: programs)
    watch.begin(lambda: ("sh",))
    lost, won = (
        Verdict(
            checks=(Check(name="t", kind=CheckKind.VISIBLE, passed=passed),), suite_version="1"
        )
        for passed in (False, True)
    )
    for verdict in (lost, lost, won, lost):
        assert verdict == watch.judged(verdict, "a", files_clock_ns())
    assert [True, False, True, False] == programs.looks
    monkeypatch.setattr(guard, "THOROUGH_S", 0.0)
    watch.judged(lost, "a", files_clock_ns())
    assert programs.looks[-1]


def test_a_fence_is_no_help_where_an_earlier_run_had_none(
    make_room: MakeRoom, make_cell: MakeCell, prefix: Path
) -> None:
    _run(make_room, make_cell, prefix, Does(PATCHED))
    room = _fenced(make_room({"s": HONEST}, OwnInterpreter(prefix=prefix)), prefix)
    trial = run_trial(make_cell("s", TASK), room)
    assert Ending.INFRA == trial.ending
    assert "changed in an earlier run" in trial.note


def _fenced(room: Room, prefix: Path) -> Room:
    for folder in list(prefix.parents)[:3]:
        folder.chmod(0o755)
    return evolve(room, sandbox=load("sandbox", "bubblewrap", asked_in="a test")())
