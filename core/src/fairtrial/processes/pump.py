"""Moves bytes between a program and the harness until its whole tree is dead."""

import math
import os
import selectors
import threading
import time
from contextlib import suppress

from fairtrial.api.errors import SandboxDied
from fairtrial.api.sandbox import EndedBy, Finished
from fairtrial.processes.link import LINK
from fairtrial.processes.streams import CHUNK, Stream, Wake
from fairtrial.processes.wires import Wires

_GIVE_UP_S = 10.0
_LONGEST_WAIT_S = 3600.0
_LAST_BYTES = 1 << 21


class Pump:
    """
    Drains one program's output and watches its limits; `work` returns when its tree is dead.

    Args:
        wires: The program.
        streams: Its stdout and its stderr.
        timeout_s: Seconds after which it is ended.
        idle_s: Seconds without output after which it is ended.
        feed_in: What it reads on stdin, where the caller doesn't write there itself.

    Attributes:
        done: Set once the work is over.
        died: What `work` raised where the sandbox died.
        cpu_us: CPU microseconds of the program and all that it started; None before its end, and
            where that is not known.
    """

    def __init__(
        self,
        wires: Wires,
        streams: tuple[Stream, Stream],
        *,
        timeout_s: float,
        idle_s: float | None = None,
        feed_in: bytes = b"",
    ) -> None:
        now = time.monotonic()
        self._wires = wires
        self._streams = streams
        self._deadline = now + timeout_s
        self._idle_s = math.inf if idle_s is None else idle_s
        self._heard = now
        self._rest = memoryview(feed_in)
        self._reason: EndedBy | None = None
        self._report = b""
        self._give_up = math.inf
        self._selector = selectors.DefaultSelector()
        self._wake = Wake()
        self._paused = False
        self._clean = False
        self.done = threading.Event()
        self.died: SandboxDied | None = None
        self.cpu_us: int | None = None
        for stream in streams:
            if stream.feed is not None:
                stream.feed.on_room = self._wake.up

    def end(self, reason: EndedBy) -> None:
        """Asks for the end of the tree, from any thread; the first reason given is kept."""
        if self._reason is None:
            self._reason = reason
            self._give_up = time.monotonic() + _GIVE_UP_S
        self._wires.ask_to_end()
        self._wake.up()

    @property
    def working(self) -> bool:
        """Whether the program may still run."""
        return not self.done.is_set()

    def work(self) -> Finished:
        """
        Works until the program and all that it started are dead.

        Raises:
            SandboxDied: The warden was killed, or some process could not be ended.
        """
        try:
            self._register()
            while not self._report.endswith(b"\n"):
                ready = self._selector.select(self._wait_s())
                for key, _ in ready:
                    key.data()
                self._check_limits()
            self._drain()
            return self._finished()
        except SandboxDied as error:
            self.died = error
            raise
        finally:
            self._close()

    def _close(self) -> None:
        for stream in self._streams:
            stream.close()
        self._selector.close()
        self._wires.cut(clean=self._clean)
        self._wake.close()
        self.done.set()

    def _register(self) -> None:
        for stream in self._streams:
            os.set_blocking(stream.handle, False)
            self._listen(stream)
        self._selector.register(self._wires.control, selectors.EVENT_READ, self._hear)
        self._selector.register(self._wake.read, selectors.EVENT_READ, self._woken)
        if self._rest and self._wires.stdin is not None:
            os.set_blocking(self._wires.stdin, False)
            self._selector.register(self._wires.stdin, selectors.EVENT_WRITE, self._feed)

    def _listen(self, stream: Stream) -> None:
        self._selector.register(stream.handle, selectors.EVENT_READ, lambda: self._read(stream))

    def _read(self, stream: Stream) -> None:
        data = os.read(stream.handle, CHUNK)
        self._heard = time.monotonic()
        if not data:
            self._selector.unregister(stream.handle)
            stream.close()
        elif stream.take(data):
            self._selector.unregister(stream.handle)
            self._paused = True

    def _woken(self) -> None:
        self._wake.clear()
        if self._paused:
            self._paused = False
            self._heard = time.monotonic()
            self._listen(self._streams[0])

    def _feed(self) -> None:
        self._rest = self._rest[self._wires.offer(self._rest[:CHUNK]) :]
        if not self._rest and self._wires.stdin is not None:
            self._selector.unregister(self._wires.stdin)
            self._wires.close_stdin()

    def _hear(self) -> None:
        try:
            data = self._wires.control.recv(256)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._report += data
        if not data:
            self._mourn("the process that watches over it was killed")

    def _wait_s(self) -> float | None:
        idle_at = math.inf if self._paused else self._heard + self._idle_s
        next_s = min(self._deadline, idle_at, self._give_up) - time.monotonic()
        # A limit may lie further off than the system can be told to wait.
        return None if next_s == math.inf else max(0.0, min(next_s, _LONGEST_WAIT_S))

    def _check_limits(self) -> None:
        now = time.monotonic()
        if now >= self._give_up:
            self._wires.kill_warden()
            self._mourn("the process that watches over it does not answer")
        if now >= self._deadline:
            self._deadline = math.inf
            self.end(EndedBy.TIMEOUT)
        elif not self._paused and now >= self._heard + self._idle_s:
            self._idle_s = math.inf
            self.end(EndedBy.IDLE)

    def _drain(self) -> None:
        # All writers are dead, so what is left is no more than the pipes hold.
        for stream in self._streams:
            left = _LAST_BYTES
            with suppress(BlockingIOError):
                while left > 0 and (data := os.read(stream.handle, CHUNK)):
                    stream.take(data)
                    left -= len(data)

    def _mourn(self, why: str) -> None:
        left = LINK.sweep()
        raise SandboxDied(
            problem="a program's sandbox died under it",
            facts=(
                ("process", str(self._wires.pid)),
                ("because", why),
                ("left alive", "not known" if left is None else str(left)),
            ),
            way_on="a program that kills its sandbox needs a stronger one, such as bubblewrap",
        )

    def _finished(self) -> Finished:
        _, own, status, wall_s, survivors, cpu_us = self._report.decode().split()
        if int(survivors):
            self._mourn(f"{survivors} of its processes can't be ended")
        self._clean = True
        self.cpu_us = int(cpu_us) if int(cpu_us) >= 0 else None
        out, err = self._streams
        code = os.waitstatus_to_exitcode(int(status)) if own == "1" else None
        exited = EndedBy.EXIT if code is not None and code >= 0 else EndedBy.SIGNAL
        return Finished(
            code=code if exited is EndedBy.EXIT else None,
            ended_by=exited if code is not None else self._reason or EndedBy.INTERRUPT,
            stdout=out.kept.text(),
            stderr=err.kept.text(),
            truncated=bool(out.kept.left_out or err.kept.left_out),
            wall_s=float(wall_s),
            signal=-code if code is not None and code < 0 else None,
        )
