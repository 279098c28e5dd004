"""Dollars: what trials cost, who says so, and what one resolved task came to."""

from collections.abc import Iterable

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.api.usage import CostSource, Usage

_STRENGTH = tuple(CostSource)


@frozen(kw_only=True)
class Spending:
    """
    Dollars of some trials.

    Attributes:
        known_usd: The sum of what is known; None where nothing is.
        known: How many trials it holds.
        unknown: How many trials' dollars are not known.
        source: Where the figures came from, the weakest of them; None where nothing is known.
        metered_usd: The sum over the trials that a gateway metered; None where none was.
        reported_usd: The sum over the trials whose agent told its dollars, also where a gateway
            metered them too; None where none did.
    """

    known_usd: float | None
    known: int
    unknown: int
    source: CostSource | None
    metered_usd: float | None
    reported_usd: float | None

    @property
    def total_usd(self) -> float | None:
        """The whole sum; None unless every trial's dollars are known."""
        return None if self.unknown else self.known_usd


def spending(trials: Iterable[Trial]) -> Spending:
    """Sums what trials cost, unknown parts counted and never taken for 0."""
    known: list[float] = []
    metered: list[float] = []
    reported: list[float] = []
    weakest, unknown = -1, 0
    for trial in trials:
        cost = trial.cost_usd
        if cost is None:
            unknown += 1
        else:
            known.append(cost)
            weakest = max(weakest, _weakest(shown_usage(trial)))
            if trial.metered is not None:
                metered.append(cost)
        told = _told(trial.usage)
        if told is not None:
            reported.append(told)
    return Spending(
        known_usd=sum(known) if known else None,
        known=len(known),
        unknown=unknown,
        source=_STRENGTH[weakest] if known else None,
        metered_usd=sum(metered) if metered else None,
        reported_usd=sum(reported) if reported else None,
    )


def shown_usage(trial: Trial) -> tuple[Usage, ...]:
    """Returns the usage that figures are made of: as metered, else as the agent tells it."""
    return trial.usage if trial.metered is None else trial.metered


def cost_source(trial: Trial) -> CostSource | None:
    """Returns where a trial's dollars came from, the weakest of several; None where unknown."""
    if trial.cost_usd is None:
        return None
    return _STRENGTH[_weakest(shown_usage(trial))]


def _weakest(entries: tuple[Usage, ...]) -> int:
    return max(_STRENGTH.index(usage.cost_source) for usage in entries)


def _told(entries: tuple[Usage, ...]) -> float | None:
    costs = [usage.cost_usd for usage in entries]
    if not costs or None in costs:
        return None
    return sum(cost for cost in costs if cost is not None)
