"""A tree of files as the kits compare and change it."""

import os
import stat
from pathlib import Path

from fairtrial.api import Patch

Tree = dict[str, tuple[str, int, bytes]]
"""By path: what it is, its permission bits, and its bytes or where it leads."""


def snapshot(root: Path) -> Tree:
    """Returns what is below a directory, links as links."""
    tree: Tree = {}
    for path in sorted(root.rglob("*")):
        tree[path.relative_to(root).as_posix()] = _entry(path)
    return tree


def _entry(path: Path) -> tuple[str, int, bytes]:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "link", 0, os.fsencode(path.readlink())
    if stat.S_ISDIR(mode):
        return "directory", stat.S_IMODE(mode), b""
    return "file", stat.S_IMODE(mode), path.read_bytes()


def lay(patch: Patch, root: Path) -> None:
    """Makes a patch's changes below a directory."""
    for change in patch.changes:
        place = root / change.path
        if place.is_symlink() or place.exists():
            place.unlink()
        if change.deleted:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if change.link is not None:
            place.symlink_to(change.link)
        else:
            place.write_bytes(change.after or b"")
            place.chmod(change.mode)
