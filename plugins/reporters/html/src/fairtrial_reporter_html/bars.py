"""Intervals as bars, with a tip where an end is off the axis or unbounded."""

from fairtrial_reporter_html.axes import Frame, line, path
from fairtrial_reporter_html.dots import Dot
from fairtrial_reporter_html.labels import Box
from fairtrial_reporter_html.markup import Html, join, number


def spot(frame: Frame, dot: Dot) -> tuple[float, float]:
    """Returns where a dot stands, in pixels."""
    return frame.x(dot.price.at if dot.price else 0.0), frame.y(dot.share.at)


def rise(frame: Frame, dot: Dot) -> tuple[float, float]:
    """Returns the upper and the lower end of a dot's interval of its share."""
    box, share = frame.box, dot.share
    top = box.top if share.high is None else frame.y(share.high)
    bottom = box.bottom if share.low is None else frame.y(share.low)
    return top, bottom


def reach(frame: Frame, dot: Dot) -> tuple[float, float]:
    """Returns the left and the right end of a dot's interval of its price."""
    box, across = frame.box, frame.across
    if dot.price is None:
        x, _ = spot(frame, dot)
        return x, x
    low, high = dot.price.low, dot.price.high
    left = box.left if low is None or low < across.low else frame.x(low)
    right = box.right if high is None or high > across.high else frame.x(high)
    return left, right


def bars(frame: Frame, dot: Dot) -> Html:
    """Returns a dot's intervals."""
    x, y = spot(frame, dot)
    top, bottom = rise(frame, dot)
    upright = line(x, top, x, bottom, kind=f"bar {dot.look.colour}")
    if dot.price is None or dot.price.low == dot.price.high:
        return upright
    left, right = reach(frame, dot)
    kind = f"bar thin {dot.look.colour}"
    tips = [
        _tip(end, y, back, kind)
        for value, end, back in ((dot.price.low, left, 5), (dot.price.high, right, -5))
        if value is None or not frame.across.holds(value)
    ]
    return join((upright, line(left, y, right, y, kind=kind), *tips))


def _tip(x: float, y: float, back: float, kind: str) -> Html:
    behind = number(x + back)
    return path(
        f"M{behind} {number(y - 4)}L{number(x)} {number(y)}L{behind} {number(y + 4)}", kind=kind
    )


def covers(frame: Frame, dot: Dot) -> tuple[Box, Box]:
    """Returns what a dot's intervals cover, and a name had better not."""
    x, y = spot(frame, dot)
    top, bottom = rise(frame, dot)
    left, right = reach(frame, dot)
    return (
        Box(left=x - 2, top=top, right=x + 2, bottom=bottom),
        Box(left=left, top=y - 2, right=right, bottom=y + 2),
    )
