"""The section of frontiers: a plot a kind of price, and its figures behind it."""

from collections.abc import Mapping, Sequence
from itertools import repeat

from fairtrial.figures.frontier import Frontier, Point
from fairtrial.figures.groups import Group
from fairtrial.figures.rates import percent

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.dots import Dot, span
from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    behind,
    element,
    join,
    name,
    paragraph,
    table,
    text,
    told_together,
)
from fairtrial_reporter_html.prices import APART, Price, dollar_prices, joule_prices
from fairtrial_reporter_html.scatter import scatter
from fairtrial_reporter_html.shapes import Look
from fairtrial_reporter_html.solvers import CELL_LIMIT, WHY_LIMIT


def frontier_plots(key: str, found: Frontier, look: Mapping[str, Look]) -> Html:
    """
    Returns one plot for dollars, and one for each group of joules; empty without a solver.

    Args:
        key: What the ids of the plots begin with.
        found: The frontier.
        look: How each solver is drawn.
    """
    if not any(point.competes for point in found.points):
        return NOTHING
    plots = [_dollars(f"{key}-usd", found.points, look)]
    plots += [
        _joules(f"{key}-j{place}", found, group, look) for place, group in enumerate(found.groups)
    ]
    note = NOTHING
    if found.mixed:
        note = paragraph(text(APART))
    return join((note, element("div", *plots, class_="pair")))


def _dollars(key: str, points: Sequence[Point], look: Mapping[str, Look]) -> Html:
    prices = dollar_prices(points)
    if all(not point.cost.spending.known for point in points):
        return paragraph(text("No dollars are known, so there is no plot of them."), kind="note")
    sources = dict.fromkeys(
        str(point.cost.spending.source) for point in points if point.cost.spending.source
    )
    return _plot(key, prices, look, of="dollars", kind=", ".join(sources))


def _joules(key: str, found: Frontier, group: Group, look: Mapping[str, Look]) -> Html:
    return _plot(
        key,
        joule_prices(found, group),
        look,
        of="joules",
        kind=str(group),
        note=_OF_ESTIMATES * any(map(_has_range, found.points, repeat(group))),
    )


_OF_ESTIMATES = (
    "The bars tell how much tasks differ, not how far the estimate may be off: its range, from the"
    " lowest to the highest method, stands with the figures."
)


def _has_range(point: Point, group: Group) -> bool:
    return any(
        energy.joules.group == group and energy.joules.low_j is not None
        for energy in point.energies
    )


def _plot(
    key: str,
    prices: Sequence[Price],
    look: Mapping[str, Look],
    *,
    of: str,
    kind: str,
    note: str = "",
) -> Html:
    price, heading = f"{of.capitalize()} a resolved task", f"Resolution against {of} ({kind})"
    found = (_dot(price, look) for price in prices if price.at or price.point.control)
    dots = [dot for dot in found if dot is not None]
    drawn, said = NOTHING, [*_left_out(prices)]
    if any(dot.price is not None for dot in dots):
        placing = scatter(key, dots, title=heading, price=price, unit="$" * (of == "dollars"))
        drawn = placing.svg
        said += [(who, "no room for its name in the plot") for who in placing.nameless]
    else:
        drawn = paragraph(text("No solver has a figure that could be drawn."), kind="note")
    return element(
        "figure",
        element("figcaption", element("h3", text(heading))),
        drawn,
        told_together(said, limit=WHY_LIMIT, kind="note"),
        paragraph(text(note), kind="note") if note else NOTHING,
        behind("Figures of this plot", _figures(f"{price} ({kind})", prices)),
    )


def _dot(price: Price, look: Mapping[str, Look]) -> Dot | None:
    point = price.point
    if point.resolution is None:
        return None
    marks = f" ({price.mark})" if price.mark == "partial" else ""
    label = f"{'~' if '~' in price.mark else ''}{point.solver}{marks}"
    told = f"{point.solver}: {cells.resolved(point)}, 95 % {cells.confidence(point)}"
    return Dot(
        name=point.solver if point.control else label,
        look=look[point.solver],
        price=None if point.control else price.at,
        share=span(point.resolution, point.interval),
        front=bool(price.on_front),
        weak=bool(price.mark),
        told=f"{told}; {price.told} a resolved task" + "; on the front" * bool(price.on_front),
    )


def _left_out(prices: Sequence[Price]) -> list[tuple[str, str]]:
    """Returns the solvers that aren't drawn, with the reason."""
    return [
        (price.point.solver, f"not drawn; {price.why_none}")
        for price in prices
        if price.at is None and not price.point.control and price.why_none
    ]


def _figures(title: str, prices: Sequence[Price]) -> Html:
    rows = [
        [
            name(price.point.solver, limit=CELL_LIMIT),
            text(percent(price.point.resolution)),
            text(cells.confidence(price.point)),
            text(price.shown),
            text(price.total),
            text(cells.front(price.on_front)),
        ]
        for price in prices
    ]
    headings = ["Solver", "Resolved", "95 %", "A resolved task", "In all", "Front"]
    return table(title, headings, rows, right="lrrrrl")
