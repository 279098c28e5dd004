"""The frame of a plot: its axes, their marks and their titles."""

from attrs import frozen
from fairtrial.figures.markdown import width

from fairtrial_reporter_html.labels import CHARACTER, Box
from fairtrial_reporter_html.markup import Html, element, join, number, text
from fairtrial_reporter_html.scales import Scale

INSET = 12.0
"""Pixels that the ends of an axis keep from the frame, so that no mark is cut."""


@frozen(kw_only=True)
class Frame:
    """
    Where the axes of a plot are, in pixels.

    Attributes:
        box: The frame.
        width: The whole plot's width.
        across: The scale from left to right.
        up: The scale from bottom to top.
    """

    box: Box
    width: float
    across: Scale
    up: Scale

    def x(self, value: float) -> float:
        """Returns where a value stands, from the left."""
        left, right = self.box.left + INSET, self.box.right - INSET
        return left + self.across.share(value) * (right - left)

    def y(self, value: float) -> float:
        """Returns where a value stands, from the top."""
        top, bottom = self.box.top + INSET, self.box.bottom - INSET
        return bottom - self.up.share(value) * (bottom - top)


def across_axis(frame: Frame, title: str) -> Html:
    """Returns the lower axis: a line up from each mark, its value, and the title below."""
    box = frame.box
    parts = []
    for tick in frame.across.ticks:
        x = frame.x(tick.value)
        parts += [
            line(x, box.top, x, box.bottom, kind="g"),
            element(
                "text",
                text(tick.label),
                class_="t",
                x=x,
                y=box.bottom + 16,
                text_anchor="middle",
            ),
        ]
    half = CHARACTER * width(title) / 2
    middle = max(half, min((box.left + box.right) / 2, frame.width - half))
    parts.append(
        element("text", text(title), class_="a", x=middle, y=box.bottom + 36, text_anchor="middle")
    )
    return join(parts)


def up_axis(frame: Frame, title: str, *, left: float | None = None) -> Html:
    """
    Returns the left axis: a line across from each mark, its value, and the title above.

    Args:
        frame: The plot's.
        title: What stands above the axis.
        left: Where the lines begin, if not at the frame.
    """
    box = frame.box
    start = box.left if left is None else left
    parts = [element("text", text(title), class_="a", x=2, y=box.top - 16)]
    for tick in frame.up.ticks:
        y = frame.y(tick.value)
        parts += [
            line(start, y, box.right, y, kind="g"),
            element("text", text(tick.label), class_="t", x=start - 6, y=y + 4, text_anchor="end"),
        ]
    return join(parts)


def line(x: float, y: float, to_x: float, to_y: float, *, kind: str) -> Html:
    """Returns a straight line."""
    return path(f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}", kind=kind)


def path(steps: str, *, kind: str) -> Html:
    """Returns a path."""
    return element("path", class_=kind, d=steps)


def picture(
    key: str, size: tuple[float, float], title: str, desc: str, *parts: Html, kind: str = "plot"
) -> Html:
    """
    Returns a whole plot as an image with a name and a description.

    Args:
        key: An id that no other plot of the page has.
        size: Its width and height in pixels.
        title: Its name, for who can't see it.
        desc: What it shows, for who can't see it.
        parts: What is in it, from the back to the front.
        kind: Classes of the style sheet.
    """
    wide, high = size
    return element(
        "svg",
        element("title", text(title), id=f"{key}-t"),
        element("desc", text(desc, limit=2000), id=f"{key}-d"),
        *parts,
        class_=kind,
        viewBox=f"0 0 {number(wide)} {number(high)}",
        role="img",
        aria_labelledby=f"{key}-t",
        aria_describedby=f"{key}-d",
    )
