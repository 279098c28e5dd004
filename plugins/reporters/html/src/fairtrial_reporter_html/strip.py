"""Control arms beside a plot: they pay no price that could be compared."""

from collections.abc import Sequence

from fairtrial_reporter_html.axes import Frame, line
from fairtrial_reporter_html.bars import rise
from fairtrial_reporter_html.dots import LEFT, Dot
from fairtrial_reporter_html.labels import short
from fairtrial_reporter_html.markup import NOTHING, Html, element, join, text
from fairtrial_reporter_html.shapes import mark


def strip(frame: Frame, arms: Sequence[Dot]) -> Html:
    """Returns the control arms by what they resolved, hollow, left of the plot."""
    if not arms:
        return NOTHING
    box = frame.box
    right = box.left - 10
    wide = (right - LEFT) / len(arms)
    return join(
        (
            line(box.left, box.top, box.left, box.bottom, kind="g"),
            _words("controls", (LEFT + right) / 2, box.bottom + 16, "t"),
            *(_arm(frame, dot, LEFT + wide * (place + 0.5)) for place, dot in enumerate(arms)),
        )
    )


def _arm(frame: Frame, dot: Dot, x: float) -> Html:
    y = frame.y(dot.share.at)
    top, bottom = rise(frame, dot)
    shown = mark(dot.look, x, y, kind="h")
    return join(
        (
            line(x, top, x, bottom, kind="bar ctl"),
            element("g", element("title", text(dot.told)), shown),
            _words(short(dot.name), x, y - 11, "l ctl"),
        )
    )


def _words(words: str, x: float, y: float, kind: str) -> Html:
    return element("text", text(words), class_=kind, x=x, y=y, text_anchor="middle")
