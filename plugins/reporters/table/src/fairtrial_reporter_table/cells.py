"""What stands in a cell: a figure, its interval, and the mark that says how far to trust it."""

from collections.abc import Callable

from fairtrial.figures.frontier import CostPoint, EnergyPoint, Point
from fairtrial.figures.groups import Joules, range_of
from fairtrial.figures.intervals import Interval
from fairtrial.figures.rates import DASH, at_least, joules, money, percent, percent_of
from fairtrial.figures.spending import Spending, told_beside
from fairtrial.figures.tally import Counts


def resolved(point: Point) -> str:
    """Returns `67% (2/3)`; no percentage where a headline is refused."""
    counts = point.counts
    share = DASH if point.refusal else percent_of(counts.resolved, counts.planned)
    return f"{share} ({counts.resolved}/{counts.planned})"


def span(interval: Interval | None, show: Callable[[float | None], str]) -> str:
    """Returns `low–high`, an unbounded end said; `–` where there is no interval."""
    if interval is None:
        return DASH
    low = "unbounded" if interval.low is None else show(interval.low)
    high = "unbounded" if interval.high is None else show(interval.high)
    return f"{low} to {high}"


def with_span(text: str, interval: Interval | None, show: Callable[[float | None], str]) -> str:
    """Returns a figure with its interval in brackets, where there is one."""
    return text if interval is None else f"{text} ({span(interval, show)})"


def apart(counts: Counts) -> str:
    """Returns the planned trials that are neither resolved nor failed, by kind."""
    kinds = {
        "infra": counts.infra,
        "unjudged": counts.unjudged,
        "skipped": counts.skipped,
        "unfinished": counts.unfinished,
    }
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "none"


def joules_per_resolved(energy: EnergyPoint | None) -> str:
    """Returns joules a resolved task, with interval, bound, `~` and gaps."""
    if energy is None or energy.joules.known_j is None:
        return DASH
    figure = energy.joules
    mark = "" if figure.reliable else "~"
    if figure.lower_bound_j is not None:
        text = f"{DASH} (> {mark}{joules(figure.lower_bound_j)})"
    else:
        text = with_span(f"{mark}{joules(figure.per_resolved_j)}", energy.interval, joules)
    return f"{text} partial" if figure.partial else text


def total_joules(figure: Joules | None) -> str:
    """Returns the sum with an estimate's range, `≥` where parts are unknown, `~` where in doubt."""
    if figure is None or figure.known_j is None:
        return DASH
    mark = "" if figure.reliable else "~"
    return at_least(f"{mark}{joules(figure.known_j)}{range_of(figure)}", figure.unknown)


def dollars_per_resolved(cost: CostPoint) -> str:
    """Returns dollars a resolved task, with interval or bound."""
    if cost.lower_bound_usd is not None:
        return f"{DASH} (> {money(cost.lower_bound_usd)})"
    return with_span(money(cost.per_resolved_usd), cost.interval, money)


def total_dollars(spent: Spending) -> str:
    """Returns the sum, `≥` where parts of it are unknown."""
    if spent.known_usd is None:
        return DASH
    return at_least(money(spent.known_usd), spent.unknown)


def cost_source(spent: Spending) -> str:
    """Returns whose dollars are shown, and beside metered ones what the agent told, and how it differs."""
    if spent.source is None:
        return DASH
    told = told_beside(spent)
    return f"{spent.source} {money(spent.metered_usd)}, {told}" if told else str(spent.source)


def fronts(point: Point, energy: EnergyPoint | None) -> str:
    """Returns the axes on which no other solver dominates: `J`, `$`, both, `no`, or `–`."""
    marks = {"J": energy.on_front if energy else None, "$": point.cost.on_front}
    if all(mark is None for mark in marks.values()):
        return DASH
    return " ".join(axis for axis, mark in marks.items() if mark) or "no"


def confidence(point: Point) -> str:
    """Returns the interval of the share resolved."""
    return span(point.interval, percent)
