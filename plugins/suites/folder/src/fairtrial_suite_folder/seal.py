"""
Whether an environment is still what it was when it was made.

The programs that grade run out of it, so a file that changed in it since is a file that somebody
put there. Looking costs one `lstat` a file; contents are read again only where a file's times,
size or place on the disk are others than last seen.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

CACHES = frozenset({".cache"})
"""Folders that the tools of a package write into by themselves, and run nothing of."""

_seen: dict[Path, bytes] = {}
"""Environments that were found whole in this process, by what `lstat` said of them then."""

_closed: dict[Path, tuple[int, ...]] = {}
"""When the folders were last changed from which code runs by itself, for those environments."""


def put(home: Path) -> None:
    """Writes down what an environment holds, beside it."""
    _place(home).write_text(_contents(home) + "\n", encoding="ascii")
    _closed[home] = _doors(home)


def whole(home: Path) -> bool:
    """Tells whether an environment holds what it held when it was sealed."""
    try:
        _closed[home] = _doors(home)
        looks = _looks(home)
        if _seen.get(home) == looks:
            return True
        kept = _place(home).read_text(encoding="ascii").strip()
        if _contents(home) != kept:
            return False
    except (OSError, ValueError):
        return False
    _seen[home] = looks
    return True


def opened(home: Path) -> bool:
    """
    Tells whether something came or went, since it was last looked at, that runs by itself.

    A file that starts with the interpreter may be gone again when one looks for it.
    """
    try:
        return home in _closed and _closed[home] != _doors(home)
    except OSError:
        return True


def _doors(home: Path) -> tuple[int, ...]:
    places = (home / "bin", *sorted(home.glob("lib/python*/site-packages")))
    return tuple(place.stat().st_ctime_ns for place in places if place.is_dir())


def _place(home: Path) -> Path:
    return home.parent / f"{home.name}.seal"


def _looks(home: Path) -> bytes:
    total = hashlib.sha256()
    for path, status in _files(home):
        # The change time is the kernel's own: setting a file's other times back moves it on.
        facts = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns)
        total.update(f"{path}\0{facts}{status.st_ctime_ns}\0".encode("utf-8", "surrogateescape"))
    return total.digest()


def _contents(home: Path) -> str:
    total = hashlib.sha256()
    for path, status in _files(home):
        place = home / path
        if stat.S_ISLNK(status.st_mode):
            content = os.fsencode(place.readlink())
        else:
            content = place.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        total.update(f"{path}\0{status.st_mode:o}\0".encode("utf-8", "surrogateescape"))
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()


def _files(home: Path) -> Iterator[tuple[str, os.stat_result]]:
    for folder, names, files in os.walk(home):
        linked = [name for name in names if (Path(folder) / name).is_symlink()]
        names[:] = sorted(name for name in names if name not in CACHES and name not in linked)
        for name in sorted([*files, *linked]):
            place = Path(folder) / name
            yield str(place.relative_to(home)), place.lstat()
