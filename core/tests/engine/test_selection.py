"""Picking one of several attempts: what is seen, what is kept, what it costs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, evolve, frozen
from fairtrial.api import (
    Attempt,
    BudgetError,
    Ending,
    Fence,
    MachineError,
    PlannedTask,
    RunRecord,
    Selection,
    SelectionSession,
    Selector,
    Session,
    Solver,
    Usage,
    Workspace,
)
from fairtrial.builtin.local import LocalSandbox
from fairtrial.config import RunConfig, RunTable
from fairtrial.conformance.fakes import ScriptedSolver, ThreeTaskSuite
from fairtrial.engine.budget import most_usd
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import Journal, read_run, write_plan
from fairtrial.engine.plan import Cell
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.room import Room
from fairtrial.engine.selection import questions, refuse_unlimited_selectors, select
from fairtrial.engine.trial import run_trial
from fairtrial.figures.selections import Selected, selections

MakeRoom = Callable[..., Room]
WRONG = ScriptedSolver(writes={"answer.txt": "6\n"}, cost_usd=0.25)
RIGHT = ScriptedSolver(writes={"answer.txt": "5\n"}, cost_usd=0.25)
TASK = next(iter(ThreeTaskSuite().tasks()))


@frozen(kw_only=True)
class Fixed:
    """Picks what it was told to, and notes what it saw in a list of the test's."""

    rollout: int | None
    seen: list[object]

    def select(self, session: SelectionSession, /) -> int | None:
        self.seen.extend(session.candidates)
        return self.rollout


@frozen
class Peeking:
    def select(self, session: SelectionSession, /) -> int | None:
        return next((c.rollout for c in session.candidates if session.resolved(c.rollout)), None)


@frozen
class Running:
    def select(self, session: SelectionSession, /) -> int | None:
        for candidate in session.candidates:
            argv = ["grep", "-q", "5", "answer.txt"]
            if session.run(candidate.rollout, argv, timeout_s=10).code == 0:
                return candidate.rollout
        return None


@frozen(kw_only=True)
class Asking:
    solver: Solver

    @property
    def spends(self) -> bool:
        return True

    def select(self, session: SelectionSession, /) -> int | None:
        files = {f"to-judge/{c.rollout}.diff": session.diff(c.rollout) for c in session.candidates}
        answer = session.consult(self.solver, "Which one?", files, answer_in="choice")
        return int(answer) if answer else None


@frozen
class Reading:
    """A judge that reads the diffs which it was given, and costs something."""

    def solve(self, session: Session, /) -> Attempt:
        root = session.workspace.root
        right = [p.stem for p in sorted(root.glob("to-judge/*")) if "+5" in p.read_text()]
        assert session.brief.prompt == "Which one?"
        assert not (root / "answer.txt").exists() or "5" not in (root / "answer.txt").read_text()
        (root / "choice").write_text(right[0])
        used = Usage(model="judge", output=1, cost_usd=0.5)
        return Attempt(ending=Ending.FINISHED, usage=(used,))


@pytest.fixture
def prepared(
    make_room: MakeRoom, prepare: Callable[..., Prepared], directory: RunDirectory
) -> Callable[..., tuple[Prepared, Room]]:
    """Runs two rollouts, a wrong one and a right one, and returns what selects among them."""

    def make(selectors: Mapping[str, Selector], **keys: object) -> tuple[Prepared, Room]:
        solvers = {"s": RIGHT}
        room = make_room(solvers)
        found = prepare(
            solvers,
            selectors=selectors,
            solvers=("s", "noop"),
            rollouts=2,
            only=(TASK.id,),
            **keys,
        )
        if not directory.record.exists():
            planned = PlannedTask(id=TASK.id, family=TASK.family, digest=TASK.digest)
            write_plan(
                directory,
                RunRecord(
                    label="l", suite="three", solvers=("s", "noop"), rollouts=2, tasks=(planned,)
                ),
            )
            journal = Journal(directory.journal)
            for rollout, solver in ((1, WRONG), (2, RIGHT)):
                cell = Cell(task=found.plan.tasks[0], solver="s", rollout=rollout)
                journal.append(run_trial(cell, evolve(room, solvers={"s": solver})))
        return found, room

    return make


def one(directory: RunDirectory) -> Selection:
    (selection,) = read_run(directory).selections
    return selection


def point(directory: RunDirectory) -> Selected:
    (found,) = selections(read_run(directory))
    return found


def test_a_selector_sees_attempts_and_no_verdict(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    seen: list[object] = []
    ready, room = prepared({"fixed": Fixed(rollout=2, seen=seen)})
    select(ready, directory, room)
    first, second = seen
    assert [1, 2] == [first.rollout, second.rollout]  # type: ignore[attr-defined]  # candidates
    assert first.tree != second.tree  # type: ignore[attr-defined]  # candidates
    assert ("s", "fixed", False) == (
        one(directory).solver,
        one(directory).selector,
        one(directory).upper_bound,
    )
    assert [(TASK.id, 2)] == [(pick.task, pick.rollout) for pick in one(directory).picks]
    assert (1, 1, 0.5) == (
        point(directory).resolved,
        point(directory).tasks,
        point(directory).cost.total_usd,
    )


def test_one_that_asks_for_verdicts_is_an_upper_bound(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    ready, room = prepared({"oracle": Peeking()})
    select(ready, directory, room)
    assert (True, 2) == (one(directory).upper_bound, one(directory).picks[0].rollout)
    assert point(directory).upper_bound


def test_programs_run_in_each_attempts_tree(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    ready, room = prepared({"tests": Running()})
    select(ready, directory, room)
    assert (2, 0) == (one(directory).picks[0].rollout, one(directory).picks[0].consulted)


def test_a_judge_is_an_attempt_whose_cost_is_added(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    ready, room = prepared({"judge": Asking(solver=Reading())})
    select(ready, directory, room)
    pick = one(directory).picks[0]
    assert (2, 1, 0.5) == (pick.rollout, pick.consulted, pick.usage[0].cost_usd)
    found = point(directory)
    assert (1.0, 0.5, 1.0) == (
        found.cost.total_usd,
        found.picking.total_usd,
        found.per_resolved_usd,
    )


@frozen
class Never:
    def solve(self, session: Session, /) -> Attempt:
        msg = "asked again"
        raise AssertionError(msg)


def test_nothing_is_paid_for_twice_and_nobody_is_asked_when_graded_again(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    judge = Asking(solver=Reading())
    ready, room = prepared({"judge": judge})
    select(ready, directory, room)
    before = one(directory)
    select(ready, directory, room)
    assert before == one(directory)
    other, room = prepared({"judge": Asking(solver=Never())})
    select(other, directory, room, asks=False)
    assert before == one(directory)
    fresh, room = prepared({"another": Asking(solver=Never())})
    select(fresh, directory, room, asks=False)
    assert (None, 0) == (one(directory).picks[0].rollout, one(directory).picks[0].consulted)
    assert "no solver is asked where a stored run is graded again" in one(directory).picks[0].note


def test_a_judge_that_cannot_be_paid_for_is_not_asked(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    limits = {"budget_usd_total": 0.6, "budget_usd_per_task": 0.3}
    ready, room = prepared({"judge": Asking(solver=Never())}, **limits)
    select(ready, directory, room)
    pick = one(directory).picks[0]
    assert (None, 0) == (pick.rollout, pick.consulted)
    assert pick.note.startswith("the budget of $0.60 in all would not cover it; ")
    assert (0, 1) == (point(directory).resolved, point(directory).unpicked)


@define
class OpensLater:
    """A sandbox that has nothing to open at first."""

    refused: int = 0

    @contextmanager
    def open(self, label: str, fence: Fence, /) -> Iterator[Workspace]:
        if not self.refused:
            self.refused += 1
            raise MachineError(problem="there is no room")
        with LocalSandbox().open(label, fence) as workspace:
            yield workspace


@frozen(kw_only=True)
class AskingAgain(Asking):
    """Asks once more where it could not ask."""

    def select(self, session: SelectionSession, /) -> int | None:
        try:
            return super().select(session)
        except MachineError:
            return super().select(session)


def test_a_judge_that_never_began_has_spent_nothing(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    limits = {"budget_usd_total": 1.2, "budget_usd_per_task": 0.6}
    ready, room = prepared({"judge": AskingAgain(solver=Reading())}, **limits)
    sandbox = OpensLater()
    select(ready, directory, evolve(room, sandbox=sandbox))
    pick = one(directory).picks[0]
    assert (1, 2, 1, "") == (sandbox.refused, pick.rollout, pick.consulted, pick.note)


@frozen
class Leaving:
    """A selector that ends the process."""

    def select(self, session: SelectionSession, /) -> int | None:
        raise SystemExit(4)


@pytest.mark.parametrize(
    ("selector", "note"),
    [
        (Fixed(rollout=7, seen=[]), "it picked rollout 7, which is none of those it was given"),
        (Asking(solver=Never()), "infra: the solver plugin raised AssertionError: asked again"),
        (object(), "the selector plugin raised AttributeError: "),
        (Leaving(), "the selector plugin raised SystemExit: 4"),
    ],
)
def test_a_pick_that_cannot_be_made_says_why(
    prepared: Callable[..., tuple[Prepared, Room]],
    directory: RunDirectory,
    selector: Selector,
    note: str,
) -> None:
    ready, room = prepared({"s": selector})
    select(ready, directory, room)
    pick = one(directory).picks[0]
    assert pick.rollout is None
    assert pick.note.startswith(note)


def test_attempts_that_cannot_be_read_lose_a_pick_and_not_the_run(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    ready, room = prepared({"oracle": Peeking()})
    (directory.trial(TASK.id, "s", 2) / "tree.json").write_text("torn")
    select(ready, directory, room)
    pick = one(directory).picks[0]
    assert (None, True) == (pick.rollout, pick.note.startswith("its attempts can't be read: "))


def test_the_plan_counts_what_selectors_can_ask(
    prepared: Callable[..., tuple[Prepared, Room]],
) -> None:
    judges = {"judge": Asking(solver=Never()), "fixed": Fixed(rollout=1, seen=[])}
    ready, _ = prepared(judges, budget_usd_per_task=0.5, budget_usd_total=9.0)
    run = ready.config.run
    assert 1 == questions(ready)
    assert 0.5 == most_usd(run, {}, ready.plan.cells, questions(ready))
    assert 0 == questions(evolve(ready, config=RunConfig(run=evolve(run, rollouts=1), tables={})))


def test_a_selector_that_can_spend_needs_a_budget() -> None:
    judge = {"judge": Asking(solver=Never())}
    bare = RunTable(suite="three", solvers=("s",))
    with pytest.raises(BudgetError, match="its selectors can spend"):
        refuse_unlimited_selectors(bare, judge)
    refuse_unlimited_selectors(evolve(bare, budget="unlimited"), judge)
    refuse_unlimited_selectors(bare, {"fixed": Fixed(rollout=1, seen=[])})


def test_a_tree_that_a_selector_reads_is_never_written_to(
    prepared: Callable[..., tuple[Prepared, Room]], directory: RunDirectory
) -> None:
    ready, room = prepared({"tests": Running()})
    kept = {path: path.read_bytes() for path in _files(directory.path / "trials")}
    select(ready, directory, room)
    assert kept == {path: path.read_bytes() for path in kept}


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
