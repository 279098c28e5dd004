"""A meter for fairtrial: the energy counters of Apple silicon, without sudo."""

from collections.abc import Sequence

from attrs import define, field, frozen
from fairtrial.api import Counter, Host, MachineError, Meter, MeterSession, Probe, RawReading

from fairtrial_meter_apple.channels import Channel, counters
from fairtrial_meter_apple.ioreport import ChannelHost, Channels, IOReport

__all__ = ["AppleMeter", "AppleSession"]


@frozen(kw_only=True)
class AppleMeter:
    """
    Reads the chip's totals: CPU, GPU, neural engine and memory.

    Display, disk and the power supply's loss are outside of them. The figures are a model's, and
    on some chips they are updated only every two seconds.
    """

    def probe(self, host: Host, /) -> Probe:
        """Says which totals the chip shows."""
        try:
            session = self.open(host)
        except MachineError as error:
            why = "; ".join(fact for _, fact in error.facts)
            return Probe(unavailable={"apple": f"{error.problem}: {why}"})
        session.close()
        return Probe(counters=session.counters)

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens the totals.

        Raises:
            MachineError: This is no Mac with Apple silicon, or it shows no total.
        """
        channels: Channels = (
            host.open_channels() if isinstance(host, ChannelHost) else IOReport.open()
        )
        found = tuple(counters(channels.sample(), identity="ioreport"))
        if not found:
            channels.close()
            raise MachineError(
                problem="no energy counter of Apple silicon can be read here",
                facts=(("because", "no channel is a total that is known"),),
                way_on="use another meter",
            )
        return AppleSession(host=host, counters=found, channels=channels)


@define(kw_only=True, eq=False)
class AppleSession:
    """
    The chip's totals, held open.

    Attributes:
        host: Whose clock dates the readings.
        counters: What is read.
        channels: Where it comes from.
    """

    host: Host
    counters: tuple[Counter, ...]
    channels: Channels
    _closed: bool = field(default=False, init=False)

    def read(self) -> Sequence[RawReading]:
        """Takes one sample of all channels and keeps the totals."""
        if self._closed:
            return ()
        before_ns = self.host.monotonic_ns()
        sample: Sequence[Channel] = self.channels.sample()
        after_ns = self.host.monotonic_ns()
        wanted = {counter.id for counter in self.counters}
        return tuple(
            RawReading(counter=own.name, count=own.value, before_ns=before_ns, after_ns=after_ns)
            for own in sample
            if own.name in wanted
        )

    def close(self) -> None:
        """Lets go of the channels; may be called twice."""
        if not self._closed:
            self._closed = True
            self.channels.close()


_: type[Meter] = AppleMeter
