"""
Gross joules of a stretch of the log, one figure a boundary, with what went wrong.

Which counters are added is decided here (see `atoms`), then each one's count (`deltas`, `power`);
one counter that can't be believed takes its whole boundary's figure away, because a sum without a
part would be a smaller number that nobody could tell from a better one.
"""

import math
import re
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.reading import Boundary, Counter, Label
from fairtrial.energy import atoms, mirrors
from fairtrial.energy.deltas import NS, Delta, delta
from fairtrial.energy.doubts import doubts
from fairtrial.energy.floor import floor_s
from fairtrial.energy.labels import MEASURED, STRENGTH, weakest
from fairtrial.energy.log import Log
from fairtrial.energy.power import integrate
from fairtrial.energy.reasons import told
from fairtrial.energy.regular import follows_clock

SLEEP_NS = NS // 2
"""More sleep than this inside a window makes its energy meaningless."""

_BUSY_SHARE = 0.20
_STALL_UPDATES = 5
_GAIN = {"soc-model": 0.15}
_GAIN_DEFAULT = 0.05


@frozen(kw_only=True)
class Gross:
    """
    What one boundary used in a stretch.

    Attributes:
        boundary: What the figure includes.
        label: The weakest of its parts.
        keys: The counters that were added.
        sensor: What measured, strongest first.
        coverage: Their atoms.
        microjoules: The sum; None where it can't be believed, with the reason as last flag.
        u_uj: One standard uncertainty in microjoules; None for an estimate.
        floor_s: Shorter stretches can't be told; 0 for an estimate.
        update_s: Seconds between updates of the slowest part; None where not known.
        flags: What happened.
        detail: What a meter said of its failure; empty for none.
    """

    boundary: Boundary
    label: Label
    keys: tuple[str, ...]
    sensor: str
    coverage: tuple[str, ...]
    microjoules: int | None
    u_uj: int | None
    floor_s: float
    update_s: float | None
    flags: tuple[str, ...]
    detail: str = ""


def gross(log: Log, begin: int, end: int, *, seen: int | None = None) -> tuple[Gross, ...]:
    """
    Works out what each boundary used between two snapshots.

    Args:
        log: What was read.
        begin: The first snapshot.
        end: The last one.
        seen: Up to which snapshot dies are looked at that may repeat each other; `end` where not
            given.

    Returns:
        One figure a boundary that has a counter, in the order of `Boundary`; none without
        counters.
    """
    counters = {key: own for key, own in log.counters.items() if not own.is_cpu_time}
    deltas = {key: _counted(log, key, begin, end) for key in counters}
    chosen, notes = _chosen(log, counters, deltas, end if seen is None else seen)
    found = []
    for boundary in Boundary:
        keys = tuple(key for key in chosen if counters[key].boundary is boundary)
        if keys:
            figure = _figure(log, keys, deltas, begin, end)
            found.append(evolve(figure, flags=(*notes.get(boundary, ()), *figure.flags)))
    return tuple(found)


def _chosen(
    log: Log, counters: Mapping[str, Counter], deltas: Mapping[str, Delta], seen: int
) -> tuple[Sequence[str], Mapping[Boundary, Sequence[str]]]:
    """Picks the counters to add, and the flags that picking them left."""
    notes: dict[Boundary, list[str]] = {}
    usable = dict(counters)
    for key in atoms.choose(counters).chosen:
        if atoms.is_platform(counters[key]) and _below_parts(key, counters, deltas):
            notes.setdefault(counters[key].boundary, []).append("psys-below-package")
            del usable[key]
    chosen = atoms.choose(usable).chosen
    repeated, doubtful = mirrors.find(log, chosen, seen)
    for key in repeated:
        notes.setdefault(counters[key].boundary, []).append("mirrored-zone")
    for key in doubtful:
        notes.setdefault(counters[key].boundary, []).append("mirror-unproven")
    unique = {boundary: tuple(dict.fromkeys(flags)) for boundary, flags in notes.items()}
    return [key for key in chosen if key not in repeated], unique


def _below_parts(key: str, counters: Mapping[str, Counter], deltas: Mapping[str, Delta]) -> bool:
    """Whether a platform counter counted less than the packages that it says it holds."""
    whole = deltas[key].microjoules
    inside = {
        other: own
        for other, own in counters.items()
        if other != key and own.label in MEASURED and atoms.shares(own, counters[key])
    }
    parts = [deltas[part].microjoules or 0 for part in atoms.choose(inside).chosen]
    return whole is not None and whole < sum(parts)


def _counted(log: Log, key: str, begin: int, end: int) -> Delta:
    """What one counter counted; a figure that the rest of the log contradicts is None."""
    counter = log.counters[key]
    if any(at > begin and at <= end and changed == key for at, changed in log.changes):
        return Delta(microjoules=None, flags=("counter-identity-changed",))
    if any(key not in log.snapshots[edge].counts for edge in (begin, end)):
        return Delta(microjoules=None, flags=("missing-reading",))
    samples = log.samples(key, begin, end)
    if counter.is_power:
        return integrate(samples, counter, samples[0].at_ns, samples[-1].at_ns)
    found = delta(samples, counter)
    if found.microjoules == 0 and _is_stalled(log, counter, begin, end):
        return Delta(microjoules=None, flags=("stalled-counter",))
    return found


def _is_stalled(log: Log, counter: Counter, begin: int, end: int) -> bool:
    """Whether a count of nothing is wrong: the part drew power, or its processor was busy."""
    if log.wall_ns(begin, end) / NS <= _STALL_UPDATES * (counter.update_s or 0.0):
        return False
    for key, rival in log.counters.items():
        if rival.is_power and rival.atoms == counter.atoms:
            drawn = [log.snapshots[edge].counts.get(key) for edge in (begin, end)]
            if all(reading is not None and reading[0] > 0 for reading in drawn):
                return True
    busy = busy_share(log, begin, end)
    return busy is not None and busy > _BUSY_SHARE and _is_processor(counter)


def _is_processor(counter: Counter) -> bool:
    return any(re.match(r"(pkg|cpu)", atom) for atom in counter.atoms)


def busy_share(log: Log, begin: int, end: int) -> float | None:
    """Returns which share of the machine's CPUs was busy; None where not known."""
    first, last = log.snapshots[begin], log.snapshots[end]
    wall_ns = log.wall_ns(begin, end)
    if first.busy_us is None or last.busy_us is None or not log.processors or wall_ns <= 0:
        return None
    return (last.busy_us - first.busy_us) * 1000 / (wall_ns * log.processors)


def _figure(
    log: Log, keys: Sequence[str], deltas: Mapping[str, Delta], begin: int, end: int
) -> Gross:
    """Adds the chosen counters of one boundary."""
    counters = [log.counters[key] for key in keys]
    label = weakest(counter.label for counter in counters)
    clocks = label in MEASURED and any(follows_clock(log, key, end) for key in keys)
    label = Label.ESTIMATOR if clocks else label
    measured = label in MEASURED
    floor = floor_s(counter.update_s for counter in counters) if measured else 0.0
    parts = [deltas[key] for key in keys]
    wall_s = log.wall_ns(begin, end) / NS
    flags = [flag for part in parts for flag in part.flags]
    flags += ["follows-clock"] if clocks else []
    broken = [part.flags[-1] for part in parts if part.microjoules is None]
    total = sum(part.microjoules or 0 for part in parts)
    if measured:
        flags += doubts(log, keys, deltas, begin, end)
    if wall_s < floor:
        flags.append("below-floor")
    if not broken and measured and total == 0:
        broken.append("below-min-window" if wall_s < floor else "stalled-counter")
    if log.asleep_ns(begin, end) > SLEEP_NS:
        broken.append("suspended")
    if measured and log.wall_ns(begin, end) <= 0 and not broken:
        broken.append("clock-backwards")
    return Gross(
        boundary=counters[0].boundary,
        label=label,
        keys=tuple(keys),
        sensor=_sensors(counters),
        coverage=tuple(sorted(frozenset[str]().union(*(own.atoms for own in counters)))),
        microjoules=None if broken else total,
        u_uj=_u_uj(log, keys, deltas, begin, end) if measured and not broken else None,
        floor_s=floor,
        update_s=max((own.update_s for own in counters if own.update_s), default=None),
        flags=tuple(dict.fromkeys([*(flag for flag in flags if flag not in broken), *broken])),
        detail=_details(log, keys, begin, end) if broken else "",
    )


def _u_uj(log: Log, keys: Sequence[str], deltas: Mapping[str, Delta], begin: int, end: int) -> int:
    """
    Returns one standard uncertainty: the ticks at both ends, the reads' width, and the gain.

    `u² = Σ (P·τ)²/6 + Σ (P·skew)²/12 + (Σ g·E)²`; the gains of one machine's counters are not
    independent, so they add up before they are squared.
    """
    variance, gain = 0.0, 0.0
    for key in keys:
        counter, part = log.counters[key], deltas[key]
        reads = [log.snapshots[edge].counts[key] for edge in (begin, end)]
        skew_s = max(after_ns - before_ns for _, before_ns, after_ns in reads) / NS
        variance += (part.peak_w * (counter.update_s or 0.0)) ** 2 / 6
        variance += (part.peak_w * skew_s) ** 2 / 12
        gain += _GAIN.get(counter.sensor, _GAIN_DEFAULT) * (part.microjoules or 0) / 1e6
    return round(math.sqrt(variance + gain**2) * 1e6)


def _sensors(counters: Sequence[Counter]) -> str:
    ranked = sorted(counters, key=lambda counter: STRENGTH.index(counter.label))
    return "+".join(dict.fromkeys(counter.sensor for counter in ranked))


def _details(log: Log, keys: Sequence[str], begin: int, end: int) -> str:
    """Returns what the meters behind a failed figure said."""
    meters = dict.fromkeys(key.split("/", 1)[0] for key in keys)
    return told(why for meter in meters for why in log.faults_of(meter, begin, end))
