"""Names beside marks, so placed that none covers a mark or another name."""

from collections.abc import Iterator, Sequence

from attrs import frozen
from fairtrial.figures.markdown import safe, width

from fairtrial_reporter_html.markup import Html, element, join, number, text

CHARACTER = 6.6
"""Pixels that a character of a label takes, on average and generously, at its size of 12."""

LIMIT = 26
"""Most characters of a name in a plot."""

LINE = 13.0
_NEAR, _FAR = 9.0, 24.0


@frozen(kw_only=True)
class Box:
    """A rectangle, in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the two cover a place together."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        """Whether the other one lies wholly in this one."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


def around(x: float, y: float, size: float) -> Box:
    """Returns the square around a mark."""
    return Box(left=x - size, top=y - size, right=x + size, bottom=y + size)


@frozen(kw_only=True)
class Label:
    """
    A placed name.

    Attributes:
        box: Where it stands.
        anchor: Which part of the text is at `x`: `start`, `middle` or `end`.
        x: The anchor.
        y: The text's baseline.
        far: Whether it is so far from its mark that a line should join them.
        mark: The mark's place.
    """

    box: Box
    anchor: str
    x: float
    y: float
    far: bool
    mark: tuple[float, float]


def placed(
    wanted: Sequence[tuple[float, float, str]],
    frame: Box,
    marks: Sequence[Box],
    bars: Sequence[Box] = (),
) -> list[Label | None]:
    """
    Returns a place for each name, those that come first served first.

    Args:
        wanted: Each mark's place, and its name.
        frame: What no name may leave.
        marks: What no name may cover.
        bars: What a name had better not cover.

    Returns:
        One place for each name; None where there is no room.
    """
    taken = list(marks)
    found: list[Label | None] = []
    for x, y, name in wanted:
        free = (
            label
            for label in _candidates(x, y, CHARACTER * width(short(name)))
            if frame.holds(label.box) and not any(label.box.meets(box) for box in taken)
        )
        # `min` takes the first of equals, so that the order of candidates is that of preference.
        best = min(free, key=lambda label: _covered(label.box, bars) + label.far, default=None)
        found.append(best)
        if best is not None:
            taken.append(best.box)
    return found


def _covered(box: Box, bars: Sequence[Box]) -> int:
    return sum(box.meets(bar) for bar in bars)


def _candidates(x: float, y: float, wide: float) -> Iterator[Label]:
    for far, gap in ((False, _NEAR), (True, _FAR)):
        for down in (-gap, gap) if far else (0.0, -gap, gap):
            aside = _NEAR if down == 0 or far else 6.0
            yield _label((x, y), (aside, down), wide, "start", far=far)
            yield _label((x, y), (-aside, down), wide, "end", far=far)
        for down in (-gap - 4, gap + 4):
            yield _label((x, y), (0.0, down), wide, "middle", far=far)


def _label(
    mark: tuple[float, float], off: tuple[float, float], wide: float, anchor: str, *, far: bool
) -> Label:
    x, y = mark[0] + off[0], mark[1] + off[1]
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    box = Box(left=left, top=y - LINE / 2, right=left + wide, bottom=y + LINE / 2)
    return Label(box=box, anchor=anchor, x=x, y=y + 4, far=far, mark=mark)


def short(name: str) -> str:
    """Returns a name as it stands in a plot."""
    return safe(name, limit=LIMIT)


def drawn(label: Label, name: str, *, strong: bool = False) -> Html:
    """Returns a placed name, with a line to its mark where that is far."""
    shown = element(
        "text",
        text(short(name)),
        class_="l on" if strong else "l",
        x=label.x,
        y=label.y,
        text_anchor=label.anchor,
    )
    if not label.far:
        return shown
    x, y = label.mark
    step = f"M{number(x)} {number(y)}L{number(label.x)} {number(label.y - 4)}"
    return join((element("path", class_="lead", d=step), shown))
