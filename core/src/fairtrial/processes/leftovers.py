"""Private directories that a harness left because it was killed: found by their free locks."""

import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from fairtrial.processes.removal import remove_tree

PREFIX = "fairtrial-"
"""How the names of private directories begin."""
_LOCK = "lock"


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
    handle = os.open(top / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
