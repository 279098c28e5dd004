"""
What may cross from an attempt's tree into the room where it is graded.

Nothing of the attempt's workspace is used again: the changes are laid over a freshly seeded tree,
less those to protected paths and to files that a test runner or an interpreter would execute or
read as its configuration.
"""

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from fairtrial.api import Change, Patch, Task
from fairtrial.stacks import executed_by
from fairtrial.stacks.globs import matches

ALWAYS_DROPPED = (".git", ".hg", ".svn")
"""Histories and hooks."""

CACHES = ("__pycache__", "*.pyc", "*.pyo", ".pytest_cache", ".mypy_cache", ".ruff_cache")
"""What running tests leaves behind; dropped without a word, since it is nobody's change."""

BOOKKEEPING = tuple(
    f"/.git/{name}"
    for name in (
        "index",
        "objects",
        "logs",
        "refs",
        "packed-refs",
        "HEAD",
        "ORIG_HEAD",
        "FETCH_HEAD",
        "COMMIT_EDITMSG",
    )
)
"""What git writes when an agent commits or merely looks: never graded, and nobody's change."""


MOST_LINKS = 40
"""Links that the kernel follows on the way to one file."""


@frozen(kw_only=True)
class Admission:
    """
    A patch divided at the door.

    Attributes:
        admitted: What is graded.
        dropped: Paths that stay outside, with the reason; caches are not among them.
    """

    admitted: Patch
    dropped: Mapping[str, str]


def admit(patch: Patch, task: Task) -> Admission:
    """Divides the changes of an attempt into those that are graded and those that are not."""
    executed = executed_by(task.stack)
    admitted: list[Change] = []
    dropped: dict[str, str] = {}
    for change in patch.changes:
        path = str(change.path)
        if matches(path, CACHES + BOOKKEEPING):
            continue
        if reason := _reason(change, task, executed):
            dropped[path] = reason
        else:
            admitted.append(change)
    return Admission(admitted=Patch(changes=tuple(admitted)), dropped=dropped)


def readable(patch: Patch) -> Patch:
    """Returns the changes that a person would want to read: git's own bookkeeping is none."""
    changes = (one for one in patch.changes if not matches(str(one.path), BOOKKEEPING))
    return Patch(changes=tuple(changes))


def lay(patch: Patch, root: Path) -> tuple[str, ...]:
    """
    Lays changes over the tree below `root`; returns the paths where that was not possible.

    No path is ever written through a link: a change below one is refused. So is a link that leads
    out of the tree by way of others, each of which stays inside by itself.
    """
    order = sorted(patch.changes, key=lambda change: (not change.deleted, change.link is not None))
    refused = {str(change.path): None for change in order if not _lay_one(change, root)}
    links = [str(change.path) for change in order if change.link is not None]
    leading_out = [path for path in links if path not in refused and _leads_out(path, root)]
    for path in leading_out:
        (root / path).unlink()
    return (*refused, *leading_out)


def _leads_out(path: str, root: Path) -> bool:
    """Follows a link as the kernel does: one that it would give up on leads nowhere inside."""
    here: list[str] = []
    ahead = path.split("/")[::-1]
    followed = 0
    while ahead:
        part = ahead.pop()
        if part == "..":
            if not here:
                return True
            here.pop()
        elif part not in ("", "."):
            place = root.joinpath(*here, part)
            try:
                is_link = place.is_symlink()
                target = str(place.readlink()) if is_link else ""
            except OSError:
                # Such as a name longer than a name can be, which the kernel gives up on, too.
                return True
            if not is_link:
                here.append(part)
                continue
            followed += 1
            if followed > MOST_LINKS or posixpath.isabs(target):
                return True
            ahead += target.split("/")[::-1]
    return False


def _reason(change: Change, task: Task, executed: tuple[str, ...]) -> str:
    path = str(change.path)
    if change.path.is_absolute() or ".." in change.path.parts:
        return "outside the workspace"
    if change.link is not None and _escapes(path, change.link):
        return "a link out of the workspace"
    rules = (
        (task.protected, "protected by the task"),
        (ALWAYS_DROPPED, "history or hooks"),
        ((), "") if matches(path, task.open_paths) else (executed, "read by the test runner"),
    )
    return next((reason for globs, reason in rules if matches(path, globs)), "")


def _escapes(path: str, target: str) -> bool:
    if posixpath.isabs(target):
        return True
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return joined == ".." or joined.startswith("../")


def _lay_one(change: Change, root: Path) -> bool:
    target = root / change.path
    if not _parents_are_real(target, root, make=not change.deleted):
        return False
    if target.is_dir() and not target.is_symlink() and not _emptied(target):
        return False
    target.unlink(missing_ok=True)
    if change.link is not None:
        target.symlink_to(change.link)
    elif change.after is not None:
        _write(target, change.after, change.mode)
    return True


def _emptied(folder: Path) -> bool:
    """Removes a directory that the deletions, which come first, have left without a file."""
    for place, _, files in os.walk(folder, topdown=False):
        if files:
            return False
        Path(place).rmdir()
    return True


def _parents_are_real(target: Path, root: Path, *, make: bool) -> bool:
    place = root
    for part in target.relative_to(root).parts[:-1]:
        place /= part
        if place.is_symlink() or place.is_file():
            return False
        if not place.exists():
            if not make:
                return True
            place.mkdir()
    return True


def _write(target: Path, content: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(target, flags, mode), "wb") as file:
        file.write(content)
    target.chmod(mode)
