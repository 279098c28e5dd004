"""The section of best of k: what several attempts bring, and what they cost, as curves."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from attrs import evolve, frozen
from fairtrial.api.record import RunRecord
from fairtrial.figures.rates import DASH, percent
from fairtrial.figures.rollouts import BestOf, Curve, curves, joules_to_a_success
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.axes import Frame, across_axis, path, picture, up_axis
from fairtrial_reporter_html.labels import Box, around, drawn, placed
from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    behind,
    element,
    join,
    name,
    number,
    paragraph,
    table,
    text,
    told_together,
)
from fairtrial_reporter_html.scales import Scale, compact, counting, drawable, linear, percents
from fairtrial_reporter_html.shapes import SIZE, Look, mark
from fairtrial_reporter_html.solvers import CELL_LIMIT, WHY_LIMIT

WIDTH, HEIGHT = 480.0, 280.0
MOST_ROLLOUTS = 100
"""Up to so many rollouts curves are drawn."""

_EACH = 10
"""Up to so many k each has its own mark and its own row; of more, some do."""

_NAMES = 112.0
"""Pixels right of the curves, for their names."""


@frozen(kw_only=True)
class Series:
    """
    One solver's curve.

    Attributes:
        name: The solver's name.
        look: How it is drawn.
        steps: k and its value, in order.
    """

    name: str
    look: Look
    steps: tuple[tuple[int, float], ...]


def best_of_k(
    key: str, record: RunRecord, arms: Sequence[Tally], look: Mapping[str, Look]
) -> Html:
    """
    Returns the curves of the agents; empty for a run with one rollout.

    Args:
        key: What the ids of the plots begin with.
        record: The run.
        arms: Its tallies.
        look: How each solver is drawn.
    """
    if record.rollouts == 1:
        return NOTHING
    if record.rollouts > MOST_ROLLOUTS:
        # What a curve takes grows with the square of its length.
        words = f"Not drawn for {record.rollouts} rollouts; up to {MOST_ROLLOUTS} are."
        return paragraph(text(words), kind="note")
    found = curves(record, [tally for tally in arms if not tally.control])
    shown = [curve for curve in found if len(curve.points) > 1]
    if not shown:
        return NOTHING
    said = paragraph(
        text(
            "Any of the first k attempts resolved the task. The best one is picked by the checks"
            " themselves (selection = oracle), so each curve is an upper bound."
        )
    )
    plots = [
        _plot(f"{key}-share", "Tasks resolved by any of k", _shares(shown, look), shares=True),
        _plot(f"{key}-usd", "Dollars of all k attempts", _dollars(shown, look), shares=False),
    ]
    return join((said, element("div", *plots, class_="pair"), _notes(shown), _figures(shown)))


def _shares(found: Sequence[Curve], look: Mapping[str, Look]) -> list[Series]:
    return [
        _series(
            curve,
            look,
            [(p.k, p.resolution) for p in curve.points],
        )
        for curve in found
    ]


def _dollars(found: Sequence[Curve], look: Mapping[str, Look]) -> list[Series]:
    return [
        _series(curve, look, [(p.k, p.cost.total_usd) for p in curve.points]) for curve in found
    ]


def _series(
    curve: Curve, look: Mapping[str, Look], values: Sequence[tuple[int, float | None]]
) -> Series:
    steps = tuple((k, value) for k, value in values if value is not None and drawable(value))
    return Series(name=curve.solver, look=look[curve.solver], steps=steps)


def _plot(key: str, title: str, found: Sequence[Series], *, shares: bool) -> Html:
    full = [series for series in found if series.steps]
    missing = [series.name for series in found if not series.steps]
    said = [(each, "not drawn; not all of it is known") for each in missing]
    picture_ = _svg(key, title, full, shares=shares) if full else NOTHING
    return element(
        "figure",
        element("figcaption", element("h3", text(title))),
        picture_,
        told_together(said, limit=WHY_LIMIT, kind="note"),
    )


def _svg(key: str, title: str, found: Sequence[Series], *, shares: bool) -> Html:
    last = max(k for series in found for k, _ in series.steps)
    high = max(value for series in found for _, value in series.steps)
    up = linear(high, percents if shares else lambda value: f"${compact(value)}")
    frame = _frame(counting(max(2, last)), up)
    points = [[(frame.x(k), frame.y(value)) for k, value in series.steps] for series in found]
    lines = [
        path(
            "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places),
            kind=f"curve {series.look.colour}",
        )
        for series, places in zip(found, points, strict=True)
    ]
    marks = [
        mark(series.look, x, y)
        for series, places in zip(found, points, strict=True)
        for x, y in _some(places)
    ]
    desc = "; ".join(f"{series.name}: {_told(series, shares=shares)}" for series in found[:_EACH])
    return picture(
        key,
        (WIDTH, HEIGHT),
        title,
        desc,
        across_axis(frame, "k attempts"),
        up_axis(frame, "Resolved" if shares else "Dollars"),
        *lines,
        *marks,
        *_names(frame, found, points),
    )


def _frame(across: Scale, up: Scale) -> Frame:
    box = Box(left=48, top=30, right=WIDTH - _NAMES, bottom=HEIGHT - 46)
    return Frame(box=box, width=WIDTH, across=across, up=up)


def _told(series: Series, *, shares: bool) -> str:
    return ", ".join(
        f"k={k} {percent(value) if shares else cells.dollars(value)}"
        for k, value in _some(series.steps)
    )


def _names(
    frame: Frame, found: Sequence[Series], points: Sequence[Sequence[tuple[float, float]]]
) -> list[Html]:
    """Returns each name at the end of its curve, where there is room."""
    marks = [around(x, y, SIZE) for places in points for x, y in places]
    ends = [(*places[-1], series.name) for series, places in zip(found, points, strict=True)]
    room = evolve(frame.box, right=WIDTH)
    labels = placed(ends, room, marks, _stretches(points))
    return [
        drawn(label, series.name)
        for series, label in zip(found, labels, strict=True)
        if label is not None
    ]


def _stretches(points: Sequence[Sequence[tuple[float, float]]]) -> list[Box]:
    """Returns boxes along the curves, which names had better not cover."""
    found = []
    for places in points:
        for (x, y), (to_x, to_y) in pairwise(places):
            for part in range(8):
                along = (part + 0.5) / 8
                found.append(around(x + (to_x - x) * along, y + (to_y - y) * along, 3))
    return found


def _notes(found: Sequence[Curve]) -> Html:
    said = []
    for curve in found:
        last = curve.points[-1]
        if curve.refusal:
            said.append((curve.solver, f"{curve.refusal}."))
        if curve.flat:
            said.append((curve.solver, f"{last.k} attempts resolved no more tasks than one did."))
        if (last.k, last.tasks) != (curve.rollouts, curve.planned_tasks):
            part = (
                f"{last.tasks} of {curve.planned_tasks} tasks were attempted; k goes to {last.k} of"
                f" {curve.rollouts}, as far as there are attempts at each of those."
            )
            said.append((curve.solver, part))
    return told_together(said, limit=WHY_LIMIT, kind="note")


def _figures(found: Sequence[Curve]) -> Html:
    rows = [_row(curve, point) for curve in found for point in _some(curve.points)]
    return behind("Figures of these plots", table("Best of k", _HEADINGS, rows, right="lrrrrrrr"))


_HEADINGS = (
    "Solver",
    "k",
    "Resolved by any of k",
    "pass@k",
    "Dollars so far",
    "Dollars to a success",
    "Joules so far",
    "Joules to a success",
)


_T = TypeVar("_T")


def _some(values: Sequence[_T]) -> list[_T]:
    """Returns values that stand for all of a long sequence, its ends among them."""
    if len(values) <= _EACH:
        return list(values)
    step = -(-len(values) // _EACH)
    return [*values[: -step // 2 : step], values[-1]]


def _row(curve: Curve, point: BestOf) -> list[Html]:
    pass_at_k = percent(point.pass_at_k)
    if point.pass_at_k is not None and point.pass_at_k_tasks < point.tasks:
        pass_at_k += f" ({point.pass_at_k_tasks} tasks)"
    joules = [
        f"{cells.total_joules(figure)} {figure.group}"
        for figure in point.energies
        if figure.known_j is not None
    ]
    return [
        name(curve.solver, limit=CELL_LIMIT),
        text(str(point.k)),
        text(f"{percent(point.resolution)} ({point.resolved}/{point.tasks})"),
        text(pass_at_k),
        text(cells.total_dollars(point.cost)),
        text(cells.dollars(None if point.stopping is None else point.stopping.cost_usd)),
        text("; ".join(joules) or DASH),
        text(joules_to_a_success(point, in_full=True)),
    ]
