"""The table of solvers: what each resolved, and what that took."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from attrs import frozen
from fairtrial.figures.frontier import Frontier, Point, joule_whys
from fairtrial.figures.rates import DASH, seconds

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.markup import (
    Html,
    join,
    name,
    paragraph,
    table,
    text,
    told_together,
)
from fairtrial_reporter_html.prices import dollar_prices, joule_prices
from fairtrial_reporter_html.shapes import Look, swatch

CELL_LIMIT = 60
"""Most characters of a name in a cell."""

WHY_LIMIT = 240
"""Most characters of a reason."""


@frozen
class _Column:
    heading: str
    side: str
    cells: tuple[Html, ...]


def solvers_table(found: Frontier, look: Mapping[str, Look]) -> Html:
    """Returns one row a solver; joules only where all are of one kind, since kinds don't mix."""
    points = found.points
    if not points:
        return paragraph(text("No solver was run."))
    costs = dollar_prices(points)
    sources = dict.fromkeys(cells.source(point.cost.spending) for point in points)
    sources.pop(DASH, None)
    group = None if found.mixed else next(iter(found.groups), None)
    joules = [] if group is None else joule_prices(found, group)
    columns = [
        _Column("Solver", "l", tuple(_solver(point, look) for point in points)),
        _column("Resolved", points, cells.resolved),
        _column("95 %", points, cells.confidence),
        _column("Not judged", points, lambda point: cells.apart(point.counts), side="l"),
        _column("$/resolved", costs, lambda price: price.shown),
        _column("Total $", costs, lambda price: price.total),
    ]
    if len(sources) > 1:
        columns.append(
            _column("$ by", points, lambda point: cells.source(point.cost.spending), side="l")
        )
    if joules:
        columns.append(_column("J/resolved", joules, lambda price: price.shown))
        columns.append(_column("Total J", joules, lambda price: price.total))
    columns.append(_column("Median wall", points, lambda point: seconds(point.median_wall_s)))
    said = ["Solvers", *([f"joules: {group}"] if group else [])]
    said += [f"dollars: {source}" for source in sources] if len(sources) == 1 else []
    return table(
        "; ".join(said),
        [column.heading for column in columns],
        zip(*(column.cells for column in columns), strict=True),
        right="".join(column.side for column in columns),
    )


_T = TypeVar("_T")


def _column(
    heading: str, values: Iterable[_T], show: Callable[[_T], str], *, side: str = "r"
) -> _Column:
    return _Column(heading, side, tuple(text(show(value)) for value in values))


def _solver(point: Point, look: Mapping[str, Look]) -> Html:
    drawn = swatch(look[point.solver], kind="h" if point.control else "m")
    said = " (control)" if point.control else ""
    return join((drawn, name(point.solver, limit=CELL_LIMIT), text(said)))


def refusals(found: Frontier) -> Html:
    """Returns, for each solver without a headline, why."""
    return told_together(
        ((point.solver, f"{point.refusal}.") for point in found.points if point.refusal),
        limit=WHY_LIMIT,
        kind="warn",
    )


def joule_notes(found: Frontier) -> Html:
    """Returns, for each solver with joules that are unknown or not reliable, why."""
    return told_together(
        ((point.solver, f"joules: {why}") for point in found.points for why in joule_whys(point)),
        limit=WHY_LIMIT,
        kind="note",
    )
