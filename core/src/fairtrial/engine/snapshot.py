"""
A tree by content, and the difference of two.

A tree is read only after every process that could write it is dead, so that there is no race
between looking at a path and reading it.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from attrs import frozen

from fairtrial.api import Change, Patch

LARGEST_FILE = 64 * 2**20
"""Bytes; a larger changed file is left behind and named."""

LARGEST_PATCH = 512 * 2**20
"""Bytes of all changed files together; what comes after is left behind and named."""


@frozen
class Entry:
    """One path of a tree: a regular file by its digest, or a link by its target."""

    mode: int
    digest: bytes = b""
    link: str | None = None


Tree = Mapping[str, Entry]
"""Paths relative to the root, with forward slashes, as `os.fsdecode` gives them."""


@frozen(kw_only=True)
class Difference:
    """
    What a solver changed.

    Attributes:
        patch: The changes that could be read.
        left_behind: Paths that could not be taken along, with the reason: no regular file, too
            large, unreadable.
    """

    patch: Patch
    left_behind: Mapping[str, str]


def snapshot(root: Path) -> Tree:
    """
    Reads a whole tree by content; never follows a link.

    Files of other kinds (sockets, pipes, devices) and empty directories are not part of a tree.
    """
    return {path: entry for path, entry, _ in _entries(root)}


def difference(before: Tree, root: Path) -> Difference:
    """Compares the tree below `root` with an earlier snapshot of it."""
    changes: list[Change] = []
    left: dict[str, str] = {}
    seen: set[str] = set()
    room = LARGEST_PATCH
    for path, entry, size in _entries(root, left):
        seen.add(path)
        if before.get(path) == entry:
            continue
        if size > min(LARGEST_FILE, room):
            left[path] = f"{size} bytes are more than is taken along"
            continue
        room -= size
        changes.append(_change(root, path, entry))
    deleted = [path for path in before if path not in seen and path not in left]
    changes += [Change(path=PurePosixPath(path), after=None) for path in deleted]
    changes.sort(key=lambda change: change.path)
    return Difference(patch=Patch(changes=tuple(changes)), left_behind=left)


def _change(root: Path, path: str, entry: Entry) -> Change:
    content = None if entry.link is not None else _read(root / path)
    return Change(path=PurePosixPath(path), after=content, mode=entry.mode, link=entry.link)


def _entries(root: Path, left: dict[str, str] | None = None) -> Iterator[tuple[str, Entry, int]]:
    pending = [""]
    while pending:
        folder = pending.pop()
        for item in _scan(root, folder, left):
            path = f"{folder}{item.name}"
            if item.is_dir(follow_symlinks=False):
                pending.append(f"{path}/")
                continue
            try:
                found = _entry(item)
            except OSError as error:
                _leave(left, path, f"unreadable: {error.strerror}")
                continue
            if found is None:
                _leave(left, path, "not a regular file")
            else:
                yield path, *found


def _scan(root: Path, folder: str, left: dict[str, str] | None) -> list[os.DirEntry[str]]:
    place = root / folder
    try:
        # An agent may have locked its own directories; they are ours to open.
        if place.lstat().st_mode & stat.S_IRWXU != stat.S_IRWXU:
            place.chmod(stat.S_IRWXU)
        with os.scandir(place) as items:
            return sorted(items, key=lambda item: item.name)
    except OSError as error:
        _leave(left, folder, f"unreadable: {error.strerror}")
        return []


def _entry(item: os.DirEntry[str]) -> tuple[Entry, int] | None:
    facts = item.stat(follow_symlinks=False)
    if stat.S_ISLNK(facts.st_mode):
        return Entry(mode=0o777, link=str(Path(item.path).readlink())), 0
    if not stat.S_ISREG(facts.st_mode):
        return None
    mode = 0o755 if facts.st_mode & stat.S_IXUSR else 0o644
    if facts.st_size > LARGEST_FILE:
        # It is never taken along; reading a terabyte of nothing would hold up the run for hours.
        digest = f"{facts.st_size} bytes, written at {facts.st_mtime_ns}".encode()
    else:
        digest = _digest(Path(item.path))
    return Entry(mode=mode, digest=digest), facts.st_size


def _digest(path: Path) -> bytes:
    digest = hashlib.blake2b(digest_size=20)
    with _open(path) as file:
        while chunk := file.read(2**20):
            digest.update(chunk)
    return digest.digest()


def _read(path: Path) -> bytes:
    with _open(path) as file:
        return file.read()


def _open(path: Path) -> BinaryIO:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.fdopen(os.open(path, flags), "rb")
    except PermissionError:
        path.chmod(0o600)
        return os.fdopen(os.open(path, flags), "rb")


def _leave(left: dict[str, str] | None, path: str, reason: str) -> None:
    if left is not None:
        left[path] = reason
