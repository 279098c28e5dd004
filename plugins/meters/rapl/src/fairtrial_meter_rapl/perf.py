"""
The `power` PMU: the same counters by way of perf_event_open(2).

The kernel undoes the wraps itself, and reading needs `perf_event_paranoid` ≤ 0 or CAP_PERFMON
instead of root. Each event is opened once a package, or once a die, on the CPUs that the PMU's
`cpumask` names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from fairtrial_meter_rapl.zones import number_of, text_of

if TYPE_CHECKING:
    from pathlib import Path  # takes longer to import than the whole of this package

OpenEvent = Callable[[int, int, int], int]
"""Opens an event of a type and config on a CPU; returns a file descriptor, or raises OSError."""

_SYSCALLS = {"x86_64": 298, "aarch64": 241}
_ATTR_BYTES = 128
_CLOSE_ON_EXEC = 8
_KINDS = {"energy-pkg": "pkg", "energy-ram": "dram"}


class Event(NamedTuple):
    """
    One event on one package, or one die of it.

    Attributes:
        id: What it covers, such as `pkg0`, or `pkg0/die1`.
        type: The PMU's number.
        config: The event's number.
        cpu: Where it is opened.
        microjoules: What one count is worth.
    """

    id: str
    type: int
    config: int
    cpu: int
    microjoules: float


def events(sysfs: Path) -> Iterator[Event]:
    """Finds the events of packages and memory; none where the kernel has no `power` PMU."""
    pmu = sysfs / "bus" / "event_source" / "devices" / "power"
    kind = number_of(pmu / "type")
    if kind is None:
        return
    for cpu, place in _places(sysfs, text_of(pmu / "cpumask") or ""):
        for name, atom in _KINDS.items():
            coded = re.search(r"event=(0x[0-9a-f]+)", text_of(pmu / "events" / name) or "")
            joules = _float(text_of(pmu / "events" / f"{name}.scale"))
            if coded and joules:
                yield Event(
                    id=f"{atom}{place}",
                    type=kind,
                    config=int(coded[1], 16),
                    cpu=cpu,
                    microjoules=joules * 1e6,
                )


def _places(sysfs: Path, mask: str) -> Iterator[tuple[int, str]]:
    """Yields each CPU of a mask with its package, and its die where a package has several."""
    found: list[tuple[int, int, int]] = []
    for cpu in _cpus(mask):
        topology = sysfs / "devices" / "system" / "cpu" / f"cpu{cpu}" / "topology"
        package, die = (number_of(topology / f"{of}_id") for of in ("physical_package", "die"))
        found.append((cpu, package or 0, die or 0))
    for cpu, package, die in found:
        several = len({other for _, own, other in found if own == package}) > 1
        yield cpu, f"{package}/die{die}" if several else str(package)


def _cpus(mask: str) -> Iterator[int]:
    """Reads a list of CPUs such as `0,24-25`."""
    for part in filter(None, mask.split(",")):
        first, _, last = part.partition("-")
        if first.isdecimal():
            yield from range(int(first), int(last if last.isdecimal() else first) + 1)


def _float(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def open_event(kind: int, config: int, cpu: int) -> int:
    """
    Opens an event for the whole machine on one CPU.

    Raises:
        OSError: The kernel refuses, most often because `perf_event_paranoid` is above 0.
    """
    import ctypes  # noqa: PLC0415 - a meter is imported in milliseconds; few machines need perf
    import platform  # noqa: PLC0415 - as above

    number = _SYSCALLS.get(platform.machine())
    if number is None:
        raise OSError(0, f"perf_event_open has no known number on {platform.machine()}")
    attr = bytearray(_ATTR_BYTES)
    attr[0:4] = kind.to_bytes(4, "little")
    attr[4:8] = _ATTR_BYTES.to_bytes(4, "little")
    attr[8:16] = config.to_bytes(8, "little")
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = (ctypes.c_char * _ATTR_BYTES).from_buffer(attr)
    descriptor = int(libc.syscall(number, buffer, -1, cpu, -1, _CLOSE_ON_EXEC))
    if descriptor < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return descriptor
