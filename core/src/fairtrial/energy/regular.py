"""
Counters that only follow the clock, whatever they say of themselves.

Nothing that is measured draws the same power to one part in a million again and again. A counter
that does over stretches of different lengths is watts × seconds, and its figures are estimates.
"""

import itertools

from fairtrial.energy.log import Log

_LOOK_BACK = 64
_ENOUGH = 8
_ALIKE = 1e-6
_LEAST_COUNTS = 100_000  # below, rounding to whole counts alone could hide a difference
_VARIED = 1.01


def follows_clock(log: Log, key: str, end: int) -> bool:
    """
    Returns whether a counter is no more than a clock, as far as its samples tell.

    Args:
        log: What was read.
        key: The counter.
        end: The last snapshot to look at.
    """
    samples = log.samples(key, max(0, end - _LOOK_BACK), end)
    steps = [
        (right.at_ns - left.at_ns, right.count - left.count)
        for left, right in itertools.pairwise(samples)
    ]
    long = [(span, counts) for span, counts in steps if counts >= _LEAST_COUNTS and span > 0]
    if len(long) < _ENOUGH or len(long) < len(steps) // 2:
        return False
    spans = [span for span, _ in long]
    powers = [counts / span for span, counts in long]
    if max(spans) < _VARIED * min(spans):
        return False
    slack = _ALIKE + 1 / min(counts for _, counts in long)
    return max(powers) - min(powers) <= slack * max(powers)
