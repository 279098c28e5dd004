"""A plot of what the first k attempts bring or take, with one curve a solver."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import TypeVar

from attrs import evolve, frozen
from fairtrial.figures.rates import percent

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.axes import Frame, across_axis, path, picture, up_axis
from fairtrial_reporter_html.labels import Box, around, drawn, placed
from fairtrial_reporter_html.markup import NOTHING, Html, element, number, text, told_together
from fairtrial_reporter_html.scales import Scale, compact, counting, linear, percents
from fairtrial_reporter_html.shapes import SIZE, Look, mark
from fairtrial_reporter_html.solvers import WHY_LIMIT

WIDTH, HEIGHT = 480.0, 280.0

_EACH = 10
"""Up to so many k each has its own mark and its own row; of more, some do."""

_NAMES = 112.0
"""Pixels right of the curves, for their names."""


@frozen(kw_only=True)
class Step:
    """
    A point of a curve.

    Attributes:
        k: How many attempts.
        value: What they bring or take.
        weak: Whether it is in doubt: told with `~`, and drawn hollow.
    """

    k: int
    value: float
    weak: bool = False


@frozen(kw_only=True)
class Series:
    """
    One solver's curve.

    Attributes:
        name: The solver's name.
        look: How it is drawn.
        steps: What is drawn, in order.
        said: What is to be said of it below the plot; empty for nothing.
    """

    name: str
    look: Look
    steps: tuple[Step, ...]
    said: str = ""

    @property
    def label(self) -> str:
        """The name beside the curve, `~` before it where any part is in doubt."""
        return f"{'~' * any(step.weak for step in self.steps)}{self.name}"


@frozen(kw_only=True)
class Measure:
    """
    What stands on the axis of a plot.

    Attributes:
        axis: Its title.
        tick: Writes the value of a mark.
        told: Writes a value in words.
    """

    axis: str
    tick: Callable[[Decimal], str]
    told: Callable[[float | None], str]


SHARES = Measure(axis="Resolved", tick=percents, told=percent)
DOLLARS = Measure(axis="Dollars", tick=lambda value: f"${compact(value)}", told=cells.dollars)
JOULES = Measure(axis="Joules", tick=compact, told=cells.joules_with_unit)


def plot(key: str, title: str, found: Sequence[Series], measure: Measure) -> Html:
    """
    Returns a plot, and below it what is to be said of its curves.

    Args:
        key: An id that no other plot of the page has.
        title: What it shows.
        found: The curves; one without a step is not drawn.
        measure: What stands on its axis.
    """
    full = [series for series in found if series.steps]
    said = [(series.name, series.said) for series in found if series.said]
    return element(
        "figure",
        element("figcaption", element("h3", text(title))),
        _svg(key, title, full, measure) if full else NOTHING,
        told_together(said, limit=WHY_LIMIT, kind="note"),
    )


def _svg(key: str, title: str, found: Sequence[Series], measure: Measure) -> Html:
    last = max(step.k for series in found for step in series.steps)
    high = max(step.value for series in found for step in series.steps)
    frame = _frame(counting(max(2, last)), linear(high, measure.tick))
    points = [
        [(frame.x(step.k), frame.y(step.value)) for step in series.steps] for series in found
    ]
    lines = [
        path(
            "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places),
            kind=f"curve {series.look.colour}",
        )
        for series, places in zip(found, points, strict=True)
    ]
    marks = [
        mark(series.look, frame.x(step.k), frame.y(step.value), kind="h" if step.weak else "m")
        for series in found
        for step in some(series.steps)
    ]
    desc = "; ".join(f"{series.name}: {_told(series, measure)}" for series in found[:_EACH])
    return picture(
        key,
        (WIDTH, HEIGHT),
        title,
        desc,
        across_axis(frame, "k attempts"),
        up_axis(frame, measure.axis),
        *lines,
        *marks,
        *_names(frame, found, points),
    )


def _frame(across: Scale, up: Scale) -> Frame:
    box = Box(left=48, top=30, right=WIDTH - _NAMES, bottom=HEIGHT - 46)
    return Frame(box=box, width=WIDTH, across=across, up=up)


def _told(series: Series, measure: Measure) -> str:
    return ", ".join(
        f"k={step.k} {'~' * step.weak}{measure.told(step.value)}" for step in some(series.steps)
    )


def _names(
    frame: Frame, found: Sequence[Series], points: Sequence[Sequence[tuple[float, float]]]
) -> list[Html]:
    """Returns each name at the end of its curve, where there is room."""
    marks = [around(x, y, SIZE) for places in points for x, y in places]
    ends = [(*places[-1], series.label) for series, places in zip(found, points, strict=True)]
    room = evolve(frame.box, right=WIDTH)
    labels = placed(ends, room, marks, _stretches(points))
    return [
        drawn(label, series.label)
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


_T = TypeVar("_T")


def some(values: Sequence[_T]) -> list[_T]:
    """Returns values that stand for all of a long sequence, its ends among them."""
    if len(values) <= _EACH:
        return list(values)
    step = -(-len(values) // _EACH)
    return [*values[: -step // 2 : step], values[-1]]
