"""
How often counters really move, seen beside the first trial of a run, which waits for nothing.

Readings come close together at first and then farther and farther apart, so that a quick counter is
known after milliseconds and a slow one after a few of its updates, by some hundred readings at most.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from fairtrial.api.meter import Host
from fairtrial.api.reading import Counter
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.guard import GuardedMeter
from fairtrial.energy.labels import MEASURED

MOST_S = 10.0
"""No counter is watched longer."""

_LEAST_GAP_S = 0.002
_GAPS = 16  # a gap is at most this part of the time so far
_READS = 20  # and at least so many times what a reading takes
_MOST_READS = 150
_TO_RAISE = 3
_TO_LOWER = 7
_COUNTS = 4  # moves of fewer counts show how fine a counter is, not how often it is updated


def paces(
    meters: Sequence[GuardedMeter],
    host: Host,
    pause: Callable[[float], object],
    most_s: float = MOST_S,
) -> Mapping[str, float]:
    """
    Returns the seconds between updates of counters that are slower or quicker than they say.

    Args:
        meters: Open ones.
        host: Whose clock tells how long it took.
        pause: How to wait; what it returns ends the watch where it is true.
        most_s: No longer than this.

    Returns:
        By `meter/counter`; none where what was seen agrees, or where too little was.
    """
    watched = {
        f"{meter.name}/{own.id}": own
        for meter in meters
        for own in meter.counters
        if own.label in MEASURED and not own.is_power and not own.is_cpu_time
    }
    rows: dict[str, list[Sample]] = {key: [] for key in watched}
    for _ in _instants(host, pause, most_s) if watched else ():
        for meter in meters:
            for reading in meter.read().readings:
                at_ns = (reading.before_ns + reading.after_ns) // 2
                row = rows.get(f"{meter.name}/{reading.counter}")
                if row is not None:
                    row.append(Sample(at_ns=at_ns, count=reading.count))
        if all(_is_enough(rows[key], counter) for key, counter in watched.items()):
            break
    found = {key: _pace(rows[key], counter) for key, counter in watched.items()}
    return {key: update_s for key, update_s in found.items() if update_s is not None}


def _instants(host: Host, pause: Callable[[float], object], most_s: float) -> Iterator[None]:
    """Yields whenever counters are to be read, at growing distances."""
    begun_ns = host.monotonic_ns()
    for _ in range(_MOST_READS):
        before_ns = host.monotonic_ns()
        yield
        now_ns = host.monotonic_ns()
        so_far_s, took_s = (now_ns - begun_ns) / NS, (now_ns - before_ns) / NS
        gap_s = max(_LEAST_GAP_S, so_far_s / _GAPS, _READS * took_s)
        if so_far_s + gap_s > most_s or pause(gap_s):
            return


def _moves(row: Sequence[Sample]) -> list[Sample]:
    """Returns the readings at which a counter had moved."""
    return [right for left, right in itertools.pairwise(row) if right.count != left.count]


def _is_enough(row: Sequence[Sample], counter: Counter) -> bool:
    """Whether nothing more is to be learnt: it is slower than it says, or moved often."""
    return len(_moves(row)) > _TO_LOWER or (_pace(row, counter) or 0) > (counter.update_s or 0)


def _pace(row: Sequence[Sample], counter: Counter) -> float | None:
    """
    Returns what to take for a counter's update in place of what it says; None to believe it.

    Between the first move and the last, updates took so long on average, give or take the widest
    gap between two readings.
    """
    moves = _moves(row)
    steps = len(moves) - 1
    if steps < _TO_RAISE:
        return None
    first, last = moves[0], moves[-1]
    if median(abs(b.count - a.count) for a, b in itertools.pairwise(moves)) < _COUNTS:
        return None
    seen_s = (last.at_ns - first.at_ns) / NS / steps
    within = [own for own in row if first.at_ns <= own.at_ns <= last.at_ns]
    doubt_s = max(right.at_ns - left.at_ns for left, right in itertools.pairwise(within)) / NS
    declared_s = counter.update_s or 0.0
    if seen_s - doubt_s > declared_s:
        return seen_s
    if steps >= _TO_LOWER and seen_s + doubt_s < declared_s:
        return seen_s + doubt_s
    return None
