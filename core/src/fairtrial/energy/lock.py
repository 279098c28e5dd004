"""
One run at a time meters a host; a second one is told, and so is the first.

The lock is the operating system's, so a crash leaves nothing stale. A run that comes second goes
on without it: its measured figures are marked, never its resolution lost.
"""

import contextlib
import os
from pathlib import Path

from attrs import define, field
from filelock import FileLock, Timeout


@define(kw_only=True, eq=False)
class HostLock:
    """
    Claims a host's counters for one run.

    Attributes:
        folder: Where the lock is, one for all runs of a user on a host.
        owned: Whether this run is the first.
    """

    folder: Path
    owned: bool = False
    _lock: FileLock | None = field(default=None, init=False)

    def claim(self) -> str:
        """
        Takes the lock if it is free.

        Returns:
            Who else meters this host; empty for nobody. Where no lock can be kept, nobody knows,
            and that is said.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / "energy.lock", timeout=0)
            lock.acquire()
        except Timeout:
            with contextlib.suppress(OSError):
                (self.folder / f"energy-waits-{os.getpid()}").touch()
            return self._owner()
        except OSError as error:
            return f"an unknown process, because no lock can be kept ({error.strerror or error})"
        self._lock, self.owned = lock, True
        # Only a name for people: who can't write it has the lock all the same.
        with contextlib.suppress(OSError):
            (self.folder / "energy.owner").write_text(str(os.getpid()))
        return ""

    def intruders(self) -> str:
        """Returns who came second while this run had the lock; empty for nobody."""
        if not self.owned:
            return ""
        found = []
        for mark in self.folder.glob("energy-waits-*"):
            pid = mark.name.rsplit("-", 1)[1]
            if not pid.isdecimal():
                continue
            if _lives(int(pid)):
                found.append(f"process {pid}")
            else:
                with contextlib.suppress(OSError):
                    mark.unlink(missing_ok=True)
        return ", ".join(sorted(found))

    def release(self) -> None:
        """Gives the lock back; may be called twice."""
        if self._lock is not None:
            self._lock.release()
            self._lock, self.owned = None, False
        # A mark that stays is of a process that soon lives no longer.
        with contextlib.suppress(OSError):
            (self.folder / f"energy-waits-{os.getpid()}").unlink(missing_ok=True)

    def _owner(self) -> str:
        try:
            return f"process {int((self.folder / 'energy.owner').read_text())}"
        except (OSError, ValueError):
            return "another process"


def _lives(pid: int) -> bool:
    """Returns whether a process is there, whoever owns it; 0 would be all of one's own."""
    if pid == 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
