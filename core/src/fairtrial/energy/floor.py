"""
The shortest window that a counter can tell, from how often it is updated.

Each end of a window is uniform in one update, so the error of `power × update` has a variance of
`(P·τ)²/12` an end. It is at most 5 % of the energy in windows of `τ / (0.05·√6)`, which is 8.17 τ.
"""

import itertools
from collections.abc import Iterable, Sequence
from statistics import median

from fairtrial.energy.deltas import NS, Sample

UPDATES = 8.17
"""Windows of fewer updates than this are below the floor."""

LEAST_S = 0.1
"""No measured window below this is told apart, however fast the counter."""

_ENOUGH_STEPS = 3


def floor_s(updates_s: Iterable[float | None]) -> float:
    """Returns the floor in seconds for counters that are added, the slowest deciding."""
    return max([LEAST_S, *(UPDATES * update_s for update_s in updates_s if update_s)])


def update_s(samples: Sequence[Sample]) -> float | None:
    """
    Returns the seconds between two updates of a counter that was read in a quick row.

    The median distance between readings at which it had moved; None, never 0, where it moved too
    seldom to tell.
    """
    moved_ns = [
        right.at_ns for left, right in itertools.pairwise(samples) if right.count != left.count
    ]
    steps_ns = [right_ns - left_ns for left_ns, right_ns in itertools.pairwise(moved_ns)]
    if len(steps_ns) < _ENOUGH_STEPS:
        return None
    return median(steps_ns) / NS or None
