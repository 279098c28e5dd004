"""The kind `meter`: what reads a counter of energy."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from fairtrial.api.reading import Counter, Probe, RawReading

if TYPE_CHECKING:
    from pathlib import Path  # a meter that has no paths of its own need not wait for it


class Host(Protocol):
    """Where a meter looks: roots and clocks, so that every case runs without hardware."""

    @property
    def sysfs(self) -> "Path":
        """Usually `/sys`."""

    @property
    def proc(self) -> "Path":
        """Usually `/proc`."""

    def monotonic_ns(self) -> int:
        """Nanoseconds that stop while the machine sleeps."""

    def boottime_ns(self) -> int:
        """Nanoseconds that go on while the machine sleeps."""


class MeterSession(Protocol):
    """Counters held open, so that a read is cheap."""

    @property
    def counters(self) -> tuple[Counter, ...]:
        """
        What `read` reads; fixed for the life of the session, but for `identity`.

        An `identity` that changes says that another counter stands where the old one was; the
        core then throws the window away.
        """

    def read(self) -> Sequence[RawReading]:
        """
        Reads every counter once.

        A counter that can't be read this time is left out, never guessed. Must be safe to call
        from several threads, and take less than a millisecond where the hardware allows.
        """

    def close(self) -> None:
        """Lets go of the counters; may be called twice."""


class Meter(Protocol):
    """
    Reads raw counters; the core does all arithmetic on them.

    A meter never learns which task or which solver it is reading.
    """

    def probe(self, host: Host, /) -> Probe:
        """
        Says what can be read on this host.

        Must not raise, ask for a password, use the network, or take longer than two seconds.
        """

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens the counters that `probe` named.

        Raises:
            MachineError: None of them can be read.
        """
