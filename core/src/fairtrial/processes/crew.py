"""All programs of one workspace: started together, ended together."""

import threading
from collections.abc import Iterable
from pathlib import Path

from fairtrial.api.errors import SandboxDied
from fairtrial.api.sandbox import EndedBy, Finished
from fairtrial.processes.job import Job
from fairtrial.processes.pump import Pump
from fairtrial.processes.running import Supervised, prepare_run, start
from fairtrial.processes.stragglers import end_stragglers

_SETTLE_S = 30.0


class Crew:
    """
    Starts the programs of one workspace and knows which of them still run.

    Safe to use from several threads.

    Args:
        place: The workspace's private directory. Where a sandbox died, what still works there,
            or has it in its environment, is ended too.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._pumps: list[Pump] = []
        self._past_us: int | None = 0

    def run(self, job: Job, *, timeout_s: float, stdin: bytes = b"") -> Finished:
        """Runs a program to its end; see `fairtrial.processes.run`."""
        return self._join(prepare_run(job, timeout_s=timeout_s, stdin=stdin)).work()

    def start(
        self,
        job: Job,
        *,
        timeout_s: float,
        idle_s: float | None = None,
        log: Path | None = None,
        stdin: bool = False,
    ) -> Supervised:
        """Starts a program; see `fairtrial.processes.start`."""
        running = start(job, timeout_s=timeout_s, idle_s=idle_s, log=log, stdin=stdin)
        self._join(running.pump)
        return running

    def settle(self) -> None:
        """
        Ends every program and all that they started; proves it.

        Raises:
            SandboxDied: A process could not be ended, or a warden was killed before.
        """
        with self._lock:
            pumps = list(self._pumps)
        for pump in pumps:
            if pump.working:
                pump.end(EndedBy.CALLER)
        for pump in pumps:
            pump.done.wait(_SETTLE_S)
        died = [pump.died for pump in pumps if pump.died is not None]
        if died:
            end_stragglers(self._place)
            raise died[0]
        if any(pump.working for pump in pumps):
            raise SandboxDied(
                problem="a program of a workspace does not end",
                facts=(("workspace", str(self._place)),),
                way_on="look for processes that the kernel holds (state D in `ps`)",
            )

    def cpu_us(self) -> int | None:
        """
        Returns the CPU microseconds of all programs so far, and of all that they started.

        What was killed, or lost its parent, is in it. What the kernel kills with a namespace, and
        the children of who ignores `SIGCHLD`, are not: it adds their time to nobody's.

        Returns:
            None while one runs, and where one's time is not known.
        """
        with self._lock:
            return _sum((self._past_us, *map(_used_us, self._pumps)))

    def _join(self, pump: Pump) -> Pump:
        with self._lock:
            # One that died is kept, so that `settle` tells it however often it is asked.
            kept = [old for old in self._pumps if old.working or old.died is not None]
            gone = (_used_us(old) for old in self._pumps if old not in kept)
            self._past_us = _sum((self._past_us, *gone))
            self._pumps = [*kept, pump]
        return pump


def _used_us(pump: Pump) -> int | None:
    return None if pump.working else pump.cpu_us


def _sum(parts: Iterable[int | None]) -> int | None:
    """Adds up; a part that is not known leaves no sum."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
