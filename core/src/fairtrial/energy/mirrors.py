"""
Dies that show one and the same counter, which some AMD parts do for each die of a package.

Counted for each die, the package would be counted twice or more; see `atoms.mirrored` for the
test, which needs intervals long enough that one update is nothing in them.
"""

import itertools
import re
from collections.abc import Sequence

from fairtrial.energy.atoms import mirrored
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.log import Log

_UPDATES = 1000
_LOOK_BACK = 200
_DIE = re.compile(r"(pkg\d+)/die\d+")


def find(log: Log, keys: Sequence[str], end: int) -> tuple[frozenset[str], frozenset[str]]:
    """
    Finds dies of one package that repeat each other, from all samples up to a snapshot.

    Returns:
        Keys of the repeated ones (the first of each set is kept), and keys for which too few
        samples were there to tell.
    """
    dies: dict[str, list[str]] = {}
    for key in sorted(keys):
        named = [_DIE.fullmatch(atom) for atom in log.counters[key].atoms]
        if len(named) == 1 and named[0]:
            dies.setdefault(named[0][1], []).append(key)
    repeated: set[str] = set()
    doubtful: set[str] = set()
    for group in dies.values():
        for one, other in itertools.combinations(group, 2):
            if one in repeated or other in repeated:
                continue
            answer = mirrored(*_intervals(log, one, other, end))
            if answer:
                repeated.add(other)
            elif answer is None:
                doubtful |= {one, other}
    return frozenset(repeated), frozenset(doubtful - repeated)


def _intervals(
    log: Log, one: str, other: str, end: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Returns what both counted in the same long intervals, and what one update was worth."""
    pairs = [
        (log.samples(one, index, index), log.samples(other, index, index))
        for index in range(max(0, end - _LOOK_BACK), end + 1)
    ]
    both = [(left[0], right[0]) for left, right in pairs if left and right]
    update_ns = round((log.counters[one].update_s or 0.001) * NS)
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    last: tuple[Sample, Sample] | None = None
    for pair in both:
        if last is not None and pair[0].at_ns - last[0].at_ns < _UPDATES * update_ns:
            continue
        if last is not None:
            span_ns = pair[0].at_ns - last[0].at_ns
            for found, old, new in zip((left, right), last, pair, strict=True):
                counts = new.count - old.count
                found.append((counts, counts * update_ns // span_ns))
        last = pair
    return left, right
