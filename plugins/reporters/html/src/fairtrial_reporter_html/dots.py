"""What a scatter plot is made of: one dot a solver, and the frame that holds all of them."""

from collections.abc import Sequence

from attrs import frozen
from fairtrial.figures.intervals import Interval

from fairtrial_reporter_html.axes import Frame
from fairtrial_reporter_html.labels import Box
from fairtrial_reporter_html.scales import compact, drawable, linear, percents, scale_of
from fairtrial_reporter_html.shapes import Look

WIDTH, HEIGHT = 480.0, 360.0
LEFT, TOP, RIGHT, BOTTOM = 44.0, 30.0, WIDTH - 6, HEIGHT - 46
STRIP = 76.0
"""Pixels that control arms take, left of the plot."""


@frozen(kw_only=True)
class Span:
    """
    A value with its interval.

    Attributes:
        at: The value.
        low: The interval's lower end; None where it is unbounded.
        high: Its upper end; None where it is unbounded.
    """

    at: float
    low: float | None
    high: float | None


def span(value: float, interval: Interval | None) -> Span:
    """Returns a value with its interval; with itself as both ends where there is none."""
    if interval is None:
        return Span(at=value, low=value, high=value)
    return Span(at=value, low=interval.low, high=interval.high)


@frozen(kw_only=True)
class Dot:
    """
    One solver in a plot.

    Attributes:
        name: What it is called.
        look: How it is drawn.
        price: What it paid; None for a control arm, which is drawn apart.
        share: What it resolved.
        front: Whether it is on the front.
        weak: Whether its price is not ranked, and drawn so.
        told: The same in words.
    """

    name: str
    look: Look
    price: Span | None
    share: Span
    front: bool = False
    weak: bool = False
    told: str


def frame_of(dots: Sequence[Dot], unit: str = "") -> Frame:
    """Returns the frame that holds all dots."""
    prices = [dot.price for dot in dots if dot.price is not None]
    found = [value for price in prices for value in _ends(price)]
    shares = [value for dot in dots for value in (dot.share.at, dot.share.high or 0.0)]
    arms = any(dot.price is None for dot in dots)
    box = Box(left=LEFT + STRIP * arms, top=TOP, right=RIGHT, bottom=BOTTOM)
    return Frame(
        box=box,
        width=WIDTH,
        across=scale_of(found, lambda value: f"{unit}{compact(value)}"),
        up=linear(min(1.0, max(shares, default=1.0)), percents),
    )


def _ends(price: Span) -> list[float]:
    """Returns what of an interval the axis should hold; not an end far off its value."""
    ends = [
        end
        for end in (price.low, price.high)
        if end is not None and drawable(end) and price.at / 10 <= end <= price.at * 10
    ]
    return [price.at, *ends]
