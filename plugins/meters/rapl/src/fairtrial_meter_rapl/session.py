"""Counters held open: one call of the system a counter and read, on descriptors that are kept."""

import contextlib
import os
from collections.abc import Sequence

from attrs import define, evolve, field
from fairtrial.api import Counter, Host, RawReading

_EVENT_BYTES = 8


@define(kw_only=True, eq=False)
class RaplSession:
    """
    Open counters.

    Attributes:
        host: Whose clock dates the readings.
        counters: What is read.
        descriptors: For each counter's id, its open file.
        binary: Whether a file holds eight bytes (perf) instead of digits (powercap).
    """

    host: Host
    counters: tuple[Counter, ...]
    descriptors: dict[str, int]
    binary: bool = False
    _lost: set[str] = field(factory=set, init=False)

    def read(self) -> Sequence[RawReading]:
        """Reads every counter; one that is gone is left out from then on."""
        clock = self.host.monotonic_ns
        found = []
        for name, descriptor in self.descriptors.items():
            before_ns = clock()
            try:
                count = count_of(descriptor, binary=self.binary)
            except (OSError, ValueError):
                self._lose(name)
                continue
            found.append(
                RawReading(counter=name, count=count, before_ns=before_ns, after_ns=clock())
            )
        return found

    def close(self) -> None:
        """Closes all files; may be called twice."""
        descriptors, self.descriptors = self.descriptors, {}
        for descriptor in descriptors.values():
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _lose(self, name: str) -> None:
        """Marks a counter as another one: what comes after a failed read can't be joined."""
        if name not in self._lost:
            self._lost.add(name)
            self.counters = tuple(
                evolve(own, identity=f"{own.identity} (lost)") if own.id == name else own
                for own in self.counters
            )


def count_of(descriptor: int, *, binary: bool) -> int:
    """
    Returns what a counter shows now.

    Raises:
        OSError: It can't be read.
        ValueError: It shows no count.
    """
    if not binary:
        return int(os.pread(descriptor, 32, 0))
    # An event of perf has no positions, so that the kernel refuses pread; each read shows it anew.
    content = os.read(descriptor, _EVENT_BYTES)
    if len(content) != _EVENT_BYTES:
        msg = f"an event of perf showed {len(content)} bytes"
        raise ValueError(msg)
    return int.from_bytes(content, "little")
