"""
Best of k: what several attempts at each task bring, and what they cost.

Picking the best attempt needs to know which one is right, so each curve is an upper bound:
`selection` says `oracle`.
"""

import math
from collections.abc import Sequence

from attrs import frozen

from fairtrial.api.record import RunRecord
from fairtrial.figures.energies import Joules, joules_by_boundary
from fairtrial.figures.rates import ratio
from fairtrial.figures.spending import Spending, spending
from fairtrial.figures.tally import Tally, tallies


@frozen(kw_only=True)
class BestOf:
    """
    The first k rollouts of every task.

    Attributes:
        k: How many rollouts.
        resolved: Tasks that any of their first k rollouts resolved.
        tasks: Sound tasks, the denominator.
        resolution: resolved ÷ tasks; None where there are no tasks.
        pass_at_k: The unbiased estimate of the chance that one of k attempts succeeds, averaged
            over the tasks with at least k judged rollouts; None where there are none.
        pass_at_k_tasks: How many tasks that is.
        cost: Dollars of all first k rollouts.
        energies: Joules of all first k rollouts, by boundary.
    """

    k: int
    resolved: int
    tasks: int
    resolution: float | None
    pass_at_k: float | None
    pass_at_k_tasks: int
    cost: Spending
    energies: tuple[Joules, ...]


@frozen(kw_only=True)
class Curve:
    """
    One solver's best-of-k curve.

    Attributes:
        solver: Its name.
        points: k = 1 … rollouts.
        selection: How the best attempt is picked: `oracle`, by the checks themselves.
    """

    solver: str
    points: tuple[BestOf, ...]
    selection: str = "oracle"

    @property
    def flat(self) -> bool:
        """Whether more than one rollout resolved nothing that the first had not."""
        return len(self.points) > 1 and self.points[-1].resolved == self.points[0].resolved


def pass_at_k(rollouts: int, successes: int, k: int) -> float | None:
    """
    Returns the unbiased estimate 1 − C(n − c, k) ÷ C(n, k) (Chen et al., 2021).

    None where there are fewer than k rollouts, since nothing unbiased can be said.
    """
    if rollouts < k:
        return None
    return 1 - math.comb(rollouts - successes, k) / math.comb(rollouts, k)


def until_success(mean: float, share: float, k: int) -> float | None:
    """
    Returns what is expected to be used if a verifier stops at the first success within k.

    mean · (1 − (1 − p)^k) ÷ p; None where p is 0 and nothing would ever stop it but k.

    Args:
        mean: What one attempt uses on average: joules or dollars.
        share: p, the chance that an attempt succeeds.
        k: Most attempts.
    """
    return ratio(mean * (1 - (1 - share) ** k), share)


def curves(record: RunRecord, arms: Sequence[Tally] | None = None) -> tuple[Curve, ...]:
    """
    Returns a curve a solver, control arms included, in the run's order.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
    """
    return tuple(curve(tally) for tally in arms or tallies(record))


def curve(tally: Tally) -> Curve:
    """Returns the curve of one solver's trials."""
    outcomes: dict[str, list[bool]] = {task: [] for task in tally.tasks}
    for trial, outcome in zip(tally.attempted, tally.outcomes, strict=True):
        if outcome is not None:
            outcomes[trial.task].append(outcome)
    judged = [(len(found), sum(found)) for found in outcomes.values()]
    return Curve(
        solver=tally.solver,
        points=tuple(_best_of(k, tally, judged) for k in range(1, tally.rollouts + 1)),
    )


def _best_of(k: int, tally: Tally, judged: Sequence[tuple[int, int]]) -> BestOf:
    pairs = zip(tally.attempted, tally.outcomes, strict=True)
    first = [(trial, outcome) for trial, outcome in pairs if trial.rollout <= k]
    trials, outcomes = [trial for trial, _ in first], [outcome for _, outcome in first]
    resolved = len({trial.task for trial, outcome in first if outcome})
    found = [pass_at_k(rollouts, successes, k) for rollouts, successes in judged]
    chances = [chance for chance in found if chance is not None]
    return BestOf(
        k=k,
        resolved=resolved,
        tasks=len(judged),
        resolution=ratio(resolved, len(judged)),
        pass_at_k=ratio(math.fsum(chances), len(chances)),
        pass_at_k_tasks=len(chances),
        cost=spending(trials),
        energies=joules_by_boundary(trials, outcomes),
    )
