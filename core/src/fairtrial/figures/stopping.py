"""
Stopping at the first success: what up to k attempts at each task are then expected to use.

It takes a verifier that is never wrong, as the checks themselves are taken to be.
"""

import math
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from fairtrial.api.reading import Boundary
from fairtrial.api.record import Trial
from fairtrial.figures.basis import Basis, Metered, metered
from fairtrial.figures.spending import cost_of

Attempt = tuple[Trial, bool | None]
"""A trial that ran to an end of its own, and whether it resolved its task."""


@frozen(kw_only=True)
class Stopping:
    """
    What all tasks together are expected to use.

    Attributes:
        cost_usd: Dollars; None where any attempt's are unknown.
        energy_j: Joules at each boundary at which every attempt's are known.
    """

    cost_usd: float | None
    energy_j: Mapping[Boundary, float]


@frozen(kw_only=True)
class Habits:
    """
    What one solver uses in an attempt, and how often it succeeds: means over a task's attempts.

    Attributes:
        shares: Each task's chance of success.
        cost_usd: Each task's dollars an attempt; None where any are unknown.
        energy_j: Each task's joules an attempt, by boundary.
    """

    shares: tuple[float, ...]
    cost_usd: tuple[float, ...] | None
    energy_j: Mapping[Boundary, tuple[float, ...]]

    def stopping(self, k: int) -> Stopping:
        """Returns what is expected within k attempts at each task."""
        return Stopping(
            cost_usd=None if self.cost_usd is None else self._expected(self.cost_usd, k),
            energy_j={
                boundary: self._expected(means, k) for boundary, means in self.energy_j.items()
            },
        )

    def _expected(self, means: Sequence[float], k: int) -> float:
        return sum(
            until_success(mean, share, k) for mean, share in zip(means, self.shares, strict=True)
        )


def until_success(mean: float, share: float, k: int) -> float:
    """
    Returns what is expected to be used if a verifier stops at the first success within k.

    mean · (1 − (1 − p)^k) ÷ p, which is mean · k where p is 0 and nothing stops it but k.

    Args:
        mean: What one attempt uses on average: joules or dollars.
        share: p, the chance that an attempt succeeds.
        k: Most attempts.
    """
    return mean * (1 - (1 - share) ** k) / share if share else mean * k


def habits(tasks: Sequence[Sequence[Attempt]], *, gross: Collection[Boundary]) -> Habits | None:
    """
    Returns a solver's habits; None where a task has no attempt that was judged.

    Args:
        tasks: The attempts at each task.
        gross: At which boundaries joules are taken gross.
    """
    judged = [[attempt for attempt in attempts if attempt[1] is not None] for attempts in tasks]
    if not judged or not all(judged):
        return None
    trials = [[trial for trial, _ in attempts] for attempts in judged]
    by_task = [metered(task) for task in trials]
    energies = {
        boundary: _means([task.joules(boundary, basis) for task in by_task])
        for boundary, basis in _bases(by_task[0], gross).items()
    }
    return Habits(
        shares=tuple(
            sum(bool(outcome) for _, outcome in attempts) / len(attempts) for attempts in judged
        ),
        cost_usd=_means([[cost_of(trial) for trial in task] for task in trials]),
        energy_j={boundary: means for boundary, means in energies.items() if means is not None},
    )


def _bases(first: Metered, gross: Collection[Boundary]) -> Mapping[Boundary, Basis]:
    return {
        boundary: Basis.GROSS if boundary in gross else Basis.NET for boundary in first.columns
    }


def _means(tasks: Sequence[Sequence[float | None]]) -> tuple[float, ...] | None:
    found = []
    for amounts in tasks:
        known = [amount for amount in amounts if amount is not None and math.isfinite(amount)]
        if len(known) < len(amounts):
            return None
        found.append(sum(known) / len(known))
    return tuple(found)
