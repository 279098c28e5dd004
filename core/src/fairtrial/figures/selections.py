"""What picking one of several attempts brings, at its true cost: all attempts, and the picking."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.reading import Boundary
from fairtrial.api.record import Pick, RunRecord, Selection, Trial
from fairtrial.figures.basis import gross_at, metered
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.groups import Group, Joules, told_apart
from fairtrial.figures.headline import refusal
from fairtrial.figures.intervals import Interval, wilson
from fairtrial.figures.pareto import Contender, on_front
from fairtrial.figures.rates import ratio
from fairtrial.figures.spending import Spending, spending
from fairtrial.figures.tally import Tally, tallies


@frozen(kw_only=True)
class Selected:
    """
    One solver with one selector: a point of the frontier.

    Attributes:
        solver: The solver's name.
        selector: The selector's name.
        upper_bound: Whether it looked at what the hidden checks said; no true selector is better.
        rollouts: How many attempts a task it chose from.
        resolved: Tasks whose picked attempt resolved them.
        tasks: Sound tasks, the denominator.
        unpicked: Tasks for which it picked none; they are not resolved.
        resolution: resolved ÷ tasks; None where there are no tasks or a headline is refused.
        interval: The 95 % interval of it.
        cost: Dollars of all attempts, and of the picking.
        per_resolved_usd: All dollars ÷ resolved; None where a part is unknown or none is resolved.
        energies: Joules of the same, by boundary.
        picking: Dollars of the picking alone.
        on_front: Whether, in dollars, neither a solver nor another selection dominates it; None
            where it doesn't compete: an upper bound, a cost that isn't known, or a refusal.
        refusal: Why its solver gets no headline, in words; empty where it does.
    """

    solver: str
    selector: str
    upper_bound: bool
    rollouts: int
    resolved: int
    tasks: int
    unpicked: int
    resolution: float | None
    interval: Interval | None
    cost: Spending
    per_resolved_usd: float | None
    energies: tuple[Joules, ...]
    picking: Spending
    on_front: bool | None = None
    refusal: str = ""


def selections(
    record: RunRecord, arms: Sequence[Tally] | None = None, found: Frontier | None = None
) -> tuple[Selected, ...]:
    """
    Returns a point for each solver × selector, in the record's order.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
        found: The run's frontier, whose solvers they compete with; without it nobody ranks them.
    """
    if not record.selections:
        return ()
    by_solver = {tally.solver: tally for tally in arms or tallies(record)}
    gross = gross_at(metered(_trials(record, by_solver.values())))
    points = _told_apart(
        _selected(selection, by_solver[selection.solver], record.max_infra_share, gross=gross)
        for selection in record.selections
        if selection.solver in by_solver
    )
    return points if found is None else _ranked(points, found)


def joule_groups(points: Iterable[Selected]) -> tuple[Group, ...]:
    """Returns the kinds of joules of selections; more than one don't go into one column."""
    figures = (figure for point in points for figure in point.energies)
    found = dict.fromkeys(figure.group for figure in figures if figure.known)
    return tuple(sorted(found, key=lambda group: list(Boundary).index(group.boundary)))


def _told_apart(points: Iterable[Selected]) -> tuple[Selected, ...]:
    found = tuple(points)
    apart = told_apart([point.energies for point in found])
    return tuple(
        evolve(point, energies=energies) for point, energies in zip(found, apart, strict=True)
    )


def _trials(record: RunRecord, arms: Iterable[Tally]) -> Iterator[Trial]:
    """Yields all whose joules may stand in one table."""
    for tally in arms:
        yield from tally.attempted
    for selection in record.selections:
        yield from (as_trial(pick, selection.solver) for pick in selection.picks)


def _ranked(points: Sequence[Selected], found: Frontier) -> tuple[Selected, ...]:
    solvers = [
        Contender(resolution=point.resolution, price=point.cost.per_resolved_usd)
        for point in found.points
        if point.competes
        and point.resolution is not None
        and point.cost.spending.total_usd is not None
    ]
    own = {
        place: Contender(resolution=point.resolution, price=point.per_resolved_usd)
        for place, point in enumerate(points)
        if not point.upper_bound
        and point.resolution is not None
        and point.cost.total_usd is not None
    }
    fronts = dict(zip(own, on_front([*own.values(), *solvers]), strict=False))
    return tuple(evolve(point, on_front=fronts.get(place)) for place, point in enumerate(points))


def as_trial(pick: Pick, solver: str) -> Trial:
    """Returns what a pick used as one more trial, so that it is summed like any other."""
    return Trial(
        task=pick.task,
        digest="",
        family=pick.task,
        solver=solver,
        ending=Ending.FINISHED,
        wall_s=pick.wall_s,
        usage=pick.usage,
        metered=pick.metered,
        energy=pick.energy,
    )


def _selected(
    selection: Selection, tally: Tally, max_infra_share: float, *, gross: Mapping[Boundary, str]
) -> Selected:
    refused = refusal(tally.counts, max_infra_share)
    sound = set(tally.tasks)
    picks = {pick.task: pick for pick in selection.picks if pick.task in sound}
    right = [_is_right(trial, picks) for trial in tally.attempted]
    hits = [hit and bool(outcome) for hit, outcome in zip(right, tally.outcomes, strict=True)]
    resolved = sum(hits)
    # What was only looked up in the record has used nothing that a meter or a bill could tell.
    paid = [as_trial(pick, selection.solver) for pick in picks.values() if pick.consulted]
    metered = [as_trial(pick, selection.solver) for pick in picks.values() if pick.energy]
    cost = spending((*tally.attempted, *paid))
    return Selected(
        solver=selection.solver,
        selector=selection.selector,
        upper_bound=selection.upper_bound,
        rollouts=tally.rollouts,
        resolved=resolved,
        tasks=len(sound),
        unpicked=sum(task not in picks or picks[task].rollout is None for task in sound),
        resolution=None if refused else ratio(resolved, len(sound)),
        interval=None if refused else wilson(resolved, len(sound)),
        cost=cost,
        per_resolved_usd=None if cost.total_usd is None else ratio(cost.total_usd, resolved),
        energies=joules_by_boundary(
            (*tally.attempted, *metered), (*hits, *(None for _ in metered)), gross=gross
        ),
        picking=spending(paid),
        refusal=refused,
    )


def _is_right(trial: Trial, picks: dict[str, Pick]) -> bool:
    pick = picks.get(trial.task)
    return pick is not None and pick.rollout == trial.rollout
