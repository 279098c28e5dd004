"""The stages of one attempt: each has a window of joules, a tree before it, and a line of usage."""

from collections.abc import Sequence

from attrs import define, evolve, field, frozen

from fairtrial.api import Attempt, Ending, MachineError, Parted, Solver, Stage, Usage
from fairtrial.energy.ledger import Window
from fairtrial.energy.remote import side_by_side
from fairtrial.engine import artifacts
from fairtrial.engine.bench import Bench
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.snapshot import Tree, difference, snapshot
from fairtrial.processes.removal import remove_tree

_COUNTS = (
    "input_uncached",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "output",
    "reasoning",
    "cost_usd",
)


@frozen(kw_only=True)
class _Open:
    """A stage under way."""

    name: str
    window: Window
    cpu_us: int | None
    before: Tree
    metered: tuple[Usage, ...]
    capped: bool


@define(kw_only=True)
class Stages:
    """
    Keeps the stages of one attempt apart.

    Attributes:
        cell: The trial.
        room: What all trials share.
        place: The attempt's bench.
        window: The attempt's own window; None until it is open.
        done: What is known of the stages so far, in their order.
    """

    cell: Cell
    room: Room
    place: Bench
    window: Window | None = None
    done: list[Stage] = field(factory=list)
    _was_reset: bool = False
    _open: list[_Open] = field(factory=list)

    def begin(self, solver: Solver, budget_usd: float | None) -> _Open:
        """
        Opens a stage: the tree is read, then the meters; it may be inside of another one.

        Args:
            solver: Who works.
            budget_usd: Its part of the budget, which the gateway keeps where it can.
        """
        around = self._open[-1] if self._open else None
        name = self.room.names.get(id(solver), type(solver).__name__)
        if around is not None:
            name = f"{around.name}/{name}"
        before = snapshot(self.place.workspace.root)
        stage = _Open(
            name=name,
            before=before,
            capped=self._cap(budget_usd),
            metered=self._metered() or (),
            cpu_us=self.place.cpu_us(),
            window=self.room.ledger.begin(
                f"{self.cell.label}·{name}",
                group=self.cell.solver,
                parent=self.window if around is None else around.window,
                apart=self.place.apart,
            ),
        )
        self._open.append(stage)
        return stage

    def end(self, stage: _Open, said: Attempt, wall_s: float, error: str) -> Stage:
        """
        Closes a stage: its processes are ended, then the meters and the tree are read.

        Raises:
            SandboxDied: A process could not be ended.
        """
        try:
            self.place.workspace.settle()
        finally:
            self._open.remove(stage)
            stage.window.end(cpu_us=self.place.cpu_us_since(stage.cpu_us))
            over = self._uncap(stage)
        kept = self.room.directory.trial(self.cell.task.id, self.cell.solver, self.cell.rollout)
        artifacts.keep_error(kept, error)
        metered = self._metered()
        spent = None if metered is None else since(stage.metered, metered)
        if self.room.stop.is_set():
            said = evolve(said, ending=Ending.INTERRUPTED)
        elif over:
            # An agent whose request was refused for the budget takes that for another fault.
            said = evolve(said, ending=Ending.OVER_BUDGET, limit="budget")
        done = Stage(
            solver=stage.name,
            ending=said.ending,
            limit=said.limit,
            wall_s=round(wall_s, 4),
            usage=said.usage,
            metered=spent,
            energy=side_by_side(stage.window.energies(), said.usage if spent is None else spent),
            changed=difference(stage.before, self.place.workspace.root).patch.paths,
            reset=self._was_reset,
            submission=said.submission,
            model=said.model,
            agent_version=said.agent_version,
            note=said.note,
        )
        self._was_reset = False
        self.done.append(done)
        return done

    def escalate(self, why: str) -> None:
        """Notes why the last stage was not the end."""
        if self.done:
            self.done[-1] = evolve(self.done[-1], escalated=why)

    def reset(self) -> None:
        """
        Seeds the workspace anew, after every process in it is ended.

        Raises:
            SandboxDied: A process could not be ended.
            MachineError: Something could not be removed.
        """
        workspace = self.place.workspace
        workspace.settle()
        left = [path.name for path in workspace.root.iterdir() if not remove_tree(path)]
        if left:
            raise MachineError(
                problem="the workspace can't be put back to what it was",
                facts=(("not removed", ", ".join(sorted(left))),),
                way_on="let the stage carry the tree over: carry = true",
            )
        self.room.suite.seed(self.cell.task, workspace)
        self._was_reset = True

    def _cap(self, budget_usd: float | None) -> bool:
        gateway = self.place.gateway
        if budget_usd is None or not isinstance(gateway, Parted):
            return False
        gateway.begin_part(budget_usd)
        return True

    def _uncap(self, stage: _Open) -> bool:
        """Ends a stage's part of the budget; returns whether a request was refused for it."""
        gateway = self.place.gateway
        over = stage.capped and isinstance(gateway, Parted) and gateway.end_part()
        return over or (gateway is not None and gateway.exhausted)

    def _metered(self) -> tuple[Usage, ...] | None:
        return None if self.place.gateway is None else self.place.gateway.usage()


def since(before: Sequence[Usage], after: Sequence[Usage]) -> tuple[Usage, ...]:
    """
    Returns what was used between two readings of one meter, models without a change left out.

    A count that one of the readings doesn't know is not known.
    """
    earlier = {usage.model: usage for usage in before}
    return tuple(
        usage if usage.model not in earlier else _less(usage, earlier[usage.model])
        for usage in after
        if usage != earlier.get(usage.model)
    )


def _less(usage: Usage, earlier: Usage) -> Usage:
    counts = {
        name: None
        if (now := getattr(usage, name)) is None or (then := getattr(earlier, name)) is None
        else max(now - then, 0)
        for name in _COUNTS
    }
    return evolve(usage, **counts)  # type: ignore[arg-type]  # each of its field's kind
