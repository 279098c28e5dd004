"""An agent's own session files, read and kept without trusting what the agent left there."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from fairtrial.agents.files import lay_file, reason, reclaimed
from fairtrial.agents.lines import objects

LARGEST_BYTES = 64 * 1024 * 1024
"""A longer file is neither read nor kept."""
_MOST_FILES = 200


def session_files(home: Path, globs: Sequence[str]) -> list[Path]:
    """Returns the plain files that a program left in its home, oldest first."""
    found = {path for glob in globs for path in home.glob(glob) if _plain(path, home)}
    return sorted(found, key=lambda path: (path.stat().st_mtime_ns, str(path)))[:_MOST_FILES]


def documents(path: Path) -> Iterator[dict[str, object]]:
    """Yields the objects of a file of JSON lines; torn lines are passed over."""
    for line in read(path).decode(errors="replace").split("\n"):
        if line:
            yield from objects(line)


def read(path: Path) -> bytes:
    """Returns a plain file's content; nothing where it is none, or too long."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_BYTES:
            return b""
        return file.read(LARGEST_BYTES)


def keep_sessions(home: Path, native: Path, globs: Sequence[str]) -> str:
    """
    Copies a program's session files to where its logs are kept, below their own relative paths.

    Returns:
        Why some of them are lost; empty where all are kept.
    """
    paths = session_files(home, globs)
    try:
        target = reclaimed(native)
    except OSError as error:
        return reason(error) if paths else ""
    try:
        lost = [_kept(path, home, target) for path in paths]
    finally:
        os.close(target)
    return next(filter(None, lost), "")


def _kept(path: Path, home: Path, target: int) -> str:
    content = read(path)
    try:
        if content:
            lay_file(target, ("sessions", *path.relative_to(home).parts), content)
    except OSError as error:
        return reason(error)
    return ""


def forget_sessions(home: Path, globs: Sequence[str]) -> None:
    """Removes a program's session files, so that a later start's are its own alone."""
    for path in session_files(home, globs):
        # The program may have locked the folder, which is the harness's to open.
        with suppress(OSError):
            path.parent.chmod(stat.S_IRWXU)
        with suppress(OSError):
            path.unlink()


def _plain(path: Path, home: Path) -> bool:
    """Whether it is a plain file below the home, with no link on the way that leads elsewhere."""
    try:
        inside = path.resolve(strict=True).is_relative_to(home.resolve())
        return inside and stat.S_ISREG(path.lstat().st_mode)
    except (OSError, RuntimeError):
        return False
