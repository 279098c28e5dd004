"""How sure a figure is: Wilson's interval for shares, a task-clustered bootstrap for ratios."""

import math
from collections.abc import Sequence

from attrs import frozen

from fairtrial.figures.draws import Row, resampled_sums

RESAMPLES = 10_000
"""Bootstrap resamples unless a caller asks for another number."""

SEED = 20260101
"""Seed of the bootstrap unless the run's config names one."""

Z_95 = 1.959963984540054
"""The standard normal's 97.5 % point."""


@frozen(kw_only=True)
class Interval:
    """
    A 95 % interval.

    Attributes:
        low: Its lower end; None where it is unbounded.
        high: Its upper end; None where it is unbounded.
        method: How it was made: `wilson`, `wilson-clustered`, `bootstrap`, `paired-bootstrap`.
    """

    low: float | None
    high: float | None
    method: str


def wilson(successes: int, trials: int, *, effective: float | None = None) -> Interval | None:
    """
    Returns Wilson's score interval of a share (Wilson, 1927); None for no trials.

    Args:
        successes: How many succeeded.
        trials: Of how many.
        effective: How many independent trials they are worth, where they are not independent.
    """
    if trials == 0:
        return None
    size = float(trials) if effective is None else effective
    share = successes / trials
    scale = 1 + Z_95**2 / size
    centre = (share + Z_95**2 / (2 * size)) / scale
    half = Z_95 / scale * math.sqrt(share * (1 - share) / size + Z_95**2 / (4 * size * size))
    return Interval(
        low=0.0 if successes == 0 else max(0.0, centre - half),
        high=1.0 if successes == trials else min(1.0, centre + half),
        method="wilson" if effective is None else "wilson-clustered",
    )


def effective_trials(successes: Sequence[int], rollouts: int) -> float:
    """
    Returns how many independent trials several rollouts a task are worth.

    The trials divided by Kish's design effect 1 + (m − 1)·ρ (Kish, 1965), where ρ is the analysis
    of variance estimate of how alike one task's rollouts are. Rollouts that always agree are
    worth one trial a task.

    Args:
        successes: For each task, how many of its rollouts succeeded.
        rollouts: m, the rollouts of each task.
    """
    tasks = len(successes)
    if rollouts == 1 or tasks <= 1:
        return float(tasks)
    shares = [count / rollouts for count in successes]
    mean = sum(shares) / tasks
    between = rollouts * sum((share - mean) ** 2 for share in shares) / (tasks - 1)
    within = rollouts * sum(share * (1 - share) for share in shares) / (tasks * (rollouts - 1))
    spread = between + (rollouts - 1) * within
    alike = 1.0 if spread == 0 else min(1.0, max(0.0, (between - within) / spread))
    return tasks * rollouts / (1 + (rollouts - 1) * alike)


def quantiles(values: Sequence[float], *, method: str) -> Interval | None:
    """
    Returns the 2.5 % and 97.5 % points of resampled values; an infinite one is unbounded.

    None where there are no values.
    """
    if not values:
        return None
    ordered = sorted(values)
    low = ordered[int(0.025 * len(ordered))]
    high = ordered[max(0, int(0.975 * len(ordered)) - 1)]
    return Interval(low=_finite(low), high=_finite(high), method=method)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def ratio_intervals(
    rows: Sequence[Row], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Interval | None, ...]:
    """
    Returns, for each column but the first, the interval of its sum ÷ the first one's.

    A row is a task, so that all rollouts of a task move together. A resample in which nothing was
    resolved counts as infinite; where that is more than 2.5 % of them, the upper end is unbounded.

    Args:
        rows: For each task: how many trials were resolved, then what they used (joules, dollars).
        resamples: How many resamples to draw.
        seed: Seed of the draw.
    """
    if not rows:
        return ()
    sums = list(resampled_sums(rows, kind=_resolved, resamples=resamples, seed=seed))
    return tuple(
        quantiles(
            [total[column] / total[0] if total[0] > 0 else math.inf for total in sums],
            method="bootstrap",
        )
        for column in range(1, len(rows[0]))
    )


def _resolved(row: Row) -> bool:
    return row[0] > 0
