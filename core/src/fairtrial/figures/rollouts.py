"""
Best of k: what several attempts at each task bring, and what they cost.

Picking the best attempt needs to know which one is right, so each curve is an upper bound:
`selection` says `oracle`.

Only attempts that were made enter: a task that was never attempted is in no curve, and k goes as
far as every task of it was attempted.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.reading import Boundary
from fairtrial.api.record import RunRecord
from fairtrial.figures.basis import gross_at, metered
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.groups import Joules, told_apart
from fairtrial.figures.headline import refusal
from fairtrial.figures.rates import DASH, joules, ratio
from fairtrial.figures.spending import Spending, spending
from fairtrial.figures.stopping import Attempt, Habits, Stopping, habits
from fairtrial.figures.tally import Tally, tallies


@frozen(kw_only=True)
class BestOf:
    """
    The first k attempts at every task that was attempted.

    Attributes:
        k: How many attempts.
        resolved: Tasks that any of their first k attempts resolved.
        tasks: Tasks that were attempted, the denominator.
        resolution: resolved ÷ tasks; None where a headline is refused.
        pass_at_k: The unbiased estimate of the chance that one of k attempts succeeds, averaged
            over the tasks with at least k judged attempts; None where there are none, or a
            headline is refused.
        pass_at_k_tasks: How many tasks that is.
        cost: Dollars of all first k attempts.
        energies: Joules of all first k attempts, by boundary; unknown where they are known for a
            whole batch only, and more attempts than these are in it.
        stopping: What is expected where no further attempt is made after a success; None where
            a task's chance of success is not known.
    """

    k: int
    resolved: int
    tasks: int
    resolution: float | None
    pass_at_k: float | None
    pass_at_k_tasks: int
    cost: Spending
    energies: tuple[Joules, ...]
    stopping: Stopping | None


def joules_to_a_success(point: BestOf, *, in_full: bool = False) -> str:
    """
    Returns the joules expected to a success at each boundary, `~` where parts aren't reliable.

    Args:
        point: The first k attempts.
        in_full: Whether to say beside the boundary how they were come by.
    """
    if point.stopping is None:
        return DASH
    groups = {figure.group.boundary: figure.group for figure in point.energies if in_full}
    shaky = {figure.group.boundary for figure in point.energies if not figure.reliable}
    return ("; " if in_full else ", ").join(
        f"{'~' * (boundary in shaky)}{joules(energy_j)} {groups.get(boundary, boundary)}"
        for boundary, energy_j in point.stopping.energy_j.items()
    ) or DASH


@frozen(kw_only=True)
class Curve:
    """
    One solver's best-of-k curve.

    Attributes:
        solver: Its name.
        points: k = 1 …, as far as every task that was attempted has attempts; empty where nothing
            was attempted.
        planned_tasks: Sound tasks, attempted or not.
        rollouts: How far k goes in a run of which all is attempted.
        refusal: Why no share is given, in words; empty where one is.
        selection: How the best attempt is picked: `oracle`, by the checks themselves.
    """

    solver: str
    points: tuple[BestOf, ...]
    planned_tasks: int
    rollouts: int
    refusal: str = ""
    selection: str = "oracle"

    @property
    def flat(self) -> bool:
        """Whether more than one attempt resolved nothing that the first had not."""
        return len(self.points) > 1 and self.points[-1].resolved == self.points[0].resolved


def pass_at_k(rollouts: int, successes: int, k: int) -> float | None:
    """
    Returns the unbiased estimate 1 − C(n − c, k) ÷ C(n, k) (Chen et al., 2021).

    None where there are fewer than k rollouts, since nothing unbiased can be said.
    """
    if rollouts < k:
        return None
    return 1 - math.comb(rollouts - successes, k) / math.comb(rollouts, k)


def curves(record: RunRecord, arms: Sequence[Tally] | None = None) -> tuple[Curve, ...]:
    """
    Returns a curve a solver, control arms included, in the run's order.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
    """
    counted = tallies(record) if arms is None else arms
    gross = gross_at(*(metered(tally.attempted) for tally in counted))
    return _told_apart(
        curve(tally, refusal(tally.counts, record.max_infra_share), gross=gross)
        for tally in counted
    )


def _told_apart(found: Iterable[Curve]) -> tuple[Curve, ...]:
    """Returns the same curves, their joules told apart as those of solvers are."""
    told = list(found)
    apart = iter(told_apart([point.energies for curve in told for point in curve.points]))
    return tuple(
        evolve(
            curve,
            points=tuple(evolve(point, energies=next(apart)) for point in curve.points),
        )
        for curve in told
    )


def curve(tally: Tally, refused: str, *, gross: Mapping[Boundary, str]) -> Curve:
    """
    Returns the curve of one solver's trials.

    Args:
        tally: Its trials.
        refused: Why no share is given; empty where one is.
        gross: At which boundaries joules are taken gross, and why.
    """
    tasks = _attempts(tally)
    depth = min(map(len, tasks), default=0)
    known = habits(tasks, gross=gross)
    return Curve(
        solver=tally.solver,
        points=tuple(
            _best_of(k, tasks, known, refused=refused, gross=gross) for k in range(1, depth + 1)
        ),
        planned_tasks=len(tally.tasks),
        rollouts=tally.rollouts,
        refusal=refused,
    )


def _attempts(tally: Tally) -> list[list[Attempt]]:
    """Returns each attempted task's attempts with their outcomes, in the order of rollouts."""
    found: dict[int, list[Attempt]] = {}
    for place, attempt in zip(
        tally.places, zip(tally.attempted, tally.outcomes, strict=True), strict=True
    ):
        found.setdefault(place, []).append(attempt)
    if tally.rollouts > 1:
        for attempts in found.values():
            attempts.sort(key=lambda attempt: attempt[0].rollout)
    return list(found.values())


def _best_of(
    k: int,
    tasks: Sequence[Sequence[Attempt]],
    known: Habits | None,
    *,
    refused: str,
    gross: Mapping[Boundary, str],
) -> BestOf:
    first = [attempt for attempts in tasks for attempt in attempts[:k]]
    trials, outcomes = [trial for trial, _ in first], [outcome for _, outcome in first]
    resolved = sum(any(outcome for _, outcome in attempts[:k]) for attempts in tasks)
    chances = [chance for attempts in tasks if (chance := _chance(attempts, k)) is not None]
    energies = joules_by_boundary(trials, outcomes, gross=gross)
    if any(len(attempts) > k for attempts in tasks):
        energies = tuple(map(_without_a_batch, energies))
    return BestOf(
        k=k,
        resolved=resolved,
        tasks=len(tasks),
        resolution=None if refused else ratio(resolved, len(tasks)),
        pass_at_k=None if refused else ratio(math.fsum(chances), len(chances)),
        pass_at_k_tasks=len(chances),
        cost=spending(trials),
        energies=energies,
        stopping=None if known is None else known.stopping(k),
    )


def _without_a_batch(figure: Joules) -> Joules:
    """Returns a sum as unknown where it holds a batch's, which later attempts are in, too."""
    if figure.group.granularity != "batch":
        return figure
    unknown = figure.known + figure.unknown
    return evolve(
        figure, known_j=None, low_j=None, high_j=None, known=0, unknown=unknown, resolved=0
    )


def _chance(attempts: Sequence[Attempt], k: int) -> float | None:
    """Returns pass@k of one task, from all its judged attempts."""
    outcomes = [outcome for _, outcome in attempts if outcome is not None]
    return pass_at_k(len(outcomes), sum(outcomes), k)
