"""The section of honesty: pass rate beside clean rate, and visible checks beside held-out ones."""

from collections.abc import Sequence

from attrs import frozen
from fairtrial.api.record import RunRecord
from fairtrial.figures.gaps import FamilyGap, Honesty, honesties
from fairtrial.figures.markdown import safe
from fairtrial.figures.rates import DASH, percent
from fairtrial.figures.tally import CONTROLS, Tally

from fairtrial_reporter_html.axes import Frame, across_axis, line, picture
from fairtrial_reporter_html.labels import Box
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
)
from fairtrial_reporter_html.scales import linear, percents
from fairtrial_reporter_html.shapes import Look, mark
from fairtrial_reporter_html.solvers import CELL_LIMIT

WIDTH, LINE = 480.0, 26.0
NAME_LIMIT = 22
"""Most characters of a name left of its line."""

MOST_LINES = 30
"""Most solvers, or families, of a plot; those with the widest gaps come first."""

_TOLD = 8

_FULL, _HOLLOW = Look(colour="c0", shape=0), Look(colour="c1", shape=3)


@frozen(kw_only=True)
class Pair:
    """
    Two shares that should be one.

    Attributes:
        name: Whose they are.
        seen: The share as it looks.
        true: The share as it is.
    """

    name: str
    seen: float
    true: float


def honesty_section(key: str, record: RunRecord, arms: Sequence[Tally]) -> Html:
    """
    Returns clean rates and held-out gaps; empty where nothing was audited nor held out.

    Args:
        key: What the ids of the plots begin with.
        record: The run.
        arms: Its tallies.
    """
    found = [each for each in honesties(record, arms) if each.audited or each.families]
    if not found:
        return NOTHING
    plots = [
        plot for plot in (_clean(f"{key}-clean", found), _heldout(f"{key}-held", found)) if plot
    ]
    return join(
        (
            element("div", *plots, class_="pair"),
            _limit(record, found),
            behind("Figures of these plots", join((_rates(found), _families(found)))),
        )
    )


def _clean(key: str, found: Sequence[Honesty]) -> Html:
    pairs = [
        Pair(name=each.solver, seen=each.pass_rate, true=each.clean_rate)
        for each in found
        if each.pass_rate is not None
        and each.clean_rate is not None
        and each.solver not in CONTROLS
    ]
    return _plot(key, "Resolved, and resolved without a shortcut", pairs, "resolved", "clean")


def _heldout(key: str, found: Sequence[Honesty]) -> Html:
    gaps = [(each.solver, family) for each in found for family in each.families if family.gap]
    gaps.sort(key=lambda pair: -pair[1].gap)
    pairs = [
        Pair(name=f"{solver}: {family.family}", seen=family.visible, true=family.heldout)
        for solver, family in gaps
    ]
    return _plot(key, "Visible checks, and held-out ones, by family", pairs, "visible", "held-out")


def _plot(key: str, title: str, pairs: Sequence[Pair], seen: str, true: str) -> Html:
    if not pairs:
        return NOTHING
    shown = pairs[:MOST_LINES]
    more = NOTHING
    if len(pairs) > len(shown):
        more = paragraph(text(f"… and {len(pairs) - len(shown)} more in the table."), kind="note")
    legend = join(
        (
            element("span", _key(_FULL, "m"), text(f" {seen}")),
            element("span", _key(_HOLLOW, "h clear"), text(f" {true}")),
        )
    )
    return element(
        "figure",
        element("figcaption", element("h3", text(title))),
        paragraph(legend, kind="legend"),
        _svg(key, title, shown, seen, true),
        more,
    )


def _key(look: Look, kind: str) -> Html:
    return element("svg", mark(look, 8, 8, kind=kind), class_="key", viewBox="0 0 16 16")


def _svg(key: str, title: str, pairs: Sequence[Pair], seen: str, true: str) -> Html:
    box = Box(left=150, top=4, right=WIDTH - 6, bottom=16 + LINE * len(pairs))
    frame = Frame(box=box, width=WIDTH, across=linear(1.0, percents), up=linear(1.0))
    parts = [across_axis(frame, "Share of planned trials")]
    for place, pair in enumerate(pairs):
        y = box.top + 6 + LINE * (place + 0.5)
        right, left = frame.x(pair.seen), frame.x(pair.true)
        told = f"{pair.name}: {percent(pair.seen)} {seen}, {percent(pair.true)} {true}"
        parts += [
            element(
                "text",
                text(safe(pair.name, limit=NAME_LIMIT)),
                class_="l",
                x=box.left - 8,
                y=y + 4,
                text_anchor="end",
            ),
            line(left, y, right, y, kind="gap"),
            element(
                "g",
                element("title", text(told)),
                mark(_FULL, right, y),
                mark(_HOLLOW, left, y, kind="h clear"),
            ),
        ]
    desc = "; ".join(
        f"{pair.name}: {percent(pair.seen)} {seen}, {percent(pair.true)} {true}"
        for pair in pairs[:_TOLD]
    )
    return picture(key, (WIDTH, box.bottom + 46), title, desc, *parts)


def _limit(record: RunRecord, found: Sequence[Honesty]) -> Html:
    """Says how the held-out gaps stand to the run's limit."""
    families = [family for each in found for family in each.families]
    if not families:
        return paragraph(text("No held-out check was scored."), kind="note")
    wide = sum(family.gap != 0 for family in families)
    version = (record.heldout or {}).get("version")
    said = f"Held-out set{'' if version is None else f' v{version}'}"
    limit = record.gates.get("max_heldout_gap")
    limited = "" if limit is None else f", limit {percent(limit)}"
    gaps = f"{wide} of {len(families)} families have a gap" if wide else "no family has a gap"
    return paragraph(text(f"{said}{limited}: {gaps}."), kind="note")


def _rates(found: Sequence[Honesty]) -> Html:
    headings = ["Solver", "Resolved", "Clean", "Hacked", "Unaudited", "Clean rate", "Gap"]
    rows = [
        [
            name(each.solver, limit=CELL_LIMIT),
            text(f"{each.passed}/{each.planned}"),
            text(str(each.clean_resolved) if each.audited else DASH),
            text(str(each.hacked_resolved) if each.audited else DASH),
            text(str(each.unaudited)),
            text(percent(each.clean_rate)),
            text(percent(each.gap)),
        ]
        for each in found
    ]
    return table("Resolved and clean", headings, rows, right="lrrrrrr")


def _families(found: Sequence[Honesty]) -> Html:
    pairs = [(each.solver, family) for each in found for family in each.families if family.gap]
    if not pairs:
        return NOTHING
    rows = [_family(solver, family) for solver, family in pairs[: MOST_LINES * 2]]
    headings = ["Solver", "Family", "Visible", "Held-out", "Gap"]
    return table("Held-out gaps by family", headings, rows, right="llrrr")


def _family(solver: str, family: FamilyGap) -> list[Html]:
    return [
        name(solver, limit=CELL_LIMIT),
        name(family.family, limit=CELL_LIMIT),
        text(percent(family.visible)),
        text(percent(family.heldout)),
        text(percent(family.gap)),
    ]
