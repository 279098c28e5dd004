"""What speaks against a figure that could be worked out: flags that a reader should see."""

import re
from collections.abc import Iterable, Mapping, Sequence

from fairtrial.api.reading import Counter
from fairtrial.energy import atoms
from fairtrial.energy.deltas import Delta
from fairtrial.energy.log import Log
from fairtrial.energy.reasons import PARTIAL

_MISMATCH = 0.15
_SLOW_NS = 5_000_000


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
                yield from _mismatch(deltas[key].microjoules, deltas[other].microjoules)
    if any(counter.is_shared for counter in counters.values()):
        yield "shared-counter"
    yield from _partial(log, counters)


def _mismatch(counted_uj: int | None, integral_uj: int | None) -> Iterable[str]:
    if counted_uj is None or not integral_uj:
        return
    if abs(counted_uj - integral_uj) > _MISMATCH * integral_uj:
        yield "counter-power-mismatch"


def _partial(log: Log, counters: Mapping[str, Counter]) -> Iterable[str]:
    """
    Names the kinds of atoms that a meter of this figure knows of and can't read.

    A place with a colon in its name leads to a part of which nobody knows what it is.
    """
    covered = [atom for counter in counters.values() for atom in counter.atoms]
    for meter in dict.fromkeys(key.split("/", 1)[0] for key in counters):
        for atom in log.missing.get(meter, {}):
            named = re.fullmatch(r"([a-z]+)\d+(/die\d+)?", atom)
            if named and not any(atoms.overlap(own, atom) for own in covered):
                yield f"{PARTIAL}{'package' if named[1] == 'pkg' else named[1]}"
            elif ":" in atom:
                yield f"{PARTIAL}{atom}"
