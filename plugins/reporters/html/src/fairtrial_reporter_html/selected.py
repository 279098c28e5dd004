"""What picking one of several attempts brings, at its true cost, as a table."""

from collections.abc import Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.rates import DASH, joules, percent
from fairtrial.figures.selections import Selected, selections
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.markup import NOTHING, Html, join, name, paragraph, table, text
from fairtrial_reporter_html.solvers import CELL_LIMIT

_HEADINGS = (
    "Solver",
    "Picked by",
    "Resolved",
    "95 %",
    "$/resolved",
    "Total $",
    "$ of picking",
    "J/resolved",
    "Front",
)


def picked(record: RunRecord, arms: Sequence[Tally], found: Frontier) -> Html:
    """
    Returns one row a solver with a selector; empty where nothing was picked.

    Args:
        record: The run.
        arms: Its tallies.
        found: Its frontier, whose solvers the selections compete with.
    """
    points = selections(record, arms, found)
    if not points:
        return NOTHING
    said = "Dollars and joules are those of all attempts, and of the picking."
    if any(point.upper_bound for point in points):
        said += (
            " “Upper bound”: picked by what the hidden checks said, which nobody knows when it"
            " matters; no true selector can do better."
        )
    missing = sum(point.unpicked for point in points)
    if missing:
        said += f" None was picked for {missing} tasks; they count as not resolved."
    rows = (_row(point) for point in points)
    return join(
        (table("One of k, picked", _HEADINGS, rows, right="llrrrrrrl"), paragraph(text(said)))
    )


def _row(point: Selected) -> list[Html]:
    bound = " (upper bound)" if point.upper_bound else ""
    asked = point.picking.known + point.picking.unknown
    return [
        name(point.solver, limit=CELL_LIMIT),
        join((name(point.selector, limit=CELL_LIMIT), text(f" of {point.rollouts}{bound}"))),
        text(f"{percent(point.resolution)} ({point.resolved}/{point.tasks})"),
        text(cells.span(point.interval, percent)),
        text(cells.dollars(point.per_resolved_usd)),
        text(cells.total_dollars(point.cost)),
        text(cells.total_dollars(point.picking) if asked else "none"),
        text(_joules(point)),
        text(cells.front(point.on_front)),
    ]


def _joules(point: Selected) -> str:
    """Returns joules a resolved task at each boundary, `~` and partial said."""
    known = [figure for figure in point.energies if figure.per_resolved_j is not None]
    return (
        ", ".join(
            f"{'' if figure.reliable else '~'}{joules(figure.per_resolved_j)}"
            f" {figure.group.boundary}{' partial' * figure.partial}"
            for figure in known
        )
        or DASH
    )
