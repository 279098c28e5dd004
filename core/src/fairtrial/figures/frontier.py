"""The frontier: one point a solver, with what it resolved and what that took."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.record import RunRecord
from fairtrial.figures.basis import Metered, gross_at, metered
from fairtrial.figures.energies import sums
from fairtrial.figures.groups import Group, Joules, by_group, lower_bound, told_apart
from fairtrial.figures.headline import refusal
from fairtrial.figures.intervals import (
    RESAMPLES,
    SEED,
    Interval,
    effective_trials,
    ratio_intervals,
    wilson,
)
from fairtrial.figures.pareto import Contender, on_front
from fairtrial.figures.rates import median, ratio
from fairtrial.figures.spending import Spending, cost_of, spending
from fairtrial.figures.tally import Apart, Counts, Tally, tallies, tasks_apart

_MOST_WHYS = 5
"""Most reasons that are told of a solver's joules."""


@frozen(kw_only=True)
class EnergyPoint:
    """
    A solver's joules at one boundary.

    Attributes:
        joules: Their sum, with label, gaps and joules a resolved task.
        interval: The 95 % interval of joules a resolved task; None where it can't be made, or a
            headline is refused.
        on_front: Whether it resolved something and no solver of the same group dominates it; None
            where it doesn't compete.
    """

    joules: Joules
    interval: Interval | None = None
    on_front: bool | None = None


@frozen(kw_only=True)
class CostPoint:
    """
    A solver's dollars.

    Attributes:
        spending: Their sum, with source and gaps.
        per_resolved_usd: All dollars ÷ resolved; None where nothing was resolved or a part is
            unknown.
        lower_bound_usd: The 95 % lower bound of it, where nothing was resolved; else None.
        interval: The 95 % interval of it; None where it can't be made, or a headline is refused.
        on_front: Whether it resolved something and no solver dominates it; None where it doesn't
            compete.
    """

    spending: Spending
    per_resolved_usd: float | None = None
    lower_bound_usd: float | None = None
    interval: Interval | None = None
    on_front: bool | None = None


@frozen(kw_only=True)
class Point:
    """
    One solver.

    Attributes:
        solver: Its name in the config.
        control: Whether it is a control arm: shown, but not competing.
        counts: What became of its planned trials.
        resolution: Resolved ÷ planned; None where nothing was planned or a headline is refused.
        interval: The 95 % interval of it.
        refusal: Why no headline is given, in words; empty where one is.
        energies: Joules, one entry a boundary; empty where nothing was metered.
        cost: Dollars.
        median_wall_s: Median seconds of the attempts; None where none is known.
    """

    solver: str
    control: bool
    counts: Counts
    resolution: float | None
    interval: Interval | None
    refusal: str = ""
    energies: tuple[EnergyPoint, ...] = ()
    cost: CostPoint
    median_wall_s: float | None

    @property
    def competes(self) -> bool:
        """Whether it is ranked among the others."""
        return not self.control and self.resolution is not None


@frozen(kw_only=True)
class Frontier:
    """
    All solvers of a run.

    Attributes:
        points: One a solver, in the run's order.
        groups: Which solvers have joules in which group; more than one group means that the
            joules of the run can't be ranked in one table.
        apart: Tasks that are in no denominator, with the reasons.
    """

    points: tuple[Point, ...]
    groups: Mapping[Group, tuple[str, ...]]
    apart: tuple[Apart, ...] = ()

    @property
    def mixed(self) -> bool:
        """Whether joules of different kinds (see `Group`) stand side by side."""
        return len(self.groups) > 1


def joule_whys(point: Point) -> tuple[str, ...]:
    """Returns the first few reasons why joules are unknown or not reliable, each once."""
    whys = dict.fromkeys(why for energy in point.energies for why in energy.joules.whys)
    return tuple(whys)[:_MOST_WHYS]


def seed_of(record: RunRecord) -> int:
    """Returns the bootstrap's seed that the run's config names, else the default one."""
    run = record.config.get("run")
    seed = run.get("seed") if isinstance(run, Mapping) else None
    return seed if isinstance(seed, int) else SEED


def frontier(
    record: RunRecord,
    *,
    resamples: int = RESAMPLES,
    arms: Sequence[Tally] | None = None,
) -> Frontier:
    """
    Makes the frontier of a run.

    Args:
        record: The run.
        resamples: Bootstrap resamples behind each interval.
        arms: The run's tallies, where they are already made.
    """
    counted = tuple(arms or tallies(record))
    used = _used(counted)
    points = [
        _point(tally, record.max_infra_share, own, resamples=resamples, seed=seed_of(record))
        for tally, own in zip(counted, used, strict=True)
    ]
    ranked = _with_cost_front(_with_energy_fronts(points))
    return Frontier(
        points=tuple(ranked),
        groups=by_group(
            {
                point.solver: [
                    energy.joules.group
                    for energy in point.energies
                    if energy.joules.known_j is not None
                ]
                for point in points
            }
        ),
        apart=tasks_apart(record),
    )


@frozen
class _Used:
    metered: Metered
    energies: tuple[Joules, ...]


def _used(arms: Sequence[Tally]) -> list[_Used]:
    """Sums each solver's joules; all of one boundary are of one basis."""
    found = [metered(tally.attempted) for tally in arms]
    gross = gross_at(*found)
    energies = [
        sums(each, tally.outcomes, tasks=_tried(tally), gross=gross)
        for each, tally in zip(found, arms, strict=True)
    ]
    return list(map(_Used, found, told_apart(energies)))


def _point(
    tally: Tally,
    max_infra_share: float,
    used: _Used,
    *,
    resamples: int,
    seed: int,
) -> Point:
    counts = tally.counts
    why_none = refusal(counts, max_infra_share)
    resolved = tally.resolved_by_task()
    effective = None if tally.rollouts == 1 else effective_trials(resolved, tally.rollouts)
    walls = [trial.wall_s for trial in tally.attempted if trial.wall_s is not None]
    cost = spending(tally.attempted)
    # Drawn from tasks of which many were not tried, an interval would tell of those.
    sizes = {} if why_none else _sizes(tally, used, cost)
    columns = {"resolved": list(map(float, resolved)), **sizes}
    intervals = _intervals(columns, resamples=resamples, seed=seed)
    return Point(
        solver=tally.solver,
        control=tally.control,
        counts=counts,
        resolution=None if why_none else ratio(counts.resolved, counts.planned),
        interval=None
        if why_none
        else wilson(counts.resolved, counts.planned, effective=effective),
        refusal=why_none,
        energies=tuple(
            EnergyPoint(joules=part, interval=intervals.get(part.group.boundary))
            for part in used.energies
        ),
        cost=_cost_point(cost, tally, intervals.get("cost")),
        median_wall_s=median(walls),
    )


def _sizes(tally: Tally, used: _Used, cost: Spending) -> Mapping[str, Sequence[float]]:
    """Returns what each task took, for all figures whose parts are all known."""
    sizes: dict[str, Sequence[float]] = {
        part.group.boundary: tally.by_task(
            used.metered.joules(part.group.boundary, part.group.basis)
        )
        for part in used.energies
        if part.total_j is not None and part.group.granularity == "trial"
    }
    if cost.total_usd is not None:
        sizes["cost"] = tally.by_task(map(cost_of, tally.attempted))
    return sizes


def _intervals(
    columns: Mapping[str, Sequence[float]], *, resamples: int, seed: int
) -> Mapping[str, Interval | None]:
    """Draws tasks once for the ratio of every column to the first one."""
    resolved, *sizes = columns
    if not sizes or not any(columns[resolved]):
        return {}
    rows = list(zip(*columns.values(), strict=True))
    return dict(zip(sizes, ratio_intervals(rows, resamples=resamples, seed=seed), strict=True))


def _tried(tally: Tally) -> int:
    """Returns how many tasks were attempted."""
    return len({trial.task for trial in tally.attempted})


def _cost_point(cost: Spending, tally: Tally, interval: Interval | None) -> CostPoint:
    total, resolved = cost.total_usd, tally.counts.resolved
    return CostPoint(
        spending=cost,
        per_resolved_usd=None if total is None else ratio(total, resolved),
        lower_bound_usd=None if resolved else lower_bound(total, cost.known, _tried(tally)),
        interval=interval,
    )


def _with_energy_fronts(points: Sequence[Point]) -> list[Point]:
    """Marks, in each group, the points that no other one dominates."""
    rivals: dict[Group, list[tuple[int, Contender]]] = {}
    for index, point in enumerate(points):
        for energy in point.energies:
            if point.resolution is not None and point.competes and _ranks(energy.joules):
                contender = Contender(
                    resolution=point.resolution, price=energy.joules.per_resolved_j
                )
                rivals.setdefault(energy.joules.group, []).append((index, contender))
    verdicts: dict[tuple[int, Group], bool] = {}
    for group, members in rivals.items():
        fronts = on_front([contender for _, contender in members])
        for (index, _), front in zip(members, fronts, strict=True):
            verdicts[index, group] = front
    return [
        evolve(
            point,
            energies=tuple(
                evolve(energy, on_front=verdicts.get((index, energy.joules.group)))
                for energy in point.energies
            ),
        )
        for index, point in enumerate(points)
    ]


def _ranks(figure: Joules) -> bool:
    """Whether a figure may be ranked: all of it known, and none of it below a meter's floor."""
    return figure.total_j is not None and figure.reliable


def _with_cost_front(points: Sequence[Point]) -> list[Point]:
    rivals = {
        index: Contender(resolution=point.resolution, price=point.cost.per_resolved_usd)
        for index, point in enumerate(points)
        if point.resolution is not None
        and point.competes
        and point.cost.spending.total_usd is not None
    }
    fronts = dict(zip(rivals, on_front(list(rivals.values())), strict=True))
    return [
        evolve(point, cost=evolve(point.cost, on_front=fronts.get(index)))
        for index, point in enumerate(points)
    ]
