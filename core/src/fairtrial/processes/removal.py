"""Removes a tree that somebody else filled: whatever is in it, and nothing outside it."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ROUNDS = 3


def remove_tree(root: Path) -> bool:
    """
    Removes a directory with all that is in it; returns whether it is gone.

    Links are removed, never followed. Directories without permissions, with odd names, or nested
    deeper than a path may be long are no obstacle: everything is done through the descriptor of
    the directory at hand, and what is nested is moved up first. Nothing may run in it any more.
    """
    for _ in range(_ROUNDS):
        with suppress(OSError):
            if not stat.S_ISDIR(root.lstat().st_mode):
                root.unlink()
                return True
            _empty(root)
            root.rmdir()
        if not os.path.lexists(root):
            return True
    return False


def _empty(root: Path) -> None:
    root.chmod(0o700)
    top = os.open(root, _DIRECTORY)
    try:
        queue = _strip(top, top)
        while queue:
            name = queue.pop()
            with suppress(OSError):
                folder = os.open(name, _DIRECTORY, dir_fd=top)
                try:
                    queue += _strip(folder, top)
                finally:
                    os.close(folder)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def _strip(folder: int, top: int) -> list[str]:
    """Removes what is no directory; moves each directory to the top, under a name returned."""
    moved: list[str] = []
    with os.scandir(folder) as entries:
        listed = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, nested in listed:
        with suppress(OSError):
            if not nested:
                os.unlink(name, dir_fd=folder)
            elif not _remove_empty(name, folder):
                moved.append(_lift(name, folder, top))
    return moved


def _remove_empty(name: str, folder: int) -> bool:
    try:
        os.rmdir(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _lift(name: str, folder: int, top: int) -> str:
    """Makes a directory accessible and moves it to the top; returns its name there."""
    os.chmod(name, 0o700, dir_fd=folder)
    if folder == top:
        return name
    new = f".{secrets.token_hex(8)}"
    os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
    return new
