"""What speaks against a figure that could be worked out: flags that a reader should see."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev

from fairtrial.api.reading import Counter
from fairtrial.energy import atoms
from fairtrial.energy.deltas import NS, Delta, Sample, cap_w
from fairtrial.energy.log import Log
from fairtrial.energy.reasons import PARTIAL

_MISMATCH = 0.15
_SLOW_NS = 5_000_000
_ENOUGH = 20
_SIGMAS = 4


def doubts(
    log: Log, keys: Sequence[str], deltas: Mapping[str, Delta], begin: int, end: int
) -> Iterable[str]:
    """Flags for parts left out, slow reads, and a power counter that disagrees."""
    counters = {key: log.counters[key] for key in keys}
    slow_ns = max(_SLOW_NS, log.wall_ns(begin, end) // 100)
    for edge in (begin, end):
        reads = [log.snapshots[edge].counts[k] for k in keys if k in log.snapshots[edge].counts]
        if any(after_ns - before_ns > slow_ns for _, before_ns, after_ns in reads):
            yield "slow-read"
    for key, counter in counters.items():
        for other, rival in log.counters.items():
            if rival.is_power and not counter.is_power and rival.atoms == counter.atoms:
                counted_uj, integral_uj = deltas[key].microjoules, deltas[other].microjoules
                yield from _mismatch(counted_uj, integral_uj)
                if integral_uj is None and log.version > 1:
                    yield from _below_samples(counted_uj, log.samples(other, begin, end), rival)
    if any(counter.is_shared for counter in counters.values()):
        yield "shared-counter"
    yield from _partial(log, counters)


def _mismatch(counted_uj: int | None, integral_uj: int | None) -> Iterable[str]:
    if counted_uj is None or not integral_uj:
        return
    if abs(counted_uj - integral_uj) > _MISMATCH * integral_uj:
        yield "counter-power-mismatch"


def _below_samples(
    counted_uj: int | None, samples: Sequence[Sample], power: Counter
) -> Iterable[str]:
    """
    Flags a counter that stays below a power that was read too seldom to integrate it.

    Readings that fall between bursts make a sound counter look too high, so only too low a one is
    told, and only where there are readings enough that hardly all of them met a burst.
    """
    apart = _apart(samples)
    if counted_uj is None or len(apart) < _ENOUGH:
        return
    watts = [own.count * power.microjoules_per_count / 1e6 for own in apart]
    if max(watts) > cap_w(power):
        return
    expected_w, error_w = fmean(watts), stdev(watts) / math.sqrt(len(watts))
    missing_w = expected_w - counted_uj * 1000 / (samples[-1].at_ns - samples[0].at_ns)
    if missing_w > max(_MISMATCH * expected_w, _SIGMAS * error_w):
        yield "counter-power-mismatch"


def _apart(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Leaves out readings right after another, which windows bring that begin and end meanwhile."""
    found: list[Sample] = []
    for own in samples:
        if not found or own.at_ns - found[-1].at_ns >= NS:
            found.append(own)
    return found


def _partial(log: Log, counters: Mapping[str, Counter]) -> Iterable[str]:
    """
    Names the kinds of atoms that a meter of this figure knows of and can't read.

    A place with a colon in its name leads to a part of which nobody knows what it is.
    """
    covered = [atom for counter in counters.values() for atom in counter.atoms]
    for meter in dict.fromkeys(key.split("/", 1)[0] for key in counters):
        # In the order of receipts, in which keys are sorted.
        for atom in sorted(log.missing.get(meter, {})):
            named = re.fullmatch(r"([a-z]+)\d+(/die\d+)?", atom)
            if named and not any(atoms.overlap(own, atom) for own in covered):
                yield f"{PARTIAL}{'package' if named[1] == 'pkg' else named[1]}"
            elif ":" in atom:
                yield f"{PARTIAL}{atom}"
