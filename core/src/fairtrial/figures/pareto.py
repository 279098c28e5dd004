"""Which solvers no other one beats on both axes."""

import math
from collections.abc import Sequence

from attrs import frozen


@frozen(kw_only=True)
class Contender:
    """
    A point that competes.

    Attributes:
        resolution: Share of tasks resolved; more is better.
        price: Joules or dollars a resolved task; less is better; None counts as infinite.
    """

    resolution: float
    price: float | None

    def beats(self, other: "Contender") -> bool:
        """Whether this one is at least as good on both axes, and better on one."""
        if self.resolution < other.resolution or self.paid > other.paid:
            return False
        return self.resolution > other.resolution or self.paid < other.paid

    @property
    def paid(self) -> float:
        """The price, infinite where nothing was resolved."""
        return math.inf if self.price is None else self.price


def on_front(contenders: Sequence[Contender]) -> tuple[bool, ...]:
    """
    Returns, for each contender, whether it resolved something and no other one dominates it.

    One that resolved nothing is no choice at any price, also where it is alone.
    """
    return tuple(
        point.resolution > 0 and not any(other.beats(point) for other in contenders)
        for point in contenders
    )
