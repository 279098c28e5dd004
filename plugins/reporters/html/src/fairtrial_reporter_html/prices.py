"""What a solver paid, of one kind: where it stands in that kind's plot, or why it stands in none."""

from collections.abc import Iterator, Sequence

from attrs import frozen
from fairtrial.figures.frontier import CostPoint, EnergyPoint, Frontier, Point, joule_whys
from fairtrial.figures.groups import Group
from fairtrial.figures.rates import DASH

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.dots import Span, span
from fairtrial_reporter_html.scales import drawable

APART = (
    "Joules of different boundary, label, granularity, coverage or method can't be ranked"
    " together, so each kind has its own plot."
)
"""Said above plots of several kinds of joules."""


@frozen(kw_only=True)
class Price:
    """
    What one solver paid a resolved task.

    Attributes:
        point: The solver.
        at: The value with its interval; None where there is none to draw.
        shown: The same in words, below a heading that names its unit.
        told: The same in words with its unit.
        total: What it paid in all.
        on_front: Whether no other solver beats it; None where it isn't ranked.
        mark: `~` or `partial`, where it isn't ranked for that; else empty.
        why_none: Why it can't be drawn, in words; empty where it can.
    """

    point: Point
    at: Span | None
    shown: str
    told: str
    total: str
    on_front: bool | None
    mark: str = ""
    why_none: str = ""


def dollar_prices(points: Sequence[Point]) -> list[Price]:
    """Returns each solver's dollars a resolved task."""
    return [
        Price(
            point=point,
            at=_drawn(point, point.cost.per_resolved_usd, point.cost),
            shown=cells.dollars_per_resolved(point.cost),
            told=cells.dollars_per_resolved(point.cost),
            total=cells.total_dollars(point.cost.spending),
            on_front=point.cost.on_front,
            why_none=_why_no_dollars(point),
        )
        for point in points
    ]


def joule_prices(found: Frontier, group: Group) -> list[Price]:
    """Returns each solver's joules a resolved task, of one group alone."""
    return [_joules(found, point, group) for point in found.points]


def _joules(found: Frontier, point: Point, group: Group) -> Price:
    energy = _of_group(point, group)
    figure = None if energy is None else energy.joules
    return Price(
        point=point,
        at=None if figure is None else _drawn(point, figure.per_resolved_j, energy),
        shown=cells.joules_per_resolved(energy),
        told=cells.joules_per_resolved(energy, cells.joules_with_unit),
        total=DASH if figure is None else cells.total_joules(figure),
        on_front=None if energy is None else energy.on_front,
        mark="" if figure is None else _mark(reliable=figure.reliable, partial=figure.partial),
        why_none=_why_no_joules(found, point, energy),
    )


def _of_group(point: Point, group: Group) -> EnergyPoint | None:
    return next(
        (
            energy
            for energy in point.energies
            if energy.joules.group == group and energy.joules.known_j is not None
        ),
        None,
    )


def _mark(*, reliable: bool, partial: bool) -> str:
    return " ".join(word for word, said in (("~", not reliable), ("partial", partial)) if said)


def _drawn(
    point: Point, value: float | None, source: CostPoint | EnergyPoint | None
) -> Span | None:
    if value is None or source is None or point.resolution is None or not drawable(value):
        return None
    return span(value, source.interval)


def _why_no_dollars(point: Point) -> str:
    cost, spent = point.cost, point.cost.spending
    attempts = spent.known + spent.unknown
    shared = _why_none(point, attempts)
    if shared:
        return shared
    if not spent.known:
        return "dollars not known"
    if not point.counts.resolved:
        return _resolved_nothing(
            "" if cost.lower_bound_usd is None else cells.dollars(cost.lower_bound_usd)
        )
    if spent.unknown:
        return (
            f"dollars of {spent.unknown} of {attempts} attempts not known"
            f" ({cells.total_dollars(spent)} in all)"
        )
    return _off_the_axis(cost.per_resolved_usd)


def _why_no_joules(found: Frontier, point: Point, energy: EnergyPoint | None) -> str:
    if energy is None:
        return _why_none(point, 1) or _elsewhere(found, point)
    figure = energy.joules
    shared = _why_none(point, figure.known + figure.unknown)
    if shared:
        return shared
    if figure.per_resolved_j is None:
        bound = figure.lower_bound_j
        return _resolved_nothing("" if bound is None else cells.joules_with_unit(bound))
    return _off_the_axis(figure.per_resolved_j)


def _why_none(point: Point, attempts: int) -> str:
    if point.refusal:
        return point.refusal
    if point.resolution is None:
        return "nothing planned"
    return "" if attempts else "attempted nothing"


def _resolved_nothing(bound: str) -> str:
    said = f", so that one resolved task takes more than {bound} (95 %)" if bound else ""
    return f"resolved nothing{said}"


def _off_the_axis(value: float | None) -> str:
    return "" if drawable(value) else "a figure too large or too small to draw"


def _elsewhere(found: Frontier, point: Point) -> str:
    others = [str(group) for group in _groups(found, point)]
    if others:
        return f"joules of another kind ({'; '.join(others)})"
    whys = joule_whys(point)
    return f"joules not known{': ' * bool(whys)}{next(iter(whys), '')}"


def _groups(found: Frontier, point: Point) -> Iterator[Group]:
    return (group for group, solvers in found.groups.items() if point.solver in solvers)
