"""What picking one of several attempts brings, at its true cost, as a table."""

from collections.abc import Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.groups import Group, Joules
from fairtrial.figures.rates import DASH, joules, percent
from fairtrial.figures.selections import Selected, joule_groups, selections
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.markup import NOTHING, Html, join, name, paragraph, table, text
from fairtrial_reporter_html.solvers import CELL_LIMIT

_TITLE = "One of k, picked"
_NAMED = ("Solver", "Picked by", "Resolved")
_DOLLARS = ("95 %", "$/resolved", "Total $", "$ of picking")
_JOULES = ("J/resolved", "Total J")


def picked(record: RunRecord, arms: Sequence[Tally], found: Frontier) -> Html:
    """
    Returns one row a solver with a selector; empty where nothing was picked.

    Joules of different groups go into tables of their own.

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
    groups = joule_groups(points)
    alone = groups[0] if len(groups) == 1 else None
    apart = [_joule_table(points, group) for group in groups if alone is None]
    return join((_table(points, alone), *apart, paragraph(text(said))))


def _table(points: Sequence[Selected], group: Group | None) -> Html:
    """Returns the table of dollars, with the joules of one group where there is no other."""
    headings = (*_NAMED, *_DOLLARS, *(_JOULES if group else ()), "Front")
    rows = (
        [
            *_named(point),
            *_dollars(point),
            *(_joules(_of(point, group)) if group else ()),
            text(cells.front(point.on_front)),
        ]
        for point in points
    )
    caption = _caption(group) if group else _TITLE
    return table(caption, headings, rows, right="llrrrrr" + "rr" * bool(group) + "l")


def _joule_table(points: Sequence[Selected], group: Group) -> Html:
    """Returns the table of joules of one group."""
    rows = (
        [*_named(point), *_joules(figure)]
        for point in points
        if (figure := _of(point, group)) is not None
    )
    return table(_caption(group), (*_NAMED, *_JOULES), rows, right="llrrr")


def _caption(group: Group) -> str:
    return f"{_TITLE}; joules: {group}"


def _named(point: Selected) -> list[Html]:
    bound = " (upper bound)" if point.upper_bound else ""
    return [
        name(point.solver, limit=CELL_LIMIT),
        join((name(point.selector, limit=CELL_LIMIT), text(f" of {point.rollouts}{bound}"))),
        text(f"{percent(point.resolution)} ({point.resolved}/{point.tasks})"),
    ]


def _dollars(point: Selected) -> list[Html]:
    asked = point.picking.known + point.picking.unknown
    return [
        text(cells.span(point.interval, percent)),
        text(cells.dollars(point.per_resolved_usd)),
        text(cells.total_dollars(point.cost)),
        text(cells.total_dollars(point.picking) if asked else "none"),
    ]


def _of(point: Selected, group: Group) -> Joules | None:
    return next((figure for figure in point.energies if figure.group == group), None)


def _joules(figure: Joules | None) -> list[Html]:
    """Returns joules a resolved task, and in all."""
    if figure is None:
        return [text(DASH), text(DASH)]
    per_resolved = DASH
    if figure.per_resolved_j is not None:
        mark = "" if figure.reliable else "~"
        per_resolved = f"{mark}{joules(figure.per_resolved_j)}{' partial' * figure.partial}"
    return [text(per_resolved), text(cells.total_joules(figure))]
