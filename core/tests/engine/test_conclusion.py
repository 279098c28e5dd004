"""A second opinion of what was delivered, and what is written up of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import define, evolve, field
from fairtrial.api import Check, CheckKind, PlannedTask, RunRecord, Task, Trial, Verdict, Workspace
from fairtrial.conformance.fakes import ScriptedSolver, ThreeTaskSuite
from fairtrial.engine.conclusion import conclude, gaps
from fairtrial.engine.controls import fault_of
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.gates import failed_gates
from fairtrial.engine.journal import key_of, read_plan
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]


@define(kw_only=True)
class TwiceGraded:
    """Three tasks, and a held-out check that wants another file too."""

    inner: ThreeTaskSuite = field(factory=ThreeTaskSuite)
    roots: list[Path] = field(factory=list)
    told: list[Mapping[str, Sequence[bool | None]]] = field(factory=list)
    wants: str = "why.txt"

    @property
    def version(self) -> str:
        return self.inner.version

    def tasks(self) -> Sequence[Task]:
        return [evolve(task, allowed=None) for task in self.inner.tasks()]

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        self.inner.seed(task, workspace)

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        self.roots.append(workspace.root)
        (workspace.root / "why.txt").write_text("left by the first check")
        return self.inner.grade(task, workspace)

    def reference(self, task: Task, /) -> object:
        return self.inner.reference(task)

    def held_out_version(self) -> str:
        return "3"

    def grade_held_out(self, task: Task, workspace: Workspace, /) -> Check:
        self.roots.append(workspace.root)
        answer = (workspace.root / "answer.txt").read_text().strip()
        passed = (workspace.root / self.wants).exists() or self.wants == answer
        return Check(name="add.1", kind=CheckKind.VISIBLE, passed=passed, why="secret input 42")

    def conclude(self, verdicts: Mapping[str, Sequence[bool | None]], /) -> Mapping[str, object]:
        self.told.append(dict(verdicts))
        return {"version": 3}


def cell(make_cell: MakeCell, solver: str) -> Cell:
    return make_cell(solver, TwiceGraded().tasks()[0])


def test_a_delivery_is_graded_again_in_a_room_of_its_own(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    suite = TwiceGraded()
    solver = ScriptedSolver(writes={"answer.txt": "5\n"})
    trial = run_trial(cell(make_cell, "s"), make_room({"s": solver}, suite=suite))
    assert trial.resolved is True
    assert trial.verdict is not None
    hidden = trial.verdict.checks[-1]
    assert ("add.1", CheckKind.HELD_OUT, False, "held-out", "") == (
        hidden.name,
        hidden.kind,
        hidden.passed,
        hidden.code,
        hidden.why,
    )
    assert 2 == len(set(suite.roots))


def test_nothing_delivered_is_not_scored(make_room: MakeRoom, make_cell: MakeCell) -> None:
    suite = TwiceGraded()
    for name in ("idle", "noop"):
        room = make_room({"idle": ScriptedSolver()}, suite=suite)
        trial = run_trial(cell(make_cell, name), room)
        assert trial.verdict is not None
        assert CheckKind.HELD_OUT not in [check.kind for check in trial.verdict.checks]


@pytest.mark.parametrize(
    ("wants", "fault"),
    [
        ("why.txt", "its held-out check does not pass with the reference"),
        (".", "its held-out check passes on the bare tree: it says nothing"),
        ("5", ""),
    ],
)
def test_a_held_out_check_is_proved_like_any_other(
    make_room: MakeRoom, wants: str, fault: str
) -> None:
    suite = TwiceGraded(wants=wants)
    assert fault == fault_of(suite.tasks()[0], make_room(suite=suite))


def trial(solver: str, *, visible: bool, held: bool | None, task: str = "add") -> Trial:
    checks = (
        Check(name="v", kind=CheckKind.VISIBLE, passed=visible),
        Check(name="add.1", kind=CheckKind.HELD_OUT, passed=held),
    )
    return Trial(
        task=task,
        digest="d",
        family=task,
        solver=solver,
        ending="finished",  # type: ignore[arg-type]  # as a journal spells it
        verdict=Verdict(checks=checks, suite_version="1"),
    )


def record(*trials: Trial, limit: float = 0.25) -> RunRecord:
    return RunRecord(
        label="r",
        suite="s",
        solvers=tuple(dict.fromkeys(each.solver for each in trials)),
        tasks=(PlannedTask(id="add", family="add", digest="d"),),
        trials=trials,
        gates={"max_heldout_gap": limit},
    )


def test_agents_are_told_of_and_control_arms_are_not(directory: RunDirectory) -> None:
    suite = TwiceGraded()
    run = record(
        trial("reference", visible=True, held=True),
        trial("a", visible=True, held=False),
        trial("b", visible=True, held=None),
    )
    concluded = conclude(suite, directory, run)
    assert [{"add": [False, None]}] == suite.told
    assert concluded.heldout is not None
    assert 3 == concluded.heldout["version"]
    assert concluded.heldout == read_plan(directory).heldout
    assert ["heldout-gap"] == [gate.name for gate in failed_gates(concluded)]


def test_what_was_told_before_is_not_told_again(directory: RunDirectory) -> None:
    suite = TwiceGraded()
    first, second = trial("a", visible=True, held=False), trial("b", visible=True, held=True)
    told = {key_of(first)}
    again = evolve(record(first), heldout={"version": 3})
    assert conclude(suite, directory, again, told).heldout is not None
    assert [] == suite.told
    conclude(suite, directory, evolve(record(first, second), heldout={"version": 3}), told)
    assert [{"add": [True]}] == suite.told


def test_the_reference_has_no_limit_and_a_gap_at_the_limit_passes() -> None:
    controls = trial("reference", visible=True, held=False)
    assert [] == gaps(record(controls))["failures"]
    at_limit = trial("a", visible=True, held=False)
    assert [] == gaps(record(at_limit, limit=1.0))["failures"]
    assert ["add (a): visible 100%, held-out 0%, gap 100% > max 99%"] == gaps(
        record(at_limit, limit=0.99)
    )["failures"]


def test_what_is_kept_is_plain_json() -> None:
    assert json.dumps(gaps(record(trial("a", visible=False, held=True))))
