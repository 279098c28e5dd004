"""A selection as a point: what was picked, at the cost of all attempts and of the picking."""

from attrs import evolve
from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    CostSource,
    Ending,
    Energy,
    Label,
    Pick,
    PlannedTask,
    RunRecord,
    Selection,
    Trial,
    Usage,
    Verdict,
)
from fairtrial.figures.frontier import frontier
from fairtrial.figures.selections import Selected, selections

TASKS = ("a", "b")


def joules(value: float) -> tuple[Energy, ...]:
    return (Energy(boundary=Boundary.HOST, joules=value, label=Label.ESTIMATOR),)


def trial(task: str, solver: str, rollout: int, passed: bool, cost_usd: float) -> Trial:
    check = Check(name="c", kind=CheckKind.VISIBLE, passed=passed)
    usage = Usage(cost_usd=cost_usd, cost_source=CostSource.REPORTED)
    return Trial(
        task=task,
        digest=task,
        family=task,
        solver=solver,
        rollout=rollout,
        ending=Ending.FINISHED,
        verdict=Verdict(checks=(check,), suite_version="1"),
        usage=(usage,),
        energy=joules(10),
    )


def record(*picks: Pick, upper_bound: bool = False, large_usd: float = 5.0) -> RunRecord:
    """A small solver that resolves each task in its second rollout, and a large one at once."""
    small = [trial(task, "small", n, n == 2, 1.0) for task in TASKS for n in (1, 2)]
    large = [trial(task, "large", n, True, large_usd) for task in TASKS for n in (1, 2)]
    chosen = Selection(selector="s", solver="small", picks=picks, upper_bound=upper_bound)
    return RunRecord(
        label="l",
        suite="s",
        solvers=("small", "large"),
        rollouts=2,
        tasks=tuple(PlannedTask(id=task, family=task, digest=task) for task in TASKS),
        trials=(*small, *large),
        selections=(chosen,),
    )


def point(run: RunRecord) -> Selected:
    (found,) = selections(run, None, frontier(run, resamples=100))
    return found


JUDGED = Pick(
    task="a",
    rollout=2,
    consulted=1,
    usage=(Usage(cost_usd=0.5, cost_source=CostSource.REPORTED),),
    energy=joules(3),
)


def test_only_the_picked_attempts_count_as_resolved() -> None:
    found = point(record(Pick(task="a", rollout=2), Pick(task="b", rollout=1)))
    assert (1, 2, 0.5, 0) == (found.resolved, found.tasks, found.resolution, found.unpicked)


def test_all_attempts_and_the_picking_are_paid_for() -> None:
    found = point(record(JUDGED, evolve(JUDGED, task="b")))
    assert (2, 5.0, 2.5, 1.0) == (
        found.resolved,
        found.cost.total_usd,
        found.per_resolved_usd,
        found.picking.total_usd,
    )
    (host,) = found.energies
    assert (46.0, 23.0) == (host.total_j, host.per_resolved_j)


def test_a_picking_of_unknown_cost_leaves_the_whole_unknown() -> None:
    found = point(record(evolve(JUDGED, usage=())))
    assert (None, None, None) == (
        found.cost.total_usd,
        found.per_resolved_usd,
        found.on_front,
    )


def test_a_task_without_a_pick_is_not_resolved() -> None:
    found = point(record(Pick(task="a", rollout=None)))
    assert (0, 2) == (found.resolved, found.unpicked)


def test_a_selection_competes_with_solvers_unless_it_is_a_bound() -> None:
    picks = (JUDGED, evolve(JUDGED, task="b"))
    assert True is point(record(*picks)).on_front
    assert False is point(record(*picks, large_usd=0.1)).on_front
    assert None is point(record(*picks, upper_bound=True)).on_front


def test_nobody_is_ranked_without_a_frontier() -> None:
    (found,) = selections(record(JUDGED))
    assert found.on_front is None
