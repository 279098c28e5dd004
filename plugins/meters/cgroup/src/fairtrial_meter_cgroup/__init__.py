"""A meter for fairtrial: CPU time, to share out joules on a machine that others use too."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen
from fairtrial.api import (
    Boundary,
    Counter,
    Host,
    Label,
    MachineError,
    Meter,
    MeterSession,
    Probe,
    RawReading,
)

if TYPE_CHECKING:
    from pathlib import Path  # takes longer to import than the whole of this package

__all__ = ["CgroupMeter", "CgroupSession"]

TICK_US = 10_000
"""Microseconds of one tick of `/proc/stat` (USER_HZ is 100)."""

_IDLE_FIELDS = (3, 4)
_ROOT = (
    "the process is in the root control group, which holds the whole machine; "
    "start the run in a group of its own, as `systemd-run --scope` does, or name one in `path`"
)


@frozen(kw_only=True)
class CgroupMeter:
    """
    Reads the CPU time of the machine and of one control group, never joules.

    Configuring it is what asks for sharing out: where a window did not have the machine to
    itself, another meter's joules are then multiplied by the group's share of the CPU time, and
    the figure is labelled an estimate. A group keeps the time of children that have ended.

    Attributes:
        path: The group, relative to the root of the control groups; empty for the one that
            fairtrial itself runs in.
    """

    path: str = ""

    def probe(self, host: Host, /) -> Probe:
        """Says whether both CPU times can be read."""
        readers, why = self._readers(host)
        if why:
            return Probe(unavailable={"cgroup": why})
        return Probe(counters=tuple(_counter(name, self.path) for name in readers))

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens both CPU times.

        Raises:
            MachineError: There is no group of its own, or no `/proc/stat`.
        """
        readers, why = self._readers(host)
        if why:
            raise MachineError(
                problem="CPU time can't be shared out here",
                facts=(("because", why),),
                way_on="run inside a control group (`systemd-run --scope`), or drop this meter",
            )
        counters = tuple(_counter(name, self.path) for name in readers)
        return CgroupSession(host=host, counters=counters, readers=readers)

    def _readers(self, host: Host) -> tuple[Mapping[str, Callable[[], int]], str]:
        inside = self.path or _own_group(host.proc)
        if inside.strip("/") == "":
            return {}, _ROOT
        group = host.sysfs / "fs" / "cgroup" / inside.strip("/") / "cpu.stat"
        if not group.parent.is_dir():
            return {}, f"there is no control group of version 2 at {group.parent}"
        readers: dict[str, Callable[[], int]] = {
            "host": lambda: busy_ticks(host.proc / "stat"),
            "group": lambda: usage_us(group),
        }
        for read in readers.values():
            try:
                read()
            except (OSError, ValueError) as error:
                return {}, str(error)
        return readers, ""


@frozen(kw_only=True)
class CgroupSession:
    """
    CPU times, read from their files each time.

    Attributes:
        host: Whose clock dates the readings.
        counters: What is read.
        readers: For each counter's id, how to read it.
    """

    host: Host
    counters: tuple[Counter, ...]
    readers: Mapping[str, Callable[[], int]]

    def read(self) -> Sequence[RawReading]:
        """Reads both; a group that is gone is left out."""
        clock = self.host.monotonic_ns
        found = []
        for name, read in self.readers.items():
            before_ns = clock()
            try:
                count = read()
            except (OSError, ValueError):
                continue
            found.append(
                RawReading(counter=name, count=count, before_ns=before_ns, after_ns=clock())
            )
        return found

    def close(self) -> None:
        """Lets go of nothing."""


def busy_ticks(stat: "Path") -> int:
    """
    Returns the ticks in which any CPU was busy (proc(5)).

    Raises:
        OSError: The file can't be read.
        ValueError: It is no `/proc/stat`.
    """
    with stat.open("rb") as file:
        fields = [int(word) for word in file.readline().split()[1:9]]
    if len(fields) <= max(_IDLE_FIELDS):
        msg = f"{stat} holds no CPU times"
        raise ValueError(msg)
    return sum(fields) - sum(fields[index] for index in _IDLE_FIELDS)


def usage_us(stat: "Path") -> int:
    """
    Returns the microseconds that a control group used, ended children included.

    Raises:
        OSError: The file can't be read.
        ValueError: It is no `cpu.stat` of cgroup v2.
    """
    for line in stat.read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "usage_usec":
            return int(value)
    msg = f"{stat} holds no usage_usec"
    raise ValueError(msg)


def _own_group(proc: "Path") -> str:
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    return next((line[3:] for line in lines if line.startswith("0::")), "")


def _counter(name: str, path: str) -> Counter:
    return Counter(
        id=name,
        microjoules_per_count=TICK_US if name == "host" else 1.0,
        atoms=frozenset({f"cpu-{name}"}),
        label=Label.ESTIMATOR,
        boundary=Boundary.HOST,
        sensor="cpu-share",
        identity=path,
        is_cpu_time=True,
    )


_: type[Meter] = CgroupMeter
