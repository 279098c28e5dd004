"""What of a program's output is kept: the first and the last part, and a file up to a cap."""

import os
from pathlib import Path

from attrs import define, field

HEAD_BYTES = 50 * 1024
"""Bytes kept from the beginning of a stream."""
TAIL_BYTES = 50 * 1024
"""Bytes kept from its end."""
LOG_BYTES = 64 * 1024 * 1024
"""Most bytes of one stream that are written to its log file."""


@define
class Kept:
    """One stream's bytes: bounded in memory, however long the stream is."""

    total: int = field(default=0, init=False)
    _head: bytearray = field(factory=bytearray, init=False)
    _tail: bytearray = field(factory=bytearray, init=False)

    def add(self, data: bytes) -> None:
        """Takes the next bytes of the stream."""
        self.total += len(data)
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 4 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]

    @property
    def left_out(self) -> int:
        """How many bytes in the middle are not kept."""
        return max(0, self.total - HEAD_BYTES - TAIL_BYTES)

    def text(self) -> bytes:
        """Returns what is kept, with a line between that says how much is left out."""
        tail = bytes(self._tail[-TAIL_BYTES:])
        if not self.left_out:
            return bytes(self._head) + tail
        return b"%b\n[... %d bytes left out ...]\n%b" % (bytes(self._head), self.left_out, tail)


class LogFile:
    """
    A private file that gets a stream in full, up to `LOG_BYTES`.

    A disk that is full ends the log, never the reading.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        self._handle: int | None = os.open(path, flags, 0o600)
        self._room = LOG_BYTES
        self.truncated = False

    def add(self, data: bytes) -> None:
        """Appends the next bytes, as far as they fit."""
        if self._handle is None:
            return
        rest = memoryview(data)[: self._room]
        self._room -= len(rest)
        overlong = len(rest) < len(data)
        try:
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            if overlong:
                os.write(self._handle, b"\n[the rest is left out]\n")
        except OSError:
            overlong = True
        if overlong:
            self.truncated = True
            self.close()

    def close(self) -> None:
        """Closes the file; may be called twice."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
