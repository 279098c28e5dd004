"""
What files were like, and whether they still are.

A thorough look costs one `lstat` a file. A change time is the kernel's own: whoever sets a file's
other times back moves it on, so that a file whose change time is as it was has not been touched.
Only where it isn't are contents compared. Whether a look is needed at all is told by `Touches`.
"""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from fairtrial.engine.toolchains import runner_in, unused, used
from fairtrial.engine.touches import Touches

LARGEST_DIGEST = 2**20
"""Bytes of a file up to which its contents are kept in mind; a larger one may not be touched."""

CACHE = "__pycache__"
"""The folder into which an interpreter writes by itself."""

Facts = tuple[int, int, int, int, int, int]
"""Device, inode, mode, size, time of change of the contents, and time of any change."""

_MODE, _SIZE, _AT = 2, 3, 5

Listing = Callable[[Path], Iterable[Path]]


def files_clock_ns() -> int:
    """Returns the time as the kernel writes it down for files, in nanoseconds since the epoch."""
    # A clock that moves on by ticks of some milliseconds, and so is behind the usual one.
    return time.clock_gettime_ns(getattr(time, "CLOCK_REALTIME_COARSE", time.CLOCK_REALTIME))


@frozen(kw_only=True)
class Change:
    """
    A file that is not what it was.

    Attributes:
        path: The file, or the folder in which something came and went.
        at_ns: When, as the kernel tells it, in nanoseconds since the epoch.
        new: Whether it was not there before.
    """

    path: str
    at_ns: int
    new: bool = False


@define
class Manifest:
    """Facts of files and of folders; made by the `add` methods, compared by `changes`."""

    _files: dict[bytes, Facts | None] = field(factory=dict)
    _folders: dict[bytes, tuple[Facts | None, Listing]] = field(factory=dict)
    _digests: dict[bytes, bytes] = field(factory=dict)
    _touches: Touches = field(factory=Touches)
    _unwatched: set[bytes] = field(factory=set)

    def __len__(self) -> int:
        """Returns how many files and folders are looked at."""
        return len(self._files) + len(self._folders)

    def add_file(self, path: Path) -> None:
        """Takes a file as it is now; one that isn't there must not come."""
        self._put_file(os.fsencode(path))

    def add_folder(self, folder: Path) -> None:
        """Takes all of a folder that a graded run may execute; nothing may come."""
        for place, names in used(folder):
            self._put_folder(place, _everything)
            # Bytes, since a path a file would be a quarter of the time that all of this takes.
            within = os.fsencode(place) + b"/"
            for name in names:
                self._put_file(within + os.fsencode(name))

    def add_packages(self, folder: Path) -> None:
        """Takes what runs by itself in a folder of packages; anything else may come and go."""
        self._put_folder(folder, runner_in)
        for place in runner_in(folder):
            if place.is_dir():
                self.add_folder(place)
            else:
                self.add_file(place)

    def admit(self, path: Path) -> None:
        """Takes a file as it is now, whatever was known of it."""
        self._files.pop(os.fsencode(path), None)
        self.add_file(path)

    def changes(self, since_ns: int, *, thorough: bool = True) -> list[Change]:
        """
        Returns what is not as it was.

        Args:
            since_ns: From when on, by the files' clock, a file that was put back, or that came
                and went, counts as changed, too, since nothing honest touched it.
            thorough: Whether each file is looked at also where the kernel tells of no touch.
        """
        if self._touches.none():
            return self._differing(since_ns, among=None if thorough else self._unwatched)
        found = self._differing(since_ns)
        # What was replaced is another inode now, and so may be a folder that leads to it.
        self._touches.again()
        for name in (*self._files, *self._folders):
            self._watch(name)
        return found

    def _differing(self, since: int, *, among: Collection[bytes] | None = None) -> list[Change]:
        """Returns what is not as it was, among some files and folders, or among all."""
        files = self._files if among is None else self._files.keys() & among
        odd = [name for name in files if _differs(name, self._files[name])]
        found = [change for name in odd if (change := self._changed(name, since))]
        folders = self._folders if among is None else self._folders.keys() & among
        for name in [name for name in folders if _differs(name, self._folders[name][0])]:
            found += self._came(name, since, quiet=bool(found))
        return found

    def _watch(self, name: bytes) -> None:
        if self._touches.add(name):
            self._unwatched.discard(name)
        else:
            self._unwatched.add(name)

    def _put_file(self, name: bytes) -> None:
        if name in self._files:
            return
        self._watch(name)
        self._files[name] = facts = _facts(name)
        if facts is None:
            return
        if stat.S_ISLNK(facts[_MODE]) and os.path.isfile(name):  # noqa: PTH113 - bytes
            self._put_file(os.path.realpath(name))
        if facts[_SIZE] <= LARGEST_DIGEST:
            self._digests[name] = _digest(name, facts)

    def _put_folder(self, folder: Path, listing: Listing) -> None:
        name = os.fsencode(folder)
        self._watch(name)
        self._folders[name] = (_facts(name), listing)

    def _changed(self, name: bytes, since: int) -> Change | None:
        now, before = _facts(name), self._files[name]
        if now is None:
            return Change(path=os.fsdecode(name), at_ns=_last_change(name))
        if before is not None and now[_AT] < since and self._holds_what_it_held(name, now):
            # A mode was changed, or a second name given; no check ran meanwhile.
            self._files[name] = now
            return None
        return Change(path=os.fsdecode(name), at_ns=now[_AT], new=before is None)

    def _holds_what_it_held(self, name: bytes, now: Facts) -> bool:
        return now[_SIZE] <= LARGEST_DIGEST and self._digests.get(name) == _digest(name, now)

    def _came(self, name: bytes, since: int, *, quiet: bool) -> Iterator[Change]:
        """Yields what is new in a folder; or the folder, where something came and went."""
        before, listing = self._folders[name]
        now = _facts(name)
        if now is None:
            yield Change(path=os.fsdecode(name), at_ns=_last_change(name))
            return
        fresh = [path for path in listing(Path(os.fsdecode(name))) if not self._knows(path)]
        for path in self._unfolded(fresh):
            at_ns = (_facts(os.fsencode(path)) or now)[_AT]
            yield Change(path=str(path), at_ns=at_ns, new=True)
        if before is not None and not fresh and not quiet and now[_AT] >= since:
            yield Change(path=os.fsdecode(name), at_ns=now[_AT])
        self._folders[name] = (now, listing)

    def _knows(self, path: Path) -> bool:
        name = os.fsencode(path)
        return name in self._files or name in self._folders

    def _unfolded(self, fresh: Iterable[Path]) -> Iterator[Path]:
        """Yields new files; of a folder that an interpreter makes for its bytecode, what it holds."""
        for path in fresh:
            if path.name == CACHE and path.is_dir() and not path.is_symlink():
                self._put_folder(path, _everything)
                yield from _everything(path)
            else:
                yield path


def _everything(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not unused(entry.name) and not _is_unread(folder, entry.name):
                yield Path(entry.path)


def _is_unread(folder: Path, name: str) -> bool:
    """Tells whether an interpreter never reads a file of its cache: no module has such a name."""
    if folder.name != CACHE:
        return False
    module = folder.parent / f"{name.partition('.')[0]}.py"
    return not name.endswith(".pyc") or name.count(".") > len("..") or not module.exists()


def _facts(name: bytes) -> Facts | None:
    try:
        status = os.lstat(name)
    except OSError:
        return None
    return (
        status.st_dev,
        status.st_ino,
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


def _differs(name: bytes, facts: Facts | None) -> bool:
    """Tells whether a file was touched; the time of change says that of all its other facts."""
    try:
        status = os.lstat(name)
    except OSError:
        return facts is not None
    return facts is None or status.st_ctime_ns != facts[_AT] or status.st_ino != facts[1]


def _digest(name: bytes, facts: Facts) -> bytes:
    try:
        if stat.S_ISLNK(facts[_MODE]):
            return os.readlink(name)  # noqa: PTH115 - bytes
        handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return hashlib.sha256(os.read(handle, facts[_SIZE])).digest()
    except OSError:
        return b""
    finally:
        os.close(handle)


def _last_change(name: bytes) -> int:
    """Returns when something that is gone went: when the nearest folder that is there changed."""
    folder = os.path.dirname(name)  # noqa: PTH120 - bytes
    while (facts := _facts(folder)) is None and folder not in (b"/", b""):
        folder = os.path.dirname(folder)  # noqa: PTH120 - likewise
    return 0 if facts is None else facts[_AT]
