"""
What stands at a path, in words: what is there and can't be used is not called missing.

Only a regular file is ever opened: a pipe may have no writer, and a device no end.
"""

import stat
from pathlib import Path

FILE = "a file"
FOLDER = "a folder"

_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


def found_at(path: Path, *, follow: bool = True) -> str:
    """
    Returns what stands at a path, such as “a file” or “a named pipe”; empty where nothing does.

    Args:
        path: Where to look.
        follow: Whether a link stands for what it leads to.
    """
    try:
        mode = path.stat(follow_symlinks=follow).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return "a link that leads nowhere" if path.is_symlink() else ""
    except OSError as error:
        return f"something that can't be looked at ({error.strerror or error})"
    return _KINDS.get(stat.S_IFMT(mode), "a device")


def file_fault(path: Path, name: str) -> str:
    """
    Says why a path is no file to read; empty where it is one, be it through a link.

    Args:
        path: Where it should be.
        name: What an error calls it.
    """
    found = found_at(path)
    if found == FILE:
        return ""
    return f"“{name}” is {found}, not {FILE}" if found else f"“{name}” is missing"


def folder_fault(path: Path, name: str) -> str:
    """
    Says why a path is no folder; empty where it is one. A link is none, since it may lead out.

    Args:
        path: Where it should be.
        name: What an error calls it.
    """
    found = found_at(path, follow=False)
    if found == FOLDER:
        return ""
    return f"“{name}” is {found}, not {FOLDER}" if found else f"the folder “{name}” is missing"
