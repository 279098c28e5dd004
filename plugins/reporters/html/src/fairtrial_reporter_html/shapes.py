"""What marks look like: a solver's colour and shape, the same in all plots of a run."""

from collections.abc import Iterable, Mapping

from attrs import frozen
from fairtrial.figures.tally import CONTROLS

from fairtrial_reporter_html.markup import Html, element, number

COLOURS = 7
"""How many colours the style sheet has, `c0` and on."""

_SHAPES = (
    "-5,-5 5,-5 5,5 -5,5",
    "0,-6 6,5 -6,5",
    "0,-7 7,0 0,7 -7,0",
    "0,6 6,-5 -6,-5",
    "-2,-6 2,-6 2,-2 6,-2 6,2 2,2 2,6 -2,6 -2,2 -6,2 -6,-2 -2,-2",
)
"""The shapes after the disc: square, triangle, diamond, triangle on its tip, cross."""

SIZE = 7.0
"""Pixels from a mark's middle to its edge, at most."""


@frozen(kw_only=True)
class Look:
    """
    How a solver is drawn.

    Attributes:
        colour: A class of the style sheet.
        shape: Which shape; 0 is a disc.
    """

    colour: str
    shape: int


def looks(solvers: Iterable[str]) -> Mapping[str, Look]:
    """
    Returns a look for each solver, by its place among them.

    Six shapes and seven colours have no common factor, so that 42 solvers look different, and
    neighbours differ in both.
    """
    agents = [solver for solver in solvers if solver not in CONTROLS]
    found = {
        solver: Look(colour=f"c{place % COLOURS}", shape=place % (len(_SHAPES) + 1))
        for place, solver in enumerate(agents)
    }
    for place, solver in enumerate(CONTROLS):
        found[solver] = Look(colour="ctl", shape=place)
    return found


def mark(look: Look, x: float, y: float, *, kind: str = "m") -> Html:
    """
    Returns a mark of a plot.

    Args:
        look: The solver's.
        x: Pixels from the left.
        y: Pixels from the top.
        kind: `m` for a full mark, `h` for a hollow one.
    """
    classes = f"{kind} {look.colour}"
    if look.shape == 0:
        return element("circle", class_=classes, cx=x, cy=y, r=5.5)
    return element(
        "polygon",
        class_=classes,
        points=_SHAPES[look.shape - 1],
        transform=f"translate({number(x)} {number(y)})",
    )


def swatch(look: Look, *, kind: str = "m") -> Html:
    """Returns a mark for a line of text."""
    return element(
        "svg", mark(look, 8, 8, kind=kind), class_="key", viewBox="0 0 16 16", aria_hidden="true"
    )
