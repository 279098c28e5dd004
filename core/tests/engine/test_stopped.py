"""What the user stops while it is graded has no verdict, and is graded when the run goes on."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve, field, frozen
from fairtrial.api import (
    Attempt,
    Check,
    CheckKind,
    EndedBy,
    Ending,
    Evidence,
    Finding,
    Session,
    SuiteError,
    Task,
    Trial,
    Verdict,
    Workspace,
)
from fairtrial.cli.closing import interrupted
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine.again import regrade
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.run import run
from fairtrial.engine.spend import Spending, read_spend
from fairtrial.engine.trial import run_trial

KILLED = Verdict(
    checks=(Check(name="answer", kind=CheckKind.VISIBLE, passed=False, code="failed"),),
    suite_version="three-1",
)


@frozen
class Right:
    """Solves `add`, and counts how often it was asked to."""

    asked: list[str] = field(factory=list)

    def solve(self, session: Session, /) -> Attempt:
        self.asked.append(session.brief.prompt)
        (session.workspace.root / "answer.txt").write_text("5\n")
        return Attempt(ending=Ending.FINISHED)


@frozen
class Piping(Right):
    """Leaves what no tree can hold, besides."""

    def solve(self, session: Session, /) -> Attempt:
        os.mkfifo(session.workspace.root / "pipe")
        return super().solve(session)


@frozen
class Lenient:
    """Finds nothing, and keeps what it was shown."""

    seen: list[Evidence] = field(factory=list)

    def audit(self, evidence: Evidence, /) -> tuple[Finding, ...]:
        self.seen.append(evidence)
        return ()


@frozen(kw_only=True)
class Away(ThreeTaskSuite):
    """A suite whose checks can't be had now."""

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        raise SuiteError(problem="the checks are away")


@frozen(kw_only=True)
class Cut(ThreeTaskSuite):
    """A suite whose checks are stopped, which it takes for their failure."""

    stop: Callable[[Workspace], object]
    then: Callable[[], object] = lambda: None

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        self.stop(workspace)
        self.then()
        return KILLED


def died() -> None:
    msg = "the checks died"
    raise RuntimeError(msg)


@pytest.mark.parametrize("then", [lambda: None, died])
def test_what_is_stopped_while_it_is_graded_has_no_verdict(make_room, make_cell, then) -> None:
    room = make_room({"s": Right()})
    room = evolve(room, suite=Cut(stop=lambda _: room.stop.set(), then=then))

    trial = run_trial(make_cell("s"), room)

    assert (Ending.FINISHED, None) == (trial.ending, trial.verdict)
    assert ("answer.txt",) == trial.changed


def terminated(workspace: Workspace) -> None:
    """Ends the run as `kill` does while a program of the checks runs, which ends with it."""
    running = workspace.spawn(("sleep", "60"), timeout_s=60)
    os.kill(os.getpid(), signal.SIGTERM)
    assert [] == list(running.lines())
    assert EndedBy.INTERRUPT is running.end().ended_by


def trials_of(directory: RunDirectory, prepared: Prepared, *, resume: bool = False) -> list[Trial]:
    return [*run(prepared, directory, resume=resume).record.trials]


def test_going_on_grades_it_and_does_not_make_it_again(directory, prepare) -> None:
    solver = Right()
    stopped = Cut(stop=terminated)

    (before,) = trials_of(directory, prepare({"s": solver}, stopped, limit=1, validate=False))
    (after,) = trials_of(directory, prepare({"s": solver}, limit=1, validate=False), resume=True)

    assert [None, True] == [before.resolved, after.resolved]
    assert 1 == len(solver.asked)
    assert evolve(before, verdict=after.verdict, scoring_ms=after.scoring_ms) == evolve(
        after, diff_added=before.diff_added, diff_removed=before.diff_removed
    )


def test_its_grading_is_entered_once_and_what_it_spent_not_again(directory, prepare) -> None:
    spending = Spending(label="run", path=directory.path / "spend.jsonl")
    for suite in (Cut(stop=terminated), ThreeTaskSuite()):
        prepared = prepare({"s": Right()}, suite, limit=1, validate=False)
        run(prepared, directory, resume=directory.record.exists(), spending=spending)

    kinds = [row.kind for row in read_spend(spending.path)]

    assert ["launched", "returned", "scoring"] == kinds


def test_who_stops_a_run_is_told_what_is_still_to_be_graded(directory, prepare, capsys) -> None:
    prepared = prepare({"s": Right()}, Cut(stop=terminated), limit=1, validate=False)

    interrupted(prepared, run(prepared, directory).record, directory.path)

    told = "1 of 1 trials finished, 1 of them still to be graded, kept in"
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("validate", [True, False])
def test_what_can_not_be_graded_now_is_not_made_again(directory, prepare, validate) -> None:
    solver = Right()
    stopped = Cut(stop=terminated)

    (before,) = trials_of(directory, prepare({"s": solver}, stopped, limit=1, validate=False))
    away = prepare({"s": solver}, Away(), limit=1, validate=validate)
    (between,) = trials_of(directory, away, resume=True)
    (after,) = trials_of(
        directory, prepare({"s": solver}, limit=1, validate=validate), resume=True
    )

    assert (before, True) == (between, after.resolved)
    assert 1 == len(solver.asked)


def test_what_was_left_behind_is_known_when_it_is_graded(directory, prepare) -> None:
    stopped = prepare({"s": Piping()}, Cut(stop=terminated), limit=1, validate=False)

    (before,) = trials_of(directory, stopped)
    (after,) = trials_of(directory, prepare({"s": Piping()}, limit=1, validate=False), resume=True)

    assert (("pipe",), ("pipe",), True) == (before.dropped, after.dropped, after.resolved)


def test_grading_it_from_the_directory_audits_it_too(directory, prepare) -> None:
    auditor = Lenient()
    trials_of(directory, prepare({"s": Right()}, Cut(stop=terminated), limit=1, validate=False))
    prepared = prepare({"s": Right()}, limit=1, validate=False)
    plugins = evolve(prepared.plugins, auditors={"lenient": auditor})

    (after,) = regrade(evolve(prepared, plugins=plugins), directory).trials
    regrade(evolve(prepared, plugins=plugins), directory)

    assert (True, ()) == (after.resolved, after.findings)
    assert [{"answer.txt": b""}] == [each.before for each in auditor.seen]


def test_grading_again_that_is_stopped_leaves_the_verdict(directory, prepare) -> None:
    solver = Right()
    (before,) = trials_of(directory, prepare({"s": solver}, limit=1, validate=False))

    stopped = Cut(stop=terminated)
    with pytest.raises(KeyboardInterrupt):
        regrade(prepare({"s": solver}, stopped, limit=1, validate=False), directory)

    assert (before,) == read_run(directory).trials


def test_a_proof_that_is_stopped_makes_no_task_invalid(directory, prepare) -> None:
    stopped = Cut(stop=terminated)

    (trial,) = trials_of(directory, prepare({"s": Right()}, stopped, limit=1))
    (task,) = run(prepare({"s": Right()}, limit=1), directory, resume=True).record.tasks

    assert Ending.INTERRUPTED is trial.ending
    assert "" == task.invalid
    assert not Path(directory.proofs).read_text().count("invalid")
