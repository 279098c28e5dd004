"""The section of selections: each solver with each selector, at its true cost."""

from collections.abc import Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.frontier import Frontier
from fairtrial.figures.groups import Group, Joules
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, joules, money, percent
from fairtrial.figures.selections import Selected, joule_groups, selections
from fairtrial.figures.tally import Tally

from fairtrial_reporter_table import cells


def selections_section(record: RunRecord, arms: Sequence[Tally], found: Frontier) -> str:
    """
    Returns what picking one of several attempts brings; empty where nothing was picked.

    Joules of different groups go into tables of their own.
    """
    points = selections(record, arms, found)
    if not points:
        return ""
    groups = joule_groups(points)
    mixed = len(groups) > 1
    parts = [_table(points, energies=not mixed)]
    if groups and not mixed:
        parts.append(f"joules: {groups[0]}\n")
    parts.append("Dollars and joules are those of all attempts, and of the picking.\n")
    if any(point.upper_bound for point in points):
        parts.append(
            "“upper bound”: picked by what the hidden checks said, which nobody knows when it"
            " matters; no true selector can do better.\n"
        )
    missing = sum(point.unpicked for point in points)
    if missing:
        parts.append(f"None was picked for {missing} tasks; they count as not resolved.\n")
    parts += [_group(points, group) for group in groups if mixed]
    return "\n".join(parts)


def _table(points: Sequence[Selected], *, energies: bool) -> str:
    headings = ["Solver", "Picked by", "Resolved", "95 %"]
    headings += ["J/resolved", "Total J"] if energies else []
    headings += ["$/resolved", "Total $", "$ of picking", "Front"]
    rows = [_row(point, energies=energies) for point in points]
    return table(headings, rows, right="llrr" + "rr" * energies + "rrrl")


def _row(point: Selected, *, energies: bool) -> list[str]:
    asked = point.picking.known + point.picking.unknown
    known = next((figure for figure in point.energies if figure.known_j is not None), None)
    return [
        *_named(point),
        cells.span(point.interval, percent),
        *(_joules(known) if energies else []),
        money(point.per_resolved_usd),
        cells.total_dollars(point.cost),
        cells.total_dollars(point.picking) if asked else "none",
        {True: "$", False: "no", None: DASH}[point.on_front],
    ]


def _named(point: Selected) -> list[str]:
    bound = " (upper bound)" if point.upper_bound else ""
    return [
        cell(point.solver),
        f"{cell(point.selector)} of {point.rollouts}{bound}",
        f"{percent(point.resolution)} ({point.resolved}/{point.tasks})",
    ]


def _joules(figure: Joules | None) -> list[str]:
    """Returns joules a resolved task, and in all."""
    per_resolved = DASH
    if figure is not None and figure.per_resolved_j is not None:
        mark = "" if figure.reliable else "~"
        per_resolved = f"{mark}{joules(figure.per_resolved_j)}{' partial' * figure.partial}"
    return [per_resolved, cells.total_joules(figure)]


def _group(points: Sequence[Selected], group: Group) -> str:
    rows = [
        [*_named(point), *_joules(figure)]
        for point in points
        for figure in point.energies
        if figure.group == group and figure.known_j is not None
    ]
    headings = ["Solver", "Picked by", "Resolved", "J/resolved", "Total J"]
    return f"### Joules: {cell(str(group))}\n\n{table(headings, rows, right='llrrr')}"
