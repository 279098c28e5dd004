"""What a run will do: its tasks, and the cells of task × solver × rollout."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from attrs import evolve, frozen

from fairtrial.api import ConfigError, PlannedTask, RunArm, SuiteError, Task
from fairtrial.config import SOLVER_BY_SOLVER, RunTable
from fairtrial.engine.directory import SLUG

CONTROLS = ("reference", "noop")
"""The control arms: the known-good fix, which must resolve all, and nothing, which must not."""

SHOWN = 12
"""How many ids an error message names."""


@frozen(kw_only=True)
class Cell:
    """
    One trial to be done.

    Attributes:
        task: The task, its brief as this run gives it.
        solver: The solver's name, or a control arm's.
        rollout: 1-based.
    """

    task: Task
    solver: str
    rollout: int

    @property
    def label(self) -> str:
        """For people who look at processes and logs."""
        return f"{self.task.id}·{self.solver}·{self.rollout}"

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What makes its trial that trial: task, its digest, solver, rollout."""
        return self.task.id, self.task.digest, self.solver, self.rollout

    @property
    def control(self) -> bool:
        """Whether this is a control arm's trial."""
        return self.solver in CONTROLS


@frozen(kw_only=True)
class Plan:
    """
    All that a run will do.

    Attributes:
        tasks: In the order of the suite.
        cells: In the order in which they start: all of a task before the next one, or all of a
            solver.
    """

    tasks: tuple[Task, ...]
    cells: tuple[Cell, ...]

    @property
    def planned(self) -> tuple[PlannedTask, ...]:
        """The tasks as the record names them."""
        return tuple(
            PlannedTask(
                id=task.id, family=task.family, digest=task.digest, quarantine=task.quarantine
            )
            for task in self.tasks
        )


def plan(
    tasks: Iterable[Task],
    run: RunTable,
    *,
    arms: Sequence[RunArm] = (),
    timeouts: Mapping[str, float] | None = None,
    only_in: str = "[run] only",
) -> Plan:
    """
    Chooses the tasks and lays out the cells.

    Args:
        tasks: All that the suite has.
        run: What of them is run, and how often.
        arms: Two arms whose trials take turns: which comes first changes from one task, and from
            one rollout, to the next, so that the time of day and the load fall on both. Where
            the run goes solver by solver they take none.
        timeouts: Seconds that attempts of some solvers may take, in place of the run's own.
        only_in: Where `only` was written, for an error.

    Raises:
        SuiteError: The suite is empty, or two tasks share an id.
        ConfigError: `only` names a task that isn't there, or nothing is left to do.
    """
    every = tuple(tasks)
    _refuse_bad_suite(every, run.suite)
    chosen = tuple(_as_run(task, run) for task in _chosen(every, run, only_in))
    orders = (run.solvers, _swapped(run.solvers, arms))
    cells = [
        Cell(task=_timed(task, (timeouts or {}).get(solver)), solver=solver, rollout=rollout)
        for number, task in enumerate(chosen)
        for rollout in range(1, run.rollouts + 1)
        for solver in orders[(number + rollout - 1) % 2]
    ]
    if run.order == SOLVER_BY_SOLVER:
        cells.sort(key=lambda cell: run.solvers.index(cell.solver))
    return Plan(tasks=chosen, cells=tuple(cells))


def shifts(cells: Sequence[Cell], run: RunTable) -> Iterator[Sequence[Cell]]:
    """Yields, in their order, the cells that may be under way at once."""
    if run.order != SOLVER_BY_SOLVER:
        yield cells
        return
    for _, together in groupby(cells, key=lambda cell: cell.solver):
        yield tuple(together)


def _swapped(solvers: Sequence[str], arms: Sequence[RunArm]) -> tuple[str, ...]:
    """Returns the solvers with those of the two arms in each other's place."""
    places: dict[str, str] = {}
    if arms:
        before, after = arms
        for left, right in zip(before.solvers, after.solvers, strict=True):
            places |= {left: right, right: left}
    return tuple(places.get(solver, solver) for solver in solvers)


def _timed(task: Task, timeout_s: float | None) -> Task:
    if timeout_s is None:
        return task
    return evolve(task, brief=evolve(task.brief, timeout_s=timeout_s))


def _refuse_bad_suite(tasks: Sequence[Task], suite: str) -> None:
    if not tasks:
        raise SuiteError(
            problem=f"suite “{suite}” has no tasks",
            way_on="check the path in its table; `fairtrial tasks list` shows what is found",
        )
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise SuiteError(
                problem=f"two tasks of suite “{suite}” have the id “{task.id}”",
                task=task.id,
                way_on="rename one of them",
            )
        if not SLUG.match(task.id):
            raise SuiteError(
                problem=f"“{task.id}” can't be a task's id",
                task=task.id,
                way_on="use letters, digits, “.”, “_” and “-”, starting with a letter or digit",
            )
        seen.add(task.id)


def _chosen(tasks: Sequence[Task], run: RunTable, only_in: str) -> Sequence[Task]:
    ids = [task.id for task in tasks]
    for name in run.only:
        if name not in ids:
            nearest = difflib.get_close_matches(name, ids, n=1)
            raise ConfigError(
                problem=f"suite “{run.suite}” has no task “{name}”",
                facts=(
                    ("asked for in", only_in),
                    ("tasks", ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")),
                    *(("nearest", near) for near in nearest),
                ),
                way_on="`fairtrial tasks list` shows every id",
            )
    wanted = [task for task in tasks if not run.only or task.id in run.only]
    return wanted[: run.limit or None]


def _as_run(task: Task, run: RunTable) -> Task:
    brief = task.brief
    if run.timeout_s is not None:
        brief = evolve(brief, timeout_s=run.timeout_s)
    if run.budget_usd_per_task is not None:
        brief = evolve(brief, budget_usd=run.budget_usd_per_task)
    return evolve(task, brief=brief)
