"""
Sharing out a machine's joules by CPU time, where a window did not have the machine to itself.

What comes out is an estimate, whatever the counter was: CPU time says nothing of memory, of
frequency, or of what the machine would have used anyway. It is done only where a meter of CPU time
is configured.
"""

from collections.abc import Mapping

from fairtrial.energy.gross import Gross
from fairtrial.energy.log import Log, Span

SHARED = frozenset({"concurrent-window", "concurrent-trial", "concurrent-run"})
"""Flags of windows whose joules are not their own."""

_SLACK_US = 20_000  # two ticks of /proc/stat, one at each end


def shares(used_us: Mapping[str, int], busy_us: int) -> Mapping[str, float]:
    """
    Returns each user's share of the CPU time of a machine.

    Args:
        used_us: CPU microseconds by user.
        busy_us: CPU microseconds in which the machine was busy.

    Raises:
        ValueError: The users used more than the machine had, so that their joules would add up
            to more than were measured.
    """
    total = sum(used_us.values())
    if total > busy_us + _SLACK_US:
        msg = f"{total} µs of CPU time were used of {busy_us} µs"
        raise ValueError(msg)
    whole = max(busy_us, total, 1)
    return {name: used / whole for name, used in used_us.items()}


def attributed_uj(energy_uj: int, used_us: int, busy_us: int) -> int:
    """
    Returns the microjoules of one user: `E · used / busy`.

    Raises:
        ValueError: It used more CPU time than the machine had.
    """
    return round(energy_uj * shares({"own": used_us}, busy_us)["own"])


def asked_for(log: Log) -> bool:
    """Returns whether a meter of CPU time is configured."""
    return any(counter.is_cpu_time for counter in log.counters.values())


def cpu_times_us(log: Log, span: Span, end: int) -> tuple[int, int] | None:
    """
    Returns the CPU time that a window's attempt used and the machine's, in microseconds.

    What the attempt's own sandbox measured is taken first. The cgroup of a counter holds all that
    the run does, so it is no answer where another trial was worked on; nor is this process's
    own, which has no identity, where the attempt's programs were in others.
    """
    busy = [_counted_us(log, key, span.begin, end) for key in _keys(log, "cpu-host")]
    if not busy or busy[0] is None:
        return None
    if span.cpu_us is not None:
        return span.cpu_us, busy[0]
    keys = [key for key in _keys(log, "cpu-group") if log.counters[key].identity or not span.apart]
    own = [_counted_us(log, key, span.begin, end) for key in keys]
    if log.rivals(span) or log.is_beside_others(span) or not own or own[0] is None:
        return None
    return own[0], busy[0]


def _keys(log: Log, atom: str) -> list[str]:
    return [
        key
        for key, counter in sorted(log.counters.items())  # in the order of receipts
        if counter.is_cpu_time and atom in counter.atoms
    ]


def _counted_us(log: Log, key: str, begin: int, end: int) -> int | None:
    first, last = (log.snapshots[edge].counts.get(key) for edge in (begin, end))
    if first is None or last is None or last[0] < first[0]:
        return None
    return round((last[0] - first[0]) * log.counters[key].microjoules_per_count)


def is_shared(figure: Gross, flags: frozenset[str]) -> bool:
    """Returns whether a figure's window did not have the machine to itself."""
    return figure.microjoules is not None and bool(flags & (SHARED | {"foreign-cpu"}))
