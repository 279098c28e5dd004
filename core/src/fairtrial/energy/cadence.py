"""How often a counter is really updated, seen by reading it in a quick row on this machine."""

from collections.abc import Callable, Mapping, Sequence

from fairtrial.api.meter import Host
from fairtrial.api.reading import Counter
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.floor import update_s
from fairtrial.energy.guard import GuardedMeter

_LEAST_S = 0.05
_MOST_S = 10.0
_UPDATES = 8
_READS = 200


def cadences(
    meter: GuardedMeter, host: Host, pause: Callable[[float], object]
) -> Mapping[str, float | None]:
    """
    Reads an open meter's counters in a quick row.

    It takes eight updates of the slowest counter as far as the meter declares them, at most ten
    seconds.

    Args:
        meter: What is read.
        host: Whose clock tells when to stop.
        pause: How to wait between reads.

    Returns:
        Seconds between updates by counter id; None, never 0, where a counter moved too seldom.
    """
    declared = [own.update_s or 0.0 for own in meter.counters if not own.is_power]
    length_s = min(_MOST_S, max([_LEAST_S, *(_UPDATES * each for each in declared)]))
    samples = _row(meter, host, length_s, pause)
    return {own.id: _measured(own, samples.get(own.id, ())) for own in meter.counters}


def _measured(counter: Counter, samples: Sequence[Sample]) -> float | None:
    return None if counter.is_power or counter.is_cpu_time else update_s(samples)


def _row(
    meter: GuardedMeter, host: Host, length_s: float, pause: Callable[[float], object]
) -> Mapping[str, list[Sample]]:
    found: dict[str, list[Sample]] = {}
    end_ns = host.monotonic_ns() + round(length_s * NS)
    for _ in range(_READS * _UPDATES):
        answer = meter.read()
        for reading in answer.readings:
            at_ns = (reading.before_ns + reading.after_ns) // 2
            found.setdefault(reading.counter, []).append(Sample(at_ns=at_ns, count=reading.count))
        if host.monotonic_ns() >= end_ns or answer.faults:
            break
        pause(length_s / _READS)
    return found
