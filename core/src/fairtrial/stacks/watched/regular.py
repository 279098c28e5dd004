"""
Reading a graded tree in which the code of an earlier check has run.

It may have left anything: a pipe into which nobody ever writes, a link to a device that never ends,
a folder that is a link to another place of the machine. None of it is opened; a link that stays
inside of the tree is followed.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath

LARGEST_SOURCE = 16 * 2**20
"""Bytes of a file of program text that are read."""


def read(root: Path, path: PurePosixPath) -> bytes | None:
    """Returns what a file of a tree holds; None where there is no plain file, or too long a one."""
    place = _inside(root, path)
    if place is None or not _is(place, stat.S_ISREG):
        return None
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        return None if os.fstat(handle).st_size > LARGEST_SOURCE else file.read()


def text(root: Path, path: PurePosixPath) -> str:
    """Returns what a file of a tree holds, as text; empty where `read` returns None."""
    return (read(root, path) or b"").decode("utf-8", "replace")


def is_file(root: Path, path: PurePosixPath) -> bool:
    """Tells whether a plain file of the tree stands there."""
    place = _inside(root, path)
    return place is not None and _is(place, stat.S_ISREG)


def is_folder(root: Path, path: PurePosixPath) -> bool:
    """Tells whether a folder of the tree stands there."""
    place = _inside(root, path)
    return place is not None and _is(place, stat.S_ISDIR)


def _inside(root: Path, path: PurePosixPath) -> Path | None:
    real = Path(os.path.realpath(root / path))
    return real if real.is_relative_to(os.path.realpath(root)) else None


def _is(place: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(place.lstat().st_mode)
    except OSError:
        return False
