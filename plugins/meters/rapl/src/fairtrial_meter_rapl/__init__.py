"""A meter for fairtrial: the energy counters of Intel and AMD processors on Linux."""

import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from attrs import field, frozen
from attrs.validators import in_
from fairtrial.api import Boundary, Counter, Host, MachineError, Meter, MeterSession, Probe

from fairtrial_meter_rapl.perf import Event, OpenEvent, events, open_event
from fairtrial_meter_rapl.processor import Processor, processor
from fairtrial_meter_rapl.session import RaplSession, count_of
from fairtrial_meter_rapl.zones import Zone, text_of, zones

__all__ = ["RaplMeter", "RaplSession"]

UPDATE_S = 0.001
"""About how often the counters are updated ("RAPL in Action", 2018)."""


@frozen(kw_only=True)
class RaplMeter:
    """
    Reads packages and memory through the kernel's power capping files, or through perf.

    Cores and uncore are inside the package and are only read where the package can't be.

    Attributes:
        prefer: `package`, or `psys` for the vendor's platform counter where there is one; what
            that holds differs from one laptop to the next.
        source: `powercap`, `perf`, or `auto` for powercap where a package can be read.
    """

    prefer: str = field(default="package", validator=in_(("package", "psys")))
    source: str = field(default="auto", validator=in_(("auto", "powercap", "perf")))

    def probe(self, host: Host, /) -> Probe:
        """Says which zones can be read, and what to do about the others."""
        found = self._open(host, open_event)
        found.close()
        return Probe(counters=found.counters, unavailable=found.unavailable)

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens every zone that can be read.

        Raises:
            MachineError: None can be read.
        """
        return self.open_with(host, open_event)

    def open_with(self, host: Host, open_event: OpenEvent, /) -> RaplSession:
        """Does what `open` does, with another way to open an event of perf."""
        found = self._open(host, open_event)
        if not found.counters:
            raise MachineError(
                problem="no energy counter of a processor can be read here",
                facts=tuple(found.unavailable.items()),
                way_on="where a line above names a way, take it; else use another meter",
            )
        return RaplSession(
            host=host,
            counters=found.counters,
            descriptors=dict(found.descriptors),
            binary=found.binary,
        )

    def _open(self, host: Host, open_event: OpenEvent) -> "_Opened":
        cpu = processor(host.proc)
        boot = text_of(host.proc / "sys" / "kernel" / "random" / "boot_id") or ""
        powercap = _Opened(unavailable={})
        if self.source != "perf":
            powercap = _powercap(host, cpu, boot, self.prefer)
            if self.source == "powercap" or powercap.reads(self.prefer):
                return powercap
        perf = _perf(host, cpu, boot, open_event)
        best, other = perf, powercap
        if powercap.counters and not perf.reads("package"):
            best, other = powercap, perf
        other.close()
        unavailable = _either(powercap.unavailable, perf.unavailable)
        readable = {own.id for own in best.counters}
        left = {name: why for name, why in unavailable.items() if name not in readable}
        return best._replace(unavailable=left if left or best.counters else _nothing(cpu))


class _Opened(NamedTuple):
    """Counters with their open files, and what could not be opened."""

    unavailable: Mapping[str, str]
    counters: tuple[Counter, ...] = ()
    descriptors: Mapping[str, int] = MappingProxyType({})
    binary: bool = False

    def reads(self, wanted: str) -> bool:
        """Whether a `package` is among them, or where `psys` is preferred, that."""
        names = [own.id for own in self.counters]
        return (wanted == "psys" and "psys" in names) or any(map(_is_package, names))

    def close(self) -> None:
        for descriptor in self.descriptors.values():
            os.close(descriptor)


def _is_package(name: str) -> bool:
    return name.startswith("pkg") and name.rpartition("/")[2] not in {"core", "uncore"}


def _either(one: Mapping[str, str], other: Mapping[str, str]) -> Mapping[str, str]:
    """Returns why parts can't be read; of one that has two ways, why neither works."""
    names = dict.fromkeys((*one, *other))
    return {name: "; ".join(whys[name] for whys in (one, other) if name in whys) for name in names}


def _nothing(cpu: Processor) -> Mapping[str, str]:
    if cpu.is_virtual:
        why = "no-counter:virtualised: a virtual machine has no energy counter of its own"
    else:
        why = (
            "no-counter: the kernel shows no RAPL zone; load the module intel_rapl_msr, or in a "
            "container mount /sys/class/powercap and /sys/devices/virtual/powercap read-only"
        )
    return {"rapl": why}


def _powercap(host: Host, cpu: Processor, boot: str, prefer: str) -> _Opened:
    """Opens the zones that are worth reading: each part once, inner parts only alone."""
    found, unavailable = zones(host.sysfs)
    problems = dict(unavailable)
    best: dict[str, tuple[Zone, int]] = {}
    for zone in sorted(found, key=lambda zone: -(zone.modulus or 0)):
        if zone.id in best or (zone.id == "psys" and prefer != "psys"):
            continue
        try:
            best[zone.id] = (zone, _readable(zone))
        except (OSError, ValueError) as error:
            problems.setdefault(zone.id, _refused(zone, error))
    for name in [name for name in best if name.rpartition("/")[0] in best]:
        os.close(best.pop(name)[1])
    return _Opened(
        counters=tuple(_zone_counter(best[name][0], cpu, boot) for name in sorted(best)),
        descriptors={name: best[name][1] for name in sorted(best)},
        unavailable={name: why for name, why in problems.items() if not _covered(name, best)},
    )


def _covered(name: str, read: Iterable[str]) -> bool:
    return any(name == own or name.startswith(f"{own}/") for own in read)


def _readable(zone: Zone) -> int:
    """Opens a zone's counter and reads it once, so that a zone of garbage is not promised."""
    descriptor = os.open(zone.counter, os.O_RDONLY | os.O_CLOEXEC)
    try:
        count_of(descriptor, binary=False)
    except (OSError, ValueError):
        os.close(descriptor)
        raise
    return descriptor


def _refused(zone: Zone, error: Exception) -> str:
    if isinstance(error, PermissionError):
        return (
            f"{zone.counter} may only be read by root; run `sudo chmod a+r {zone.counter}`, or "
            "give the program the capability CAP_DAC_READ_SEARCH"
        )
    if isinstance(error, OSError):
        return f"{zone.counter} can't be read: {error.strerror}"
    return f"{zone.counter} holds no number"


def _zone_counter(zone: Zone, cpu: Processor, boot: str) -> Counter:
    label, sensor = cpu.source(zone.id)
    return Counter(
        id=zone.id,
        microjoules_per_count=1.0,
        modulus=zone.modulus,
        atoms=zone.atoms,
        label=label,
        boundary=Boundary.HOST,
        sensor=sensor,
        update_s=UPDATE_S,
        max_watts=None if zone.id.startswith("dram") else zone.max_watts,
        identity=f"{boot} {zone.entry}",
    )


def _perf(host: Host, cpu: Processor, boot: str, open_event: OpenEvent) -> _Opened:
    counters: list[Counter] = []
    descriptors: dict[str, int] = {}
    problems: dict[str, str] = {}
    for event in events(host.sysfs):
        if event.id in descriptors:
            continue
        try:
            descriptors[event.id] = _counting(event, open_event)
        except OSError as error:
            problems[event.id] = (
                f"perf may not count energy here ({error.strerror}); run "
                "`sudo sysctl kernel.perf_event_paranoid=0`, or give CAP_PERFMON"
            )
            continue
        except ValueError as error:
            problems[event.id] = str(error)
            continue
        counters.append(_event_counter(event, cpu, boot))
    return _Opened(
        counters=tuple(counters), descriptors=descriptors, unavailable=problems, binary=True
    )


def _counting(event: Event, open_event: OpenEvent) -> int:
    """Opens an event and reads it once, so that one that can't be read is not promised."""
    descriptor = open_event(event.type, event.config, event.cpu)
    try:
        count_of(descriptor, binary=True)
    except (OSError, ValueError):
        os.close(descriptor)
        raise
    return descriptor


def _event_counter(event: Event, cpu: Processor, boot: str) -> Counter:
    label, sensor = cpu.source(event.id)
    return Counter(
        id=event.id,
        microjoules_per_count=event.microjoules,
        atoms=frozenset({event.id}),
        label=label,
        boundary=Boundary.HOST,
        sensor=sensor,
        update_s=UPDATE_S,
        identity=f"{boot} perf:{event.config:#x}@{event.cpu}",
    )


_: type[Meter] = RaplMeter
