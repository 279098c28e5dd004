"""The section of selections: each solver with each selector, at its true cost."""

from collections.abc import Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, joules, money, percent
from fairtrial.figures.selections import Selected, selections
from fairtrial.figures.tally import Tally

from fairtrial_reporter_table import cells


def selections_section(record: RunRecord, arms: Sequence[Tally], found: Frontier) -> str:
    """Returns what picking one of several attempts brings; empty where nothing was picked."""
    points = selections(record, arms, found)
    if not points:
        return ""
    headings = ["Solver", "Picked by", "Resolved", "95 %", "J/resolved", "Total J"]
    headings += ["$/resolved", "Total $", "$ of picking", "Front"]
    text = table(headings, [_row(point) for point in points], right="llrrrrrrrl")
    lines = ["\nDollars and joules are those of all attempts, and of the picking.\n"]
    if any(point.upper_bound for point in points):
        lines.append(
            "\n“upper bound”: picked by what the hidden checks said, which nobody knows when it"
            " matters; no true selector can do better.\n"
        )
    missing = sum(point.unpicked for point in points)
    if missing:
        lines.append(f"\nNone was picked for {missing} tasks; they count as not resolved.\n")
    return text + "".join(lines)


def _row(point: Selected) -> list[str]:
    known = next((figure for figure in point.energies if figure.known_j is not None), None)
    per_resolved = DASH
    if known is not None and known.per_resolved_j is not None:
        mark = "" if known.reliable else "~"
        per_resolved = f"{mark}{joules(known.per_resolved_j)}"
        per_resolved += " partial" if known.partial else ""
    asked = point.picking.known + point.picking.unknown
    return [
        cell(point.solver),
        cell(point.selector)
        + f" of {point.rollouts}"
        + (" (upper bound)" if point.upper_bound else ""),
        f"{percent(point.resolution)} ({point.resolved}/{point.tasks})",
        cells.span(point.interval, percent),
        per_resolved,
        cells.total_joules(known),
        money(point.per_resolved_usd),
        cells.total_dollars(point.cost),
        cells.total_dollars(point.picking) if asked else "none",
        {True: "$", False: "no", None: DASH}[point.on_front],
    ]
