"""A stream handed from the thread that drains it to the caller that reads its lines."""

import threading
from collections import deque
from collections.abc import Callable, Iterator

LONGEST_LINE = 10 * 1024 * 1024
"""Bytes after which a line comes in pieces."""
ROOM_BYTES = 4 * 1024 * 1024
"""Bytes that may wait for the reader; beyond, the program waits, or its output is passed over."""


class Feed:
    """
    The bytes that wait for `lines`, bounded.

    While somebody iterates, a full feed makes the program wait, as a pipe would. While nobody
    does, what doesn't fit is passed over, so that a chatty program is never held up.

    Attributes:
        on_room: Called when a full feed has room again.
    """

    def __init__(self) -> None:
        self.on_room: Callable[[], None] = _nothing
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._readers = 0
        self._closed = False
        self._full = False

    def add(self, data: bytes) -> bool:
        """Takes the next bytes; returns whether the program should wait for the reader."""
        with self._changed:
            if self._size >= ROOM_BYTES and not self._readers:
                return False
            self._waiting.append(data)
            self._size += len(data)
            self._changed.notify()
            self._full = self._size >= ROOM_BYTES and self._readers > 0
            return self._full

    def close(self) -> None:
        """Says that nothing more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def lines(self) -> Iterator[str]:
        """Yields lines without their ends, undecodable bytes replaced, until the stream ends."""
        with self._changed:
            self._readers += 1
        try:
            yield from self._split()
        finally:
            self._leave()

    def _split(self) -> Iterator[str]:
        rest = b""
        while data := self._take():
            whole, newline, last = data.rpartition(b"\n")
            if not newline:
                rest += data
            else:
                for line in (rest + whole).split(b"\n"):
                    yield from _pieces(line)
                rest = last
            # Cut early, so that a line without an end doesn't grow without one.
            while len(rest) > LONGEST_LINE:
                yield rest[:LONGEST_LINE].decode(errors="replace")
                rest = rest[LONGEST_LINE:]
        if rest:
            yield from _pieces(rest)

    def _take(self) -> bytes:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._size = 0
            room_made, self._full = self._full, False
        if room_made:
            self.on_room()
        return data

    def _leave(self) -> None:
        with self._changed:
            self._readers -= 1
            room_made, self._full = self._full, False
        if room_made:
            self.on_room()


def _pieces(line: bytes) -> Iterator[str]:
    line = line.removesuffix(b"\r")
    for start in range(0, max(len(line), 1), LONGEST_LINE):
        yield line[start : start + LONGEST_LINE].decode(errors="replace")


def _nothing() -> None:
    """Is called while nobody cares for room."""
