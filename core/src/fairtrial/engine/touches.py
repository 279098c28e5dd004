"""
Whether any of many files may have been touched, told by the kernel (`inotify(7)`) for next to nothing.

A watch is on an inode, under whatever name it is written to. Every way to change a file's bytes or
attributes is told: writing, truncating, closing what was open for writing (which comes after the
last write through a mapping), replacing, linking. So is what comes and goes in a folder, and that a
folder above is moved away. A file that something else is mounted over is told by the list of mounts.
"""

import ctypes
import os
import sys
import weakref
from pathlib import Path

from attrs import define, field

MODIFIED, ATTRIBUTES, CLOSED_WRITTEN = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATED, DELETED = 0x40, 0x80, 0x100, 0x200
DELETED_SELF, MOVED_SELF = 0x400, 0x800
DONT_FOLLOW, ADD_TO_MASK = 0x0200_0000, 0x2000_0000
"""Of `<sys/inotify.h>`: what is told, and how a watch is added."""

ENTRIES = CREATED | DELETED | MOVED_FROM | MOVED_TO
GONE = DELETED_SELF | MOVED_SELF
TOUCHED = MODIFIED | ATTRIBUTES | CLOSED_WRITTEN | ENTRIES | GONE

MOUNTS = Path("/proc/self/mountinfo")
_AT_ONCE = 1 << 16


@define(eq=False)
class Touches:
    """Watches files and folders, where the system can; one thread at a time."""

    _handle: int | None = field(factory=lambda: _opened())  # noqa: PLW0108 - defined below
    _above: dict[bytes, bool] = field(factory=dict)
    _mounts: bytes = field(factory=lambda: _mounted())  # noqa: PLW0108 - likewise

    def __attrs_post_init__(self) -> None:
        """Has the handle closed together with this."""
        if self._handle is not None:
            weakref.finalize(self, os.close, self._handle)

    def add(self, path: bytes) -> bool:
        """
        Watches a file or a folder from now on; False where it can't be, so that one has to look.

        That is so for one that isn't there, one that can't be read, where the system has no
        watches, and where the user has no more of them (`fs.inotify.max_user_watches`).

        Args:
            path: An absolute path; of a link, the link itself is watched.
        """
        return self._add(path, TOUCHED) and self._stays(_folder(path))

    def again(self) -> None:
        """Forgets which folders lead to what is watched: each is watched anew with `add`."""
        self._above.clear()

    def none(self) -> bool:
        """Tells whether nothing that is watched was touched since this was asked last."""
        if self._handle is None:
            return False
        mounts = _mounted()
        quiet = mounts == self._mounts
        self._mounts = mounts
        try:
            while os.read(self._handle, _AT_ONCE):
                quiet = False
        except BlockingIOError:
            return quiet
        return False

    def _stays(self, folder: bytes) -> bool:
        """Tells whether it would be told that a folder, or one above, leads elsewhere."""
        if folder not in self._above:
            # Told before what is above, or behind a link, which may lead back here.
            self._above[folder] = True
            self._above[folder] = self._add_above(folder)
        return self._above[folder]

    def _add_above(self, folder: bytes) -> bool:
        try:
            behind = os.path.join(_folder(folder), os.readlink(folder))  # noqa: PTH115, PTH118 - bytes
        except OSError:
            behind = b""
        what = GONE | ATTRIBUTES if behind else GONE
        return (
            self._add(folder, what)
            and self._stays(_folder(folder))
            and (not behind or self._stays(os.path.normpath(behind)))
        )

    def _add(self, path: bytes, what: int) -> bool:
        if self._handle is None:
            return False
        added: int = _LIBC.inotify_add_watch(self._handle, path, what | DONT_FOLLOW | ADD_TO_MASK)
        return added >= 0


_LIBC = ctypes.CDLL(None)


def _opened() -> int | None:
    """Returns a handle that no child inherits; None where there is none."""
    if sys.platform != "linux":
        return None
    handle: int = _LIBC.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    return handle if handle >= 0 else None


def _mounted() -> bytes:
    try:
        return MOUNTS.read_bytes()
    except OSError:
        return b""


def _folder(path: bytes) -> bytes:
    return os.path.dirname(path)  # noqa: PTH120 - bytes
