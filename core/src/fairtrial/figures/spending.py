"""Dollars: what trials cost, who says so, and what one resolved task came to."""

from collections.abc import Iterable

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.figures.rates import change_of_money, money

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
        difference_usd: What agents told less what was metered, summed over the trials that have
            both; None where none has.
    """

    known_usd: float | None
    known: int
    unknown: int
    source: CostSource | None
    metered_usd: float | None
    reported_usd: float | None
    difference_usd: float | None

    @property
    def total_usd(self) -> float | None:
        """The whole sum; None unless every trial's dollars are known."""
        return None if self.unknown else self.known_usd


def spending(trials: Iterable[Trial]) -> Spending:
    """Sums what trials cost, unknown parts counted and never taken for 0."""
    known: list[float] = []
    metered: list[float] = []
    reported: list[float] = []
    differences: list[float] = []
    sources: set[CostSource] = set()
    unknown = 0
    for trial in trials:
        told = _total(trial.usage)
        shown = trial.usage if trial.metered is None else trial.metered
        cost = told if shown is trial.usage else _total(shown)
        if told is not None:
            reported.append(told)
        if cost is None:
            unknown += 1
            continue
        known.append(cost)
        for usage in shown:
            sources.add(usage.cost_source)
        if trial.metered is not None:
            metered.append(cost)
            differences += [] if told is None else [told - cost]
    return Spending(
        known_usd=sum(known) if known else None,
        known=len(known),
        unknown=unknown,
        source=max(sources, key=_STRENGTH.index, default=None),
        metered_usd=sum(metered) if metered else None,
        reported_usd=sum(reported) if reported else None,
        difference_usd=sum(differences) if differences else None,
    )


def told_beside(spent: Spending) -> str:
    """
    Returns what agents told beside what was metered, and the difference: `told 1.00 (-0.50)`.

    Empty where not both are known.
    """
    if spent.metered_usd is None or spent.reported_usd is None:
        return ""
    text = f"told {money(spent.reported_usd)}"
    if spent.difference_usd is None:
        return text
    return f"{text} ({change_of_money(0.0, spent.difference_usd)})"


def shown_usage(trial: Trial) -> tuple[Usage, ...]:
    """Returns the usage that figures are made of: as metered, else as the agent tells it."""
    return trial.usage if trial.metered is None else trial.metered


def cost_of(trial: Trial) -> float | None:
    """Returns one trial's dollars; None where they are not known."""
    return _total(trial.usage if trial.metered is None else trial.metered)


def cost_source(trial: Trial) -> CostSource | None:
    """Returns where a trial's dollars came from, the weakest of several; None where unknown."""
    if trial.cost_usd is None:
        return None
    return max((usage.cost_source for usage in shown_usage(trial)), key=_STRENGTH.index)


def _total(entries: tuple[Usage, ...]) -> float | None:
    """Returns the dollars of all entries, as `Trial.cost_usd` does, for either of its sources."""
    if len(entries) == 1:
        return entries[0].cost_usd
    total = 0.0
    for usage in entries:
        if usage.cost_usd is None:
            return None
        total += usage.cost_usd
    return total if entries else None
