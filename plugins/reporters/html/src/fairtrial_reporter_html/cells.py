"""Figures in words: with their intervals, and the marks that say how far to trust them."""

from collections.abc import Callable

from fairtrial.figures.frontier import CostPoint, EnergyPoint, Point
from fairtrial.figures.groups import Joules, range_of
from fairtrial.figures.intervals import Interval
from fairtrial.figures.rates import DASH, at_least, joules, money, percent, percent_of
from fairtrial.figures.spending import Spending, told_beside
from fairtrial.figures.tally import Counts

Show = Callable[[float | None], str]


def dollars(cost_usd: float | None) -> str:
    """Returns dollars with their sign; `–` where they are not known."""
    return DASH if cost_usd is None else f"${money(cost_usd)}"


def resolved(point: Point) -> str:
    """Returns `67% (2/3)`; no percentage where a headline is refused."""
    counts = point.counts
    share = DASH if point.refusal else percent_of(counts.resolved, counts.planned)
    return f"{share} ({counts.resolved}/{counts.planned})"


def span(interval: Interval | None, show: Show) -> str:
    """Returns `low to high`, an unbounded end said; `–` where there is no interval."""
    if interval is None:
        return DASH
    low = "unbounded" if interval.low is None else show(interval.low)
    high = "unbounded" if interval.high is None else show(interval.high)
    return f"{low} to {high}"


def with_span(words: str, interval: Interval | None, show: Show) -> str:
    """Returns a figure with its interval in brackets, where there is one."""
    return words if interval is None else f"{words} ({span(interval, show)})"


def confidence(point: Point) -> str:
    """Returns the interval of the share resolved."""
    return span(point.interval, percent)


def apart(counts: Counts) -> str:
    """Returns the planned trials that are neither resolved nor failed, by kind."""
    kinds = {
        "infra": counts.infra,
        "unjudged": counts.unjudged,
        "skipped": counts.skipped,
        "unfinished": counts.unfinished,
    }
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "none"


def dollars_per_resolved(cost: CostPoint) -> str:
    """Returns dollars a resolved task, with interval or bound."""
    if cost.lower_bound_usd is not None:
        return f"{DASH} (> {dollars(cost.lower_bound_usd)})"
    return with_span(dollars(cost.per_resolved_usd), cost.interval, dollars)


def total_dollars(spent: Spending) -> str:
    """Returns the sum, `≥` where parts of it are unknown."""
    return at_least(dollars(spent.known_usd), spent.unknown) if spent.known else DASH


def source(spent: Spending) -> str:
    """Returns whose dollars are shown; beside metered ones, what the agent told, and how it differs."""
    if spent.source is None:
        return DASH
    told = told_beside(spent)
    return f"{spent.source} {money(spent.metered_usd)}, {told}" if told else str(spent.source)


def joules_with_unit(energy_j: float | None) -> str:
    """Returns joules with their unit; `–` where they are not known."""
    return DASH if energy_j is None else f"{joules(energy_j)} J"


def joules_per_resolved(energy: EnergyPoint | None, show: Show = joules) -> str:
    """Returns joules a resolved task, with interval, bound, `~` and gaps."""
    if energy is None or energy.joules.known_j is None:
        return DASH
    figure = energy.joules
    mark = "" if figure.reliable else "~"
    if figure.lower_bound_j is not None:
        words = f"{DASH} (> {mark}{show(figure.lower_bound_j)})"
    else:
        words = with_span(f"{mark}{show(figure.per_resolved_j)}", energy.interval, show)
    return f"{words} partial" if figure.partial else words


def total_joules(figure: Joules) -> str:
    """Returns the sum with an estimate's range, `≥` where parts are unknown, `~` where in doubt."""
    if figure.known_j is None:
        return DASH
    mark = "" if figure.reliable else "~"
    return at_least(f"{mark}{joules(figure.known_j)}{range_of(figure)}", figure.unknown)


def front(on_front: bool | None) -> str:
    """Returns whether no other solver is at least as good on both axes; `–` if it isn't ranked."""
    return {True: "yes", False: "no", None: DASH}[on_front]
