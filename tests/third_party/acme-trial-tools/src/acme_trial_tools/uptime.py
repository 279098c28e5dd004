"""A meter for machines whose power hardly changes: watts times the time that they are up."""

from collections.abc import Sequence

from attrs import field, frozen
from attrs.validators import gt
from fairtrial.api import (
    Boundary,
    Counter,
    Host,
    Label,
    Meter,
    MeterSession,
    Probe,
    RawReading,
)


@frozen(kw_only=True)
class UptimeMeter:
    """Reckons; it says so in its label."""

    watts: float = field(default=60.0, validator=gt(0))
    """Watts of the whole machine, as read from a plug."""

    def probe(self, host: Host, /) -> Probe:
        """Finds a clock on every host."""
        return Probe(counters=(self._counter(),))

    def open(self, host: Host, /) -> MeterSession:
        """Opens the clock."""
        return UptimeSession(host=host, counters=(self._counter(),))

    def _counter(self) -> Counter:
        # One count is a millisecond, and a millisecond of one watt is a thousand microjoules.
        return Counter(
            id="uptime",
            microjoules_per_count=self.watts * 1_000,
            atoms=frozenset({"host"}),
            label=Label.ESTIMATOR,
            boundary=Boundary.HOST,
            sensor="constant-power",
        )


@frozen(kw_only=True)
class UptimeSession:
    """The host's clock."""

    host: Host
    counters: tuple[Counter, ...]

    def read(self) -> Sequence[RawReading]:
        """Reads the clock once."""
        before_ns = self.host.monotonic_ns()
        count = self.host.monotonic_ns() // 1_000_000
        after_ns = self.host.monotonic_ns()
        return (RawReading(counter="uptime", count=count, before_ns=before_ns, after_ns=after_ns),)

    def close(self) -> None:
        """Nothing is held."""


_: type[Meter] = UptimeMeter
