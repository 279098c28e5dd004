"""The plot of a frontier: resolution against a price, with intervals, and the front as steps."""

from collections.abc import Sequence

from attrs import frozen

from fairtrial_reporter_html.axes import Frame, across_axis, path, picture, up_axis
from fairtrial_reporter_html.bars import bars, covers, spot
from fairtrial_reporter_html.dots import HEIGHT, LEFT, WIDTH, Dot, frame_of
from fairtrial_reporter_html.labels import Box, Label, around, drawn, placed
from fairtrial_reporter_html.markup import NOTHING, Html, element, number, text
from fairtrial_reporter_html.shapes import SIZE, mark
from fairtrial_reporter_html.strip import strip

_CROWD = 8
"""Above so many dots their intervals are drawn fainter."""

_TOLD = 8
"""Most dots that the plot's description names; the table behind the plot has all."""


@frozen(kw_only=True)
class Placing:
    """
    A drawn plot.

    Attributes:
        svg: The plot.
        nameless: Names for which there was no room.
    """

    svg: Html
    nameless: tuple[str, ...]


def scatter(key: str, dots: Sequence[Dot], *, title: str, price: str, unit: str = "") -> Placing:
    """
    Draws solvers by price and share.

    Args:
        key: An id that no other plot of the page has.
        dots: What to draw; at least one has a price.
        title: The plot's name.
        price: The title of the price's axis.
        unit: What stands before each of its marks.
    """
    frame = frame_of(dots, unit)
    priced = [dot for dot in dots if dot.price is not None]
    arms = [dot for dot in dots if dot.price is None]
    named = list(zip(priced, _labels(frame, priced), strict=True))
    parts = [
        across_axis(frame, f"{price}, log scale" if frame.across.log else price),
        up_axis(frame, "Resolved", left=LEFT),
        strip(frame, arms),
        path(front(frame, priced), kind="front") if any(dot.front for dot in dots) else NOTHING,
        *(bars(frame, dot) for dot in priced),
        # Those that come first are named first, and lie on top.
        *(_mark(frame, dot) for dot in reversed(priced)),
        *(drawn(label, dot.name, strong=dot.front) for dot, label in named if label is not None),
    ]
    kind = "plot crowd" if len(priced) > _CROWD else "plot"
    return Placing(
        svg=picture(key, (WIDTH, HEIGHT), title, _desc(priced), *parts, kind=kind),
        nameless=tuple(dot.name for dot, label in named if label is None),
    )


def _desc(dots: Sequence[Dot]) -> str:
    ranked = sorted(dots, key=lambda dot: (not dot.front, -dot.share.at))
    told = "; ".join(dot.told for dot in ranked[:_TOLD])
    return f"{told}; the table behind the plot has all {len(dots)}"


def front(frame: Frame, dots: Sequence[Dot]) -> str:
    """Returns the best share for a price, as steps from the cheapest solver to the dearest."""
    (x, y), *others = _corners(frame, dots)
    steps = "".join(f"H{number(x)}V{number(y)}" for x, y in others)
    return f"M{number(x)} {number(y)}{steps}H{number(frame.box.right)}"


def _corners(frame: Frame, dots: Sequence[Dot]) -> list[tuple[float, float]]:
    return sorted(spot(frame, dot) for dot in dots if dot.front)


def _mark(frame: Frame, dot: Dot) -> Html:
    shown = mark(dot.look, *spot(frame, dot), kind="h" if dot.weak else "m")
    return element("g", element("title", text(dot.told)), shown)


def _labels(frame: Frame, dots: Sequence[Dot]) -> list[Label | None]:
    """Returns places for the names; those on the front are served first."""
    order = sorted(range(len(dots)), key=lambda place: (not dots[place].front, place))
    spots = [spot(frame, dot) for dot in dots]
    taken = [box for dot in dots for box in covers(frame, dot)] + _treads(frame, dots)
    wanted = [(*spots[place], dots[place].name) for place in order]
    found = placed(wanted, frame.box, [around(x, y, SIZE) for x, y in spots], taken)
    by_place = dict(zip(order, found, strict=True))
    return [by_place[place] for place in range(len(dots))]


def _treads(frame: Frame, dots: Sequence[Dot]) -> list[Box]:
    """Returns what the steps of the front cover."""
    corners = _corners(frame, dots)
    ends = [*corners[1:], (frame.box.right, corners[-1][1])] if corners else []
    found = []
    for (x, y), (to_x, to_y) in zip(corners, ends, strict=True):
        found.append(Box(left=x, top=y - 2, right=to_x, bottom=y + 2))
        found.append(Box(left=to_x - 2, top=to_y, right=to_x + 2, bottom=y))
    return found
