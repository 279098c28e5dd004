"""
What can be measured on a machine, looked at once and thoroughly: for people, before a run.

Besides what each meter says of itself, every counter is read in a quick row, which shows how often
it moves and whether it goes with the power that the same part draws.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import field, frozen

from fairtrial.api.meter import Host, Meter
from fairtrial.api.reading import Counter, Probe
from fairtrial.energy.cadence import Row, row
from fairtrial.energy.deltas import NS
from fairtrial.energy.floor import floor_s, update_s
from fairtrial.energy.guard import Answer, GuardedMeter
from fairtrial.energy.labels import MEASURED

_LEAST_SHARE, _MOST_SHARE = 0.2, 5.0


@frozen(kw_only=True)
class SeenCounter:
    """
    One counter, as it behaves here.

    Attributes:
        counter: As described, its label as granted.
        update_s: Seconds between its updates as seen; None where it moved too seldom.
        floor_s: The shortest window that it can tell; None for what measures nothing.
        problem: What is wrong with it; empty for nothing.
    """

    counter: Counter
    update_s: float | None = None
    floor_s: float | None = None
    problem: str = ""


@frozen(kw_only=True)
class SeenMeter:
    """
    One meter, as it behaves here.

    Attributes:
        name: Its name.
        counters: What it reads.
        unavailable: What it can't read, with the way to get it.
    """

    name: str
    counters: tuple[SeenCounter, ...] = ()
    unavailable: Mapping[str, str] = field(factory=dict)


def ask(name: str, meter: Meter, host: Host) -> tuple[Probe, tuple[str, ...]]:
    """
    Asks a meter what it can read and reads it once, behind the guard.

    Returns:
        What it says, and what it did wrong: it raised, hung, showed what is no count or nothing,
        opened other counters than it had named, or claimed a stronger label than its sensor can
        have.
    """
    guarded = GuardedMeter(name=name, meter=meter, host=host)
    probe = guarded.probe()
    if not probe.counters:
        guarded.close()
        return probe, ()
    why = guarded.open()
    answer = Answer(faults=(why,)) if why else guarded.read()
    others = () if why else tuple(_others(probe.counters, guarded.counters))
    hung, unclosed = guarded.hung, guarded.close()
    # Of one that hangs at once, closing it tells the same again.
    wrong = (
        *others,
        *answer.faults,
        *answer.absent,
        *([unclosed] if unclosed and not hung else []),
    )
    return probe, (*guarded.overclaims, *wrong)


def _others(named: Sequence[Counter], opened: Sequence[Counter]) -> Iterator[str]:
    """Names counters that are not those, or not what, a probe said."""
    known = {own.id: own for own in named}
    for own in opened:
        told = known.get(own.id)
        if told is None:
            yield f"“{own.id}” was opened and not named before"
        elif (told.label, told.boundary, told.atoms) != (own.label, own.boundary, own.atoms):
            yield f"“{own.id}” was opened as another counter than it was named"
    found = {own.id for own in opened}
    yield from (f"“{name}” was named and not opened" for name in known if name not in found)


def look(
    meters: Mapping[str, Meter], host: Host, pause: Callable[[float], object] = time.sleep
) -> tuple[SeenMeter, ...]:
    """Looks at each meter; one that fails is shown with its reason, never raised."""
    return tuple(_look(name, meter, host, pause) for name, meter in meters.items())


def _look(name: str, meter: Meter, host: Host, pause: Callable[[float], object]) -> SeenMeter:
    guarded = GuardedMeter(name=name, meter=meter, host=host)
    unavailable = dict(guarded.probe().unavailable)
    why = guarded.open()
    if why:
        guarded.close()
        return SeenMeter(name=name, unavailable=unavailable or {name: why})
    readings = row(guarded, host, pause)
    last = guarded.read()
    faults = "; ".join((*guarded.overclaims, *last.faults))
    guarded.close()
    # One that gave readings and gives none any more is told like one that never did.
    still = {own.counter for own in last.readings}
    readings = {own: samples for own, samples in readings.items() if own in still}
    return SeenMeter(
        name=name,
        counters=tuple(_seen(own, guarded.counters, readings, faults) for own in guarded.counters),
        unavailable=unavailable,
    )


def _seen(
    counter: Counter, all_counters: tuple[Counter, ...], readings: Row, faults: str
) -> SeenCounter:
    samples = readings.get(counter.id, ())
    if not samples:
        return SeenCounter(counter=counter, problem=faults or "it gave no reading")
    if counter.is_power or counter.is_cpu_time or counter.label not in MEASURED:
        return SeenCounter(counter=counter, problem=faults)
    seen_s = update_s(samples)
    return SeenCounter(
        counter=counter,
        update_s=seen_s,
        floor_s=floor_s([counter.update_s if seen_s is None else seen_s]),
        problem=faults or _disagreement(counter, all_counters, readings),
    )


def _disagreement(counter: Counter, all_counters: tuple[Counter, ...], readings: Row) -> str:
    """Compares a counter with the power of the same part over the row."""
    samples = readings[counter.id]
    span_s = (samples[-1].at_ns - samples[0].at_ns) / NS
    counted_j = (samples[-1].count - samples[0].count) * counter.microjoules_per_count / 1e6
    for rival in all_counters:
        powers = readings.get(rival.id, ())
        if not (rival.is_power and rival.atoms == counter.atoms and powers):
            continue
        mean_w = sum(own.count for own in powers) / len(powers)
        expected_j = mean_w * rival.microjoules_per_count / 1e6 * span_s
        if expected_j > 0 and counted_j <= 0:
            return f"it stands still while the part draws {expected_j / span_s:.0f} W"
        if not _LEAST_SHARE * expected_j <= counted_j <= _MOST_SHARE * expected_j:
            return f"it counted {counted_j:.1f} J where the power says {expected_j:.1f} J"
    return ""
