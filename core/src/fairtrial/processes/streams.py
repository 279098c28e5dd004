"""One of a program's outputs with all who take its bytes, and the pipe that wakes its drain."""

import os
import threading

from attrs import define, field

from fairtrial.processes.lines import Feed
from fairtrial.processes.output import Kept, LogFile

CHUNK = 1 << 16
"""Bytes that are moved at once; what a pipe holds on Linux."""


@define
class Stream:
    """One of the program's two outputs, and where its bytes go."""

    handle: int
    kept: Kept = field(factory=Kept)
    log: LogFile | None = None
    feed: Feed | None = None

    def take(self, data: bytes) -> bool:
        """Hands the bytes on; returns whether the program should wait for the reader."""
        self.kept.add(data)
        if self.log is not None:
            self.log.add(data)
        return self.feed is not None and self.feed.add(data)

    def close(self) -> None:
        """Says to all who take its bytes that no more will come."""
        if self.log is not None:
            self.log.close()
        if self.feed is not None:
            self.feed.close()


class Wake:
    """A pipe through which other threads wake the one that works; safe after its end."""

    def __init__(self) -> None:
        self.read, self._write = os.pipe()
        self._lock = threading.Lock()
        self._closed = False

    def up(self) -> None:
        """Wakes the worker; nothing where its work is over."""
        with self._lock:
            if not self._closed:
                os.write(self._write, b"w")

    def clear(self) -> None:
        """Forgets the calls so far."""
        os.read(self.read, CHUNK)

    def close(self) -> None:
        """Closes the pipe."""
        # The lock: a number that was closed may be another file's by the time it is written to.
        with self._lock:
            self._closed = True
            os.close(self.read)
            os.close(self._write)
