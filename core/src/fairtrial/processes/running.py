"""A program under way, and the way to end all of them at once."""

import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from fairtrial.api.sandbox import EndedBy, Finished, Running
from fairtrial.processes.job import Job
from fairtrial.processes.lines import Feed
from fairtrial.processes.link import LINK
from fairtrial.processes.output import LogFile
from fairtrial.processes.pump import Pump
from fairtrial.processes.streams import Stream
from fairtrial.processes.wires import Wires, lay

_PUMPS: "weakref.WeakSet[Pump]" = weakref.WeakSet()
_LOCK = threading.Lock()
_CLOSE_S = 6.0


class Supervised:
    """
    A program whose output is drained by a thread of its own; made by `start`.

    Attributes:
        pump: What drains it.
    """

    def __init__(self, wires: Wires, pump: Pump, feed: Feed, name: str) -> None:
        self._wires = wires
        self.pump = pump
        self._feed = feed
        self._outcome: Finished | BaseException | None = None
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The program's process id, as the harness sees it."""
        return self._wires.pid

    def lines(self) -> Iterator[str]:
        """Yields the lines of stdout as they come; see `fairtrial.api.Running`."""
        return self._feed.lines()

    def write(self, data: bytes, /) -> None:
        """Writes to its stdin; a process that no longer reads is not an error."""
        self._wires.write(data)

    def close_stdin(self) -> None:
        """Lets it read the end of its stdin; may be called twice."""
        self._wires.close_stdin()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits for the death of its tree; returns whether it is dead."""
        longest_s = threading.TIMEOUT_MAX
        return self.pump.done.wait(None if timeout_s is None else min(timeout_s, longest_s))

    def end(self, *, grace_s: float = 0.0) -> Finished:
        """
        Waits `grace_s` for it to exit by itself, then ends the whole process tree.

        Raises:
            SandboxDied: Its warden was killed, or some process could not be ended.
        """
        if not self.pump.done.wait(grace_s):
            self.pump.end(EndedBy.CALLER)
        self._thread.join()
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return cast(Finished, self._outcome)

    def _work(self) -> None:
        try:
            self._outcome = self.pump.work()
        except BaseException as error:  # noqa: BLE001 - handed to whoever calls `end`
            self._outcome = error


def start(
    job: Job,
    *,
    timeout_s: float,
    idle_s: float | None = None,
    log: Path | None = None,
    stdin: bool = False,
) -> Supervised:
    """
    Starts a program and returns at once; what it prints is drained whether read or not.

    Args:
        job: What to start.
        timeout_s: Seconds after which the whole tree is killed.
        idle_s: Seconds without a byte on stdout or stderr after which it is killed.
        log: A directory in which the files `stdout` and `stderr` get what is printed.
        stdin: Whether the caller will write to it.

    Raises:
        SandboxDied: It can't be watched over here.
        FileNotFoundError: The program isn't there.
        OSError: It can't be run.
    """
    feed = Feed()
    logs = [None if log is None else LogFile(log / name) for name in ("stdout", "stderr")]
    try:
        wires = lay(job, stdin=stdin)
    except BaseException:
        for file in filter(None, logs):
            file.close()
        raise
    streams = Stream(wires.out, log=logs[0], feed=feed), Stream(wires.err, log=logs[1])
    pump = _remember(Pump(wires, streams, timeout_s=timeout_s, idle_s=idle_s))
    return Supervised(wires, pump, feed, name=f"drain {job.label}")


def run(job: Job, *, timeout_s: float, stdin: bytes = b"") -> Finished:
    """
    Runs a program to its end, in the calling thread.

    Args:
        job: What to run.
        timeout_s: Seconds after which the whole tree is killed.
        stdin: What it can read.

    Raises:
        SandboxDied: Its warden was killed, or some process could not be ended.
        FileNotFoundError: The program isn't there.
        OSError: It can't be run.
    """
    return prepare_run(job, timeout_s=timeout_s, stdin=stdin).work()


def prepare_run(job: Job, *, timeout_s: float, stdin: bytes) -> Pump:
    """Starts a program and returns the pump that has to be worked; raises what `run` raises."""
    wires = lay(job, stdin=bool(stdin))
    streams = Stream(wires.out), Stream(wires.err)
    return _remember(Pump(wires, streams, timeout_s=timeout_s, feed_in=stdin))


def interrupt() -> int:
    """
    Ends every program that runs, as ended by `EndedBy.INTERRUPT`; returns how many there were.

    For the user's second Ctrl-C. Programs started later are not touched.
    """
    with _LOCK:
        pumps = [pump for pump in _PUMPS if pump.working]
    for pump in pumps:
        pump.end(EndedBy.INTERRUPT)
    return len(pumps)


def close() -> None:
    """Ends every program, then the nursery; harmless where nothing was started."""
    interrupt()
    with _LOCK:
        pumps = list(_PUMPS)
    for pump in pumps:
        pump.done.wait(_CLOSE_S)
    LINK.close()


def _remember(pump: Pump) -> Pump:
    with _LOCK:
        _PUMPS.add(pump)
    return pump


_: type[Running] = Supervised
