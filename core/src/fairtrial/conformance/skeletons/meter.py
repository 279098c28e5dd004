"""A meter for fairtrial: reads one file in which the kernel counts microjoules."""

from collections.abc import Sequence
from pathlib import Path

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


@frozen(kw_only=True)
class EchoMeter:
    """Reads an energy counter below `/sys/class/hwmon`."""

    path: str = "class/hwmon/hwmon0/energy1_input"
    """The counter's file, relative to `/sys`; it holds microjoules as a whole number."""

    def probe(self, host: Host, /) -> Probe:
        """Says whether the file is here; never raises."""
        place = host.sysfs / self.path
        if _count(place) is None:
            return Probe(unavailable={self.path: f"{place} can't be read here"})
        counter = Counter(
            id=self.path,
            microjoules_per_count=1.0,
            atoms=frozenset({"host"}),
            label=Label.MODEL_BASED,
            boundary=Boundary.HOST,
            sensor="hwmon",
        )
        return Probe(counters=(counter,))

    def open(self, host: Host, /) -> MeterSession:
        """Opens the counter, or raises MachineError."""
        probe = self.probe(host)
        if not probe.counters:
            raise MachineError(
                problem="no counter of energy can be read here",
                facts=tuple(probe.unavailable.items()),
                way_on="name another file in the meter's `path`",
            )
        return EchoSession(host=host, place=host.sysfs / self.path, counters=probe.counters)


@frozen(kw_only=True)
class EchoSession:
    """The counter, held open for one run."""

    host: Host
    place: Path
    counters: tuple[Counter, ...]

    def read(self) -> Sequence[RawReading]:
        """Reads the file once; what can't be read is left out, never guessed."""
        before_ns = self.host.monotonic_ns()
        count = _count(self.place)
        after_ns = self.host.monotonic_ns()
        if count is None:
            return ()
        name = self.counters[0].id
        return (RawReading(counter=name, count=count, before_ns=before_ns, after_ns=after_ns),)

    def close(self) -> None:
        """Lets go; nothing is held."""


def _count(place: Path) -> int | None:
    try:
        return int(place.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


_: type[Meter] = EchoMeter
