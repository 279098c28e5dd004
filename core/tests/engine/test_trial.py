"""One trial, from an empty workspace to its record."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from attrs import define, evolve, field, frozen
from fairtrial.api import (
    Attempt,
    Brief,
    Ending,
    Equipment,
    Evidence,
    Finding,
    NeedMissing,
    Option,
    Question,
    Session,
    Solver,
    Task,
    Usage,
    Verdict,
    Workspace,
)
from fairtrial.conformance.fakes import ScriptedSolver, ThreeTaskSuite, sample_task
from fairtrial.engine import artifacts, disk
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]

RIGHT = ScriptedSolver(writes={"answer.txt": "5\n"}, cost_usd=0.25)


def test_a_right_answer_is_resolved_and_everything_is_kept(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"good": RIGHT})
    trial = run_trial(make_cell("good"), room)
    place = room.directory.trial("add", "good", 1)
    assert (Ending.FINISHED, True) == (trial.ending, trial.resolved)
    assert ("answer.txt",) == trial.changed
    assert (1, 0) == (trial.diff_added, trial.diff_removed)
    assert 0.25 == trial.cost_usd
    assert "local" == trial.enforced["sandbox"]
    assert b"5\n" == artifacts.tree(place).changes[0].after
    assert b"+5\n" in (place / "patch.diff").read_bytes()
    assert 1 == len(artifacts.events(place) or ())


def test_a_wrong_answer_is_not_resolved_and_says_why(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"bad": ScriptedSolver(writes={"answer.txt": "6\n"})})
    trial = run_trial(make_cell("bad"), room)
    assert trial.verdict is not None
    assert [("hidden-check", "“6” is not the answer")] == [
        (check.code, check.why) for check in trial.verdict.failures
    ]


def test_nothing_done_is_no_submission(make_room: MakeRoom, make_cell: MakeCell) -> None:
    trial = run_trial(make_cell("idle"), make_room({"idle": ScriptedSolver()}))
    assert trial.verdict is not None
    assert [("no-submission", "no submission (no changes)")] == [
        (check.code, check.why) for check in trial.verdict.failures
    ]


@frozen
class NeverGrading(ThreeTaskSuite):
    """A suite whose checks must not run."""

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        raise AssertionError(task.id)


def test_where_nothing_crossed_the_suites_checks_do_not_run(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    hook = ScriptedSolver(writes={"conftest.py": "raise SystemExit(0)\n"})
    trial = run_trial(make_cell("hook"), make_room({"hook": hook}, suite=NeverGrading()))
    assert (Ending.FINISHED, False) == (trial.ending, trial.resolved)
    assert ("conftest.py",) == trial.dropped


def test_the_control_arms_are_the_ceiling_and_the_floor(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room()
    assert True is run_trial(make_cell("reference"), room).resolved
    assert False is run_trial(make_cell("noop"), room).resolved


def test_a_protected_change_is_dropped_and_named(make_room: MakeRoom, make_cell: MakeCell) -> None:
    writes = {"answer.txt": "5\n", "tests/note.txt": "changed", "conftest.py": "evil"}
    trial = run_trial(make_cell("s"), make_room({"s": ScriptedSolver(writes=writes)}))
    assert ("answer.txt",) == trial.changed
    assert {"tests/note.txt", "conftest.py"} == set(trial.dropped)
    assert trial.resolved is True


def test_a_change_out_of_scope_fails_for_it(make_room: MakeRoom, make_cell: MakeCell) -> None:
    writes = {"answer.txt": "5\n", "other.txt": "x"}
    trial = run_trial(make_cell("s"), make_room({"s": ScriptedSolver(writes=writes)}))
    assert ("other.txt",) == trial.outside
    assert trial.verdict is not None
    assert ["files outside the task: other.txt"] == [c.why for c in trial.verdict.failures]


@pytest.mark.parametrize(
    ("expected", "asked", "why"),
    [
        (0, 0, None),
        (1, 1, None),
        (1, 0, "asked 0 questions, expected 1"),
        (0, 1, "asked 1 question, expected 0"),
    ],
)
def test_questions_are_counted(
    make_room: MakeRoom, make_cell: MakeCell, expected: int, asked: int, why: str | None
) -> None:
    question = Question(text="Which way?", options=(Option(label="up"), Option(label="down")))
    solver = evolve(RIGHT, asks=(question,) * asked)
    task = sample_task(questions_expected=expected)
    trial = run_trial(make_cell("s", task), make_room({"s": solver}))
    assert trial.verdict is not None
    assert [why] * (why is not None) == [check.why for check in trial.verdict.failures]
    assert asked == len(trial.questions or ())


@frozen
class Raising:
    def solve(self, session: Session, /) -> Attempt:
        (session.workspace.root / "answer.txt").write_text("5\n")
        msg = "a fault of the plugin"
        raise RuntimeError(msg)


def test_a_plugin_that_raises_is_infra_and_its_traceback_is_kept(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"s": Raising()})
    trial = run_trial(make_cell("s"), room)
    assert (Ending.INFRA, None) == (trial.ending, trial.resolved)
    assert "the solver plugin raised RuntimeError: a fault of the plugin" == trial.note
    kept = room.directory.trial("add", "s", 1) / "error.txt"
    assert "RuntimeError: a fault of the plugin" in kept.read_text()


@frozen
class Leaving:
    def solve(self, session: Session, /) -> Attempt:
        raise SystemExit(5)


@frozen
class Wordless:
    def solve(self, session: Session, /) -> Attempt:
        return cast("Attempt", None)


@pytest.mark.parametrize(
    ("solver", "note"),
    [
        (Leaving(), "the solver plugin raised SystemExit: 5"),
        (Wordless(), "the solver plugin returned NoneType, not an Attempt"),
    ],
)
def test_a_solver_that_leaves_or_says_nothing_breaks_its_own_trial_alone(
    make_room: MakeRoom, make_cell: MakeCell, solver: Solver, note: str
) -> None:
    trial = run_trial(make_cell("s"), make_room({"s": solver}))
    assert (Ending.INFRA, None, note) == (trial.ending, trial.resolved, trial.note)


@frozen
class Late:
    def solve(self, session: Session, /) -> Attempt:
        session.workspace.run(["sh", "-c", "echo 5 > answer.txt; sleep 60"], timeout_s=0.2)
        return Attempt(ending=Ending.TIMED_OUT, limit="timeout")


def test_what_a_timed_out_attempt_left_is_graded_but_cannot_pass(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    trial = run_trial(make_cell("s"), make_room({"s": Late()}))
    assert trial.verdict is not None
    assert {"time": False, "answer": True} == {c.name: c.passed for c in trial.verdict.checks}
    assert ("timeout", False) == (trial.limit, trial.resolved)
    assert trial.verdict.failures[0].why.startswith("timed out (timeout) after 0.")


@frozen
class Slow:
    def solve(self, session: Session, /) -> Attempt:
        session.workspace.run(["sh", "-c", "sleep 1.3; echo 5 > answer.txt"], timeout_s=5)
        return Attempt(ending=Ending.FINISHED)


def test_a_solver_that_hides_its_lateness_is_timed_out_all_the_same(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    task = sample_task(brief=Brief(prompt="x", timeout_s=0.1))
    trial = run_trial(make_cell("s", task), make_room({"s": Slow()}))
    assert (Ending.TIMED_OUT, "timeout", False) == (trial.ending, trial.limit, trial.resolved)


@frozen
class LeavesAWriter:
    def solve(self, session: Session, /) -> Attempt:
        loop = "(while :; do echo 6 > answer.txt; sleep 0.02; done) & echo 5 > answer.txt"
        session.workspace.run(["sh", "-c", f"setsid sh -c '{loop}'"], timeout_s=5)
        (session.workspace.root / "answer.txt").write_text("5\n")
        return Attempt(ending=Ending.FINISHED)


def test_a_background_writer_is_dead_before_the_tree_is_read(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    assert True is run_trial(make_cell("s"), make_room({"s": LeavesAWriter()})).resolved


@frozen
class KeepsNative:
    def solve(self, session: Session, /) -> Attempt:
        native = session.scratch / "native"
        native.mkdir()
        (native / "log.txt").write_text("said")
        (native / "link").symlink_to("/etc/passwd")
        return Attempt(ending=Ending.FINISHED)


def test_what_an_agent_leaves_as_native_is_kept_and_links_stay_links(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"s": KeepsNative()})
    run_trial(make_cell("s"), room)
    native = room.directory.trial("add", "s", 1) / "native"
    assert "said" == (native / "log.txt").read_text()
    assert (native / "link").is_symlink()


@frozen
class NestsWithoutEnd:
    """Leaves folders in folders in its scratch, deeper than a call can go."""

    def solve(self, session: Session, /) -> Attempt:
        program = "mkdir native; cd native; i=0; while [ $i -lt 1500 ]; do mkdir d; cd d; i=$((i+1)); done"
        argv = ["sh", "-c", f"cd {session.scratch}; {program}"]
        assert 0 == session.workspace.run(argv, timeout_s=60).code
        (session.workspace.root / "answer.txt").write_text("6\n")
        return Attempt(ending=Ending.FINISHED)


def test_folders_nested_without_end_are_no_way_out_of_a_failure(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"s": NestsWithoutEnd()})
    trial = run_trial(make_cell("s"), room)
    assert (Ending.FINISHED, False) == (trial.ending, trial.resolved)
    kept = room.directory.trial("add", "s", 1) / "native/d"
    assert kept.is_dir()


class NeedySuite(ThreeTaskSuite):
    def equip(self, task: Task, /) -> Equipment:
        raise NeedMissing(problem="“node” is not here", way_on="install Node", need="node")


def test_a_missing_need_is_infra_with_the_way_to_get_it(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    trial = run_trial(make_cell("s"), make_room({"s": RIGHT}, NeedySuite()))
    assert (Ending.INFRA, "“node” is not here; install Node") == (trial.ending, trial.note)


class BrokenGrader(ThreeTaskSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        msg = "no grader"
        raise OSError(msg)


def test_a_grader_that_breaks_is_infra_and_the_cost_is_kept(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    trial = run_trial(make_cell("s"), make_room({"s": RIGHT}, BrokenGrader()))
    assert (Ending.INFRA, "OSError: no grader", 0.25) == (trial.ending, trial.note, trial.cost_usd)


@pytest.mark.parametrize("solver", ["s", "reference"])
def test_a_full_disk_is_held_against_nobody(
    make_room: MakeRoom, make_cell: MakeCell, monkeypatch: pytest.MonkeyPatch, solver: str
) -> None:
    room = make_room({"s": RIGHT})
    monkeypatch.setattr(disk, "LEAST_FREE_MIB", 2**50)
    trial = run_trial(make_cell(solver), room)
    assert (Ending.INFRA, None) == (trial.ending, trial.resolved)
    assert trial.note.startswith("the disk of the workspaces is full: ")
    assert trial.note.endswith("; make room there, or set TMPDIR to another place")


class LeavingGrader(ThreeTaskSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        raise SystemExit(0)


def test_a_grader_that_leaves_is_infra_and_does_not_end_the_run(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    trial = run_trial(make_cell("s"), make_room({"s": RIGHT}, LeavingGrader()))
    assert (Ending.INFRA, "SystemExit: 0", 0.25) == (trial.ending, trial.note, trial.cost_usd)


@pytest.mark.parametrize(
    "ending",
    [Ending.CRASHED, Ending.INFRA, Ending.INTERRUPTED, Ending.OVER_BUDGET, Ending.TIMED_OUT],
)
def test_what_a_failed_attempt_left_is_kept_to_the_byte(
    make_room: MakeRoom, make_cell: MakeCell, ending: Ending
) -> None:
    """OpenHands/benchmarks#740."""
    room = make_room({"s": evolve(RIGHT, ending=ending)})
    assert ending is run_trial(make_cell("s"), room).ending
    assert b"5\n" == artifacts.tree(room.directory.trial("add", "s", 1)).changes[0].after


def test_what_is_left_is_kept_when_the_solver_or_the_grader_raises(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    """OpenHands/benchmarks#740."""
    for room in (make_room({"s": Raising()}), make_room({"s": RIGHT}, BrokenGrader())):
        place = room.directory.trial("add", "s", 1)
        shutil.rmtree(place, ignore_errors=True)
        assert Ending.INFRA is run_trial(make_cell("s"), room).ending
        assert b"5\n" == artifacts.tree(place).changes[0].after


@define
class Committing:
    """A gateway that has counted what a trial used only once the trial's session is closed."""

    environment: Mapping[str, str] = field(factory=dict)
    socket: Path | None = None
    exhausted: bool = False
    closed: bool = False

    def open(self, label: str, budget_usd: float | None, /) -> "Committing":
        return self

    def usage(self) -> tuple[Usage, ...]:
        return (Usage(model="m", output=7, cost_usd=0.5),) if self.closed else ()

    def close(self) -> None:
        self.closed = True


def test_what_a_gateway_counts_at_the_very_end_is_in_the_record(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    """OpenHands/benchmarks#638, #639."""
    room = evolve(make_room({"s": RIGHT}), gateway=Committing())
    trial = run_trial(make_cell("s"), room)
    assert (0.5, (Usage(model="m", output=7, cost_usd=0.5),)) == (trial.cost_usd, trial.metered)


@frozen
class SeesEverything:
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        if evidence.events is None:
            return None
        where = f"{len(evidence.events)} events, {len(evidence.patch.changes)} changes"
        return (Finding(rule="seen", enforcing=bool(evidence.dropped), where=where),)


def test_auditors_see_the_evidence_and_their_findings_are_kept(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    solver = ScriptedSolver(writes={"answer.txt": "5\n", "conftest.py": ""})
    room = make_room({"s": solver}, auditors={"eye": SeesEverything()})
    trial = run_trial(make_cell("s"), room)
    assert ["1 events, 1 changes"] == [finding.where for finding in trial.findings or ()]
    assert trial.clean is False


def test_without_an_auditor_nothing_is_called_clean(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    assert run_trial(make_cell("s"), make_room({"s": RIGHT})).clean is None


def test_no_directory_of_a_trial_is_left_behind(
    make_room: MakeRoom, make_cell: MakeCell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(work))
    run_trial(make_cell("s"), make_room({"s": RIGHT}))
    assert [] == list(work.iterdir())
