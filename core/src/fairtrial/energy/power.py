"""
Energy from a meter that shows only power: the area under its readings.

Trapezoids between readings; a gap of more than three updates is not bridged, because nobody saw
what happened in it.
"""

import itertools
from collections.abc import Sequence

from fairtrial.api.reading import Counter
from fairtrial.energy.deltas import NS, Delta, Sample, cap_w

GAP_UPDATES = 3
"""How many updates may pass between two readings."""


def integrate(samples: Sequence[Sample], counter: Counter, begin_ns: int, end_ns: int) -> Delta:
    """
    Returns the energy between two instants.

    Args:
        samples: Readings in the window and, if there are some, the ones around it.
        counter: What was read; its `update_s` says how long a reading holds.
        begin_ns: Where the window begins.
        end_ns: Where it ends; an edge is at most one update away from the nearest reading.

    Returns:
        Microjoules, or None with `missing-reading`, `clock-backwards` or `sample-gap`. Readings
        above what the hardware can draw count as missing.
    """
    update_ns = round((counter.update_s or 1.0) * NS)
    most = cap_w(counter)
    believed = [
        (sample.at_ns, sample.count * counter.microjoules_per_count / 1e6)
        for sample in samples
        if 0 <= sample.count * counter.microjoules_per_count / 1e6 <= most
    ]
    if not believed:
        return Delta(microjoules=None, flags=("missing-reading",))
    points = _with_edges(believed, begin_ns, end_ns, update_ns)
    if points is None:
        return Delta(microjoules=None, flags=("sample-gap",))
    joules = 0.0
    for (t0_ns, left_w), (t1_ns, right_w) in itertools.pairwise(points):
        if t1_ns < t0_ns:
            return Delta(microjoules=None, flags=("clock-backwards",))
        if t1_ns - t0_ns > GAP_UPDATES * update_ns:
            return Delta(microjoules=None, flags=("sample-gap",))
        joules += (left_w + right_w) / 2 * (t1_ns - t0_ns) / NS
    peak_w = max(watts for _, watts in points)
    return Delta(microjoules=round(joules * 1e6), flags=("integrated",), peak_w=peak_w)


def _with_edges(
    points: Sequence[tuple[int, float]], begin_ns: int, end_ns: int, update_ns: int
) -> Sequence[tuple[int, float]] | None:
    """Adds the window's edges, held from the nearest reading; None where that is too far."""
    inside = [point for point in points if begin_ns <= point[0] <= end_ns]
    if not inside:
        return None
    (first_ns, first_w), (last_ns, last_w) = inside[0], inside[-1]
    if first_ns - begin_ns > update_ns or end_ns - last_ns > update_ns:
        return None
    return [(begin_ns, first_w), *inside, (end_ns, last_w)]
