"""How many tasks it takes to tell the difference that was seen from noise."""

import math
from statistics import NormalDist

from attrs import frozen

ALPHA = 0.05
"""Chance of taking noise for a difference (two-sided)."""

POWER = 0.8
"""Chance of finding a difference as large as the one seen, if it is real."""


@frozen(kw_only=True)
class Power:
    """
    What the flips seen would take to be told from noise.

    Attributes:
        tasks: Tasks that were judged on both sides.
        needed: Tasks that it takes in all; None where no difference was seen, so that no number
            would do.
        alpha: Chance of taking noise for a difference.
        power: Chance of finding the difference, if it is real.
    """

    tasks: int
    needed: int | None
    alpha: float = ALPHA
    power: float = POWER

    @property
    def more(self) -> int | None:
        """How many tasks are lacking; 0 where there are enough, None where no number would do."""
        return None if self.needed is None else max(0, self.needed - self.tasks)


def power(lost: int, gained: int, tasks: int) -> Power:
    """Works it out for tasks that were judged on both sides, of which some flipped."""
    return Power(tasks=tasks, needed=tasks_needed(lost, gained, tasks))


def tasks_needed(
    lost: int, gained: int, tasks: int, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """
    Returns the number of paired tasks at which McNemar's test finds a difference like this one.

    With shares p and q of the tasks lost and gained, d = p − q and s = p + q:
    n = (z(1 − α/2)·√s + z(power)·√(s − d²))² ÷ d² (Miettinen, Biometrics 24, 1968; Connor,
    Biometrics 43, 1987). The shares are those that were seen, so that from few flips it is a rough
    figure.

    Returns:
        A whole number of tasks; None where as many were lost as gained.
    """
    if lost == gained or tasks <= 0:
        return None
    difference = abs(lost - gained) / tasks
    flipped = (lost + gained) / tasks
    normal = NormalDist()
    spread = normal.inv_cdf(1 - alpha / 2) * math.sqrt(flipped)
    spread += normal.inv_cdf(power) * math.sqrt(max(0.0, flipped - difference**2))
    return math.ceil(spread**2 / difference**2)
