"""What lies in the user's own files, where a solver's table holds no more than their path."""

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from attrs import fields

if TYPE_CHECKING:
    from attrs import AttrsInstance

_UNSAID = "__pycache__"
"""A folder that an interpreter writes by itself; it says nothing that its sources don't."""
_KEY = re.compile(r"(\[solvers\.(.+)\]) content of (\w+)", re.DOTALL)


def contents(name: str, solver: object, places: frozenset[str]) -> dict[str, str]:
    """
    Digests the files and folders that a solver's fields lead to, by keys of a run's lock.

    Args:
        name: What the config calls the solver.
        solver: It.
        places: Fields that say where something is, and not what the agent is given.
    """
    # The registry takes nothing for a plugin that is no class of attrs.
    kind = cast("type[AttrsInstance]", type(solver))
    values = {each.name: getattr(solver, each.name) for each in fields(kind)}
    digests = {
        key: digest(value)
        for key, value in values.items()
        if isinstance(value, Path) and key not in places
    }
    return {f"[solvers.{name}] content of {key}": text for key, text in digests.items() if text}


def told_by(key: str) -> tuple[str, str, str] | None:
    """Returns the table's key in the lock, the solver and the field; None for any other key."""
    found = _KEY.fullmatch(key)
    return None if found is None else (found[1], found[2], found[3])


def digest(path: Path) -> str:
    """
    Returns what tells a file, or a folder with all that is in it, from another, wherever it lies.

    Names, contents, links and whether a file may be executed count; empty folders don't. Empty
    where there is neither a file nor a folder.
    """
    if path.is_file():
        return _hashed([("", path)])
    return _hashed(_below(path)) if path.is_dir() else ""


def _below(folder: Path) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != _UNSAID]
        links = [name for name in folders if Path(place, name).is_symlink()]
        paths = [Path(place, name) for name in (*names, *links)]
        found += [(path.relative_to(folder).as_posix(), path) for path in paths]
    return sorted(found)


def _hashed(files: Iterable[tuple[str, Path]]) -> str:
    total = hashlib.blake2b(digest_size=16)
    for name, path in files:
        said = name.encode(errors="surrogateescape"), *_said(path, follow=not name)
        # Each part with its length, so that no two lists run together into the same bytes.
        for part in said:
            total.update(b"%d:%b" % (len(part), part))
    return total.hexdigest()


def _said(path: Path, *, follow: bool) -> tuple[bytes, bytes]:
    if path.is_symlink() and not follow:
        return b"link", os.fsencode(path.readlink())
    if not path.is_file():
        return b"other", b""
    try:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "blake2b").digest()
            executable = os.fstat(file.fileno()).st_mode & 0o100
    except OSError as error:
        return b"unreadable", (error.strerror or "").encode()
    return b"program" if executable else b"file", content
