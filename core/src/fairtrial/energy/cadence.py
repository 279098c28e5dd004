"""How often a counter is really updated, seen by reading it in a quick row on this machine."""

from collections.abc import Callable, Mapping, Sequence

from fairtrial.api.meter import Host
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.floor import update_s
from fairtrial.energy.guard import GuardedMeter

_LEAST_S = 0.05
_MOST_S = 10.0
_UPDATES = 8
_READS = 200
_MOST_READS = 1600


Row = Mapping[str, Sequence[Sample]]
"""Samples by counter id, read in a quick row."""


def cadences(
    meter: GuardedMeter, host: Host, pause: Callable[[float], object]
) -> Mapping[str, float | None]:
    """
    Returns the seconds between updates of an open meter's counters of energy.

    Args:
        meter: What is read.
        host: Whose clock tells when to stop.
        pause: How to wait between reads.

    Returns:
        By counter id; None, never 0, where a counter moved too seldom to tell.
    """
    samples = row(meter, host, pause)
    return {
        own.id: update_s(samples.get(own.id, ()))
        for own in meter.counters
        if not own.is_power and not own.is_cpu_time
    }


def row(meter: GuardedMeter, host: Host, pause: Callable[[float], object]) -> Row:
    """
    Reads an open meter's counters in a quick row.

    It takes eight updates of the slowest counter as far as the meter declares them, at most ten
    seconds.
    """
    declared = [own.update_s or 0.0 for own in meter.counters if not own.is_power]
    length_s = min(_MOST_S, max([_LEAST_S, *(_UPDATES * each for each in declared)]))
    found: dict[str, list[Sample]] = {}
    end_ns = host.monotonic_ns() + round(length_s * NS)
    for _ in range(_MOST_READS):
        answer = meter.read()
        for reading in answer.readings:
            at_ns = (reading.before_ns + reading.after_ns) // 2
            found.setdefault(reading.counter, []).append(Sample(at_ns=at_ns, count=reading.count))
        if host.monotonic_ns() >= end_ns or answer.faults:
            break
        pause(length_s / _READS)
    return found
