"""
Private directories that a harness left because it was killed.

Those of a workspace are found by their free locks; lighter ones, of which there is one an attempt,
by the process that their names tell.
"""

import fcntl
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from fairtrial.processes.removal import remove_tree

PREFIX = "fairtrial-"
"""How the names of private directories begin."""
_LOCK = "lock"
_OWNED = re.compile(rf"{PREFIX}of-(\d+)-(\d+)-(\d+)-")


def claim(top: Path) -> int:
    """
    Marks a directory as in use until the descriptor that is returned is closed, or we die.

    The lock is on the file, not on a process id, so that it also holds between containers that
    share a directory for temporary files.
    """
    new = top / f"{_LOCK}.new"
    handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    # Only a file that is locked already ever has the name that a sweep looks at.
    new.rename(top / _LOCK)
    return handle


def owned_prefix() -> str:
    """
    Returns the beginning of a name that tells which process a directory belongs to.

    It holds the process's namespace and start time beside its id, since ids are used again.
    """
    return f"{PREFIX}of-{_namespace()}-{os.getpid()}-{_started(os.getpid())}-"


def sweep() -> int:
    """Removes the directories of this user that nobody uses any more; returns how many."""
    removed = 0
    for top in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            removed += _is_left(top) and remove_tree(top)
    return removed


def _is_left(top: Path) -> bool:
    if top.is_symlink() or top.stat().st_uid != os.geteuid():
        return False
    if owner := _OWNED.match(top.name):
        namespace, process, started = (int(number) for number in owner.groups())
        return namespace == _namespace() > 0 and started != _started(process)
    handle = os.open(top / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


def _namespace() -> int:
    """Returns what tells this namespace of process ids from others; 0 where there is none."""
    with suppress(OSError):
        return Path("/proc/self/ns/pid").stat().st_ino
    return 0


def _started(process: int) -> int:
    """Returns when a process started, in ticks since boot; 0 where there is no such process."""
    with suppress(OSError, ValueError, IndexError):
        # The name, in brackets, may hold anything; field 22 of proc(5) is the 20th after it.
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[19])
    return 0
