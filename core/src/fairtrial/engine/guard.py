"""
Whether the programs that grade are still what they were when the run began.

Where a sandbox has no fence, an attempt, or the code that is graded, can write into the interpreter
and the test runner of this machine: the verdict of its own trial would be bought, and that of every
later one. So what checks execute is looked at before the first attempt and after each graded one.
A change is the deed of a trial that was under way when the kernel says it was made. From then on
nothing is graded any more: the machine has to be put right first.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import structlog
from attrs import define, evolve, field

from fairtrial.api import Check, CheckKind, MachineError, Verdict
from fairtrial.engine import spoilt
from fairtrial.engine.bytecode import genuine
from fairtrial.engine.manifest import CACHE, Change, files_clock_ns
from fairtrial.engine.programs import Programs

TOLD = 5
"""Most files that a message names."""

THOROUGH_S = 1.0
"""Seconds after which each file is looked at again, whatever the kernel tells of it."""

log = structlog.get_logger()


@define
class Guard:
    """
    Knows the programs of a run, and who was at work when one of them was changed.

    Does nothing until it is told what to watch. Safe to use from several threads.

    Attributes:
        take: Takes programs, by name, as they are now.
    """

    take: Callable[[Sequence[str]], Programs] = Programs.of
    _begun: bool = False
    _programs: Programs | None = None
    _at_work: dict[str, tuple[int, int | None]] = field(factory=dict)
    _changed: tuple[Change, ...] = ()
    _looked: float = 0.0
    _lock: threading.RLock = field(factory=threading.RLock)

    def begin(self, names: Callable[[], Sequence[str] | None]) -> None:
        """
        Takes the programs as they are, the first time that it is called.

        Args:
            names: Tells which; an empty sequence where nothing can write to them, None where
                checks run in another system's.

        Raises:
            MachineError: An attempt of an earlier run has changed one, and it still is so.
        """
        with self._lock:
            if self._begun:
                return
            watched = names()
            left = () if watched is None else spoilt.still()
            if left:
                raise _refused("programs that grade were changed in an earlier run", left)
            self._programs = self.take(watched) if watched else None
            self._begun = True

    @property
    def watches(self) -> bool:
        """Whether there are programs that could be changed here."""
        return self._programs is not None

    def include(self, names: Iterable[str], path: str) -> None:
        """Takes more programs, which a task's checks start, from directories of its own."""
        with self._lock:
            if self._programs is not None:
                self._programs.include(names, path)

    @contextmanager
    def trial(self, label: str) -> Iterator[None]:
        """
        Notes that a trial is under way.

        Raises:
            MachineError: A program was changed, so that nothing can be graded any more.
        """
        with self._lock:
            self.refuse()
            self._at_work[label] = (files_clock_ns(), None)
        try:
            yield
        finally:
            with self._lock:
                self._at_work[label] = (self._at_work[label][0], files_clock_ns())

    def refuse(self) -> None:
        """
        Refuses to go on where a program is known to have been changed.

        Raises:
            MachineError: It was.
        """
        if self._changed:
            raise _refused("programs that grade were changed by an attempt", self._names())

    def inspect(self) -> None:
        """
        Looks at the programs, and refuses to go on where one was changed.

        Raises:
            MachineError: One was.
        """
        with self._lock:
            self._look(files_clock_ns())
            self.refuse()

    def judged(self, verdict: Verdict, label: str, since_ns: int) -> Verdict:
        """
        Returns a verdict with what is to be said of the programs that it was reached with.

        Args:
            verdict: What the checks said.
            label: The trial's.
            since_ns: When its checks began, by the files' clock.

        Raises:
            MachineError: They were changed by another trial, or nobody can tell by which.
        """
        with self._lock:
            # What an attempt would gain by is looked at file by file.
            self._look(since_ns, thorough=verdict.resolved is not False)
            if not self._changed:
                return verdict
            suspects = {who for change in self._changed for who in self._under_way(change.at_ns)}
            if suspects != {label}:
                told = "by another attempt" if label not in suspects else "while several ran"
                raise _refused(f"programs that grade were changed {told}", self._names())
        why = f"programs that grade were changed: {_listed(self._names())}"
        check = Check(
            name="programs", kind=CheckKind.VISIBLE, passed=False, code="tampered", why=why
        )
        return evolve(verdict, checks=(*verdict.checks, check))

    def _look(self, since_ns: int, *, thorough: bool = True) -> None:
        if self._programs is None:
            return
        now = time.monotonic()
        thorough = thorough or now - self._looked >= THOROUGH_S
        if thorough:
            self._looked = now
        changes = self._programs.changes(since_ns, thorough=thorough)
        written = [change for change in changes if self._is_cache(change, since_ns)]
        if written and genuine(self._programs.interpreter, (one.path for one in written)):
            self._programs.admit(one.path for one in written)
            changes = [change for change in changes if change not in written]
        if not changes:
            return
        self._changed = (*self._changed, *changes)
        log.error("programs that grade were changed", files=self._names()[:TOLD])
        spoilt.remember(change.path for change in changes)

    def _is_cache(self, change: Change, since_ns: int) -> bool:
        """Tells whether an interpreter may have written a file by itself; checks write none."""
        path = Path(change.path)
        if path.parent.name != CACHE or path.suffix != ".pyc" or not path.is_file():
            return False
        return change.at_ns < since_ns or len(self._under_way(change.at_ns)) > 1

    def _under_way(self, at_ns: int) -> set[str]:
        return {
            label
            for label, (start, end) in self._at_work.items()
            if start <= at_ns and (end is None or at_ns <= end)
        }

    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.path for change in self._changed))


def _refused(problem: str, paths: Sequence[str]) -> MachineError:
    return MachineError(
        problem=f"{problem}: {_listed(paths)}",
        facts=tuple(("changed", path) for path in paths[:TOLD]),
        way_on="install them anew, and use the sandbox bubblewrap, where they can't be written",
    )


def _listed(paths: Sequence[str]) -> str:
    more = len(paths) - TOLD
    return ", ".join([*paths[:TOLD], *([f"{more} more"] if more > 0 else [])])
