"""Several solvers in one attempt: what each did, used and left is kept apart."""

from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, evolve, field, frozen
from fairtrial.api import Attempt, Brief, Ending, Session, Solver, Usage
from fairtrial.conformance.fakes import ScriptedSolver
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.stages import since
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]

WRONG = ScriptedSolver(writes={"answer.txt": "6\n"}, cost_usd=0.25)
SPRAWLING = ScriptedSolver(writes={"answer.txt": None, "draft/a/note.txt": "x"})
RIGHT = ScriptedSolver(writes={"answer.txt": "5\n"}, cost_usd=1.0)


@frozen(kw_only=True)
class Relay:
    """Lets one solver follow the other."""

    first: Solver
    second: Solver
    reset: bool = False

    def solve(self, session: Session, /) -> Attempt:
        one = session.perform(self.first, session)
        session.escalate("it is the first")
        if self.reset:
            session.reset()
        two = session.perform(self.second, session)
        return Attempt(ending=two.ending, usage=(*one.usage, *two.usage))


def test_each_stage_is_kept_with_its_own_figures(make_room: MakeRoom, make_cell: MakeCell) -> None:
    room = make_room({"both": Relay(first=WRONG, second=RIGHT)})
    room.names[id(room.solvers["both"].second)] = "large"  # type: ignore[index,attr-defined]  # a dict here
    trial = run_trial(make_cell("both"), room)
    one, two = trial.stages
    assert trial.resolved is True
    assert ("ScriptedSolver", "large") == (one.solver, two.solver)
    assert ("it is the first", "") == (one.escalated, two.escalated)
    assert (0.25, 1.0, 1.25) == (one.cost_usd, two.cost_usd, trial.cost_usd)
    assert (("answer.txt",), ("answer.txt",)) == (one.changed, two.changed)


def test_a_reset_gives_the_next_stage_the_tree_as_it_was(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"both": Relay(first=SPRAWLING, second=ScriptedSolver(), reset=True)})
    trial = run_trial(make_cell("both"), room)
    assert [False, True] == [stage.reset for stage in trial.stages]
    assert [("answer.txt", "draft/a/note.txt"), ()] == [stage.changed for stage in trial.stages]
    assert () == trial.changed


@frozen
class Leaving:
    """Leaves a program behind that goes on writing."""

    def solve(self, session: Session, /) -> Attempt:
        code = "while sleep 0.01; do echo x >> late.txt; done"
        session.workspace.spawn(["sh", "-c", code], timeout_s=60)
        return Attempt(ending=Ending.FINISHED)


@frozen
class Looking:
    """Tells whether anything was written while it looked."""

    def solve(self, session: Session, /) -> Attempt:
        late = session.workspace.root / "late.txt"
        before = late.stat().st_size if late.exists() else 0
        session.workspace.run(["sleep", "0.1"], timeout_s=5)
        after = late.stat().st_size if late.exists() else 0
        return Attempt(ending=Ending.FINISHED, note=f"{after - before} bytes")


def test_nothing_of_a_stage_runs_on_in_the_next(make_room: MakeRoom, make_cell: MakeCell) -> None:
    room = make_room({"both": Relay(first=Leaving(), second=Looking())})
    trial = run_trial(make_cell("both"), room)
    assert "0 bytes" == trial.stages[1].note


@frozen
class Raising:
    def solve(self, session: Session, /) -> Attempt:
        msg = "a fault of the plugin"
        raise RuntimeError(msg)


def test_a_stage_that_raises_is_infra_and_does_not_end_the_other(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    room = make_room({"both": Relay(first=Raising(), second=RIGHT)})
    trial = run_trial(make_cell("both"), room)
    assert [Ending.INFRA, Ending.FINISHED] == [stage.ending for stage in trial.stages]
    kept = room.directory.trial("add", "both", 1) / "error.txt"
    assert "RuntimeError: a fault of the plugin" in kept.read_text()


def test_what_a_stage_was_metered_is_the_difference_of_two_readings() -> None:
    before = (Usage(model="a", output=10, cost_usd=1.0), Usage(model="same", output=1))
    after = (
        Usage(model="a", output=15, cost_usd=1.5),
        Usage(model="same", output=1),
        Usage(model="new", output=7, cost_usd=None),
    )
    assert (
        Usage(model="a", output=5, cost_usd=0.5),
        Usage(model="new", output=7),
    ) == since(before, after)


@define
class Till:
    """A gateway whose meter solvers move themselves."""

    environment: Mapping[str, str] = field(factory=dict)
    socket: Path | None = None
    exhausted: bool = False
    spent: list[Usage] = field(factory=list)

    def open(self, label: str, budget_usd: float | None, /) -> "Till":
        return self

    def usage(self) -> tuple[Usage, ...]:
        return tuple(self.spent)

    def close(self) -> None:
        """Nothing is under way."""


@frozen(kw_only=True)
class Paying:
    """Writes the answer, at a price that the gateway sees."""

    till: Till
    total_usd: float

    def solve(self, session: Session, /) -> Attempt:
        self.till.spent[:] = [Usage(model="m", cost_usd=self.total_usd)]
        (session.workspace.root / "answer.txt").write_text("5\n")
        return Attempt(ending=Ending.FINISHED)


def test_a_watcher_can_ask_what_a_trial_under_way_has_spent(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    till = Till()
    meters: dict[str, Callable[[], tuple[Usage, ...]]] = {}
    room = evolve(
        make_room({"pays": Paying(till=till, total_usd=0.5)}),
        gateway=till,
        metered=meters.__setitem__,
    )
    run_trial(make_cell("pays"), room)
    assert {"add·pays·1": [0.5]} == {
        label: [usage.cost_usd for usage in meter()] for label, meter in meters.items()
    }


def test_each_stage_is_metered_apart(make_room: MakeRoom, make_cell: MakeCell) -> None:
    till = Till()
    both = Relay(first=Paying(till=till, total_usd=0.25), second=Paying(till=till, total_usd=1.0))
    trial = run_trial(make_cell("both"), evolve(make_room({"both": both}), gateway=till))
    assert [0.25, 0.75] == [stage.cost_usd for stage in trial.stages]
    assert 1.0 == trial.cost_usd


@define
class Meter:
    """A gateway's session of which each part is spent at once."""

    budgets: list[float] = field(factory=list)
    exhausted: bool = False
    environment: Mapping[str, str] = field(factory=dict)
    socket: Path | None = None

    def begin_part(self, budget_usd: float, /) -> None:
        self.budgets.append(budget_usd)

    def end_part(self) -> bool:
        return self.budgets[-1] < 1.0

    def usage(self) -> tuple[Usage, ...]:
        return ()

    def close(self) -> None:
        pass


@frozen
class OneSession:
    """Hands out one session, whoever asks."""

    session: Meter = field(factory=Meter)

    def open(self, label: str, budget_usd: float | None, /) -> Meter:
        return self.session


@frozen
class Thrifty:
    """Gives the first stage little, and the second all that there is."""

    def solve(self, session: Session, /) -> Attempt:
        little = View(session, evolve(session.brief, budget_usd=0.25))
        one = session.perform(ScriptedSolver(ending=Ending.CRASHED), little)
        session.escalate(one.ending)
        two = session.perform(RIGHT, View(session, evolve(session.brief, budget_usd=2.0)))
        session.perform(RIGHT, View(session, evolve(session.brief, budget_usd=None)))
        return Attempt(ending=two.ending)


class View:
    """A session with another brief."""

    def __init__(self, whole: Session, brief: Brief) -> None:
        self._whole = whole
        self.brief = brief

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)


def test_the_gateway_keeps_a_stages_part_of_the_budget(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    gateway = OneSession()
    room = evolve(make_room({"thrifty": Thrifty()}), gateway=gateway)
    trial = run_trial(make_cell("thrifty"), room)
    endings = [(stage.ending, stage.limit) for stage in trial.stages]
    assert [0.25, 2.0] == gateway.session.budgets
    assert [
        (Ending.OVER_BUDGET, "budget"),
        (Ending.FINISHED, ""),
        (Ending.FINISHED, ""),
    ] == endings
    assert Ending.FINISHED is trial.ending
