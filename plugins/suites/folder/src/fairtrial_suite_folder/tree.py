"""A tree of files as a value: read from a folder, laid into one, digested, compared."""

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api.attempt import Change, Patch
from fairtrial.api.errors import SuiteError

IGNORED = frozenset(
    {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".DS_Store"}
)
"""Names that a folder of a task may gather when its author tries it out; never part of a tree."""


@frozen(kw_only=True)
class Leaf:
    """
    A file or a symbolic link.

    Attributes:
        data: The bytes of a file; empty for a link.
        executable: Whether a file may be run; other bits of the mode are not kept.
        link: The target of a link, as written; None for a file.
    """

    data: bytes = b""
    executable: bool = False
    link: str | None = None

    @property
    def mode(self) -> int:
        """The permission bits that the file is laid with."""
        return 0o755 if self.executable else 0o644


Tree = Mapping[PurePosixPath, Leaf]
"""Paths, relative and in order, to what lies there; folders are implied."""


def leads_out(path: PurePosixPath, target: str) -> bool:
    """Tells whether a link at a path leads out of its tree, or may."""
    if not target or target.startswith("/") or "\\" in target or "\0" in target:
        return True
    depth = len(path.parts) - 1
    for part in target.split("/"):
        if part == "..":
            depth -= 1
        elif part not in ("", "."):
            depth += 1
        if depth < 0:
            return True
    return False


def read_tree(root: Path, task: str | None = None) -> dict[PurePosixPath, Leaf]:
    """
    Reads all that lies in a folder, but for what `IGNORED` names.

    Raises:
        SuiteError: A link leads out, or there is something that is neither file nor link.
    """
    return {path: _leaf(root / path, path, task) for path in sorted(_walk(root, task))}


def _walk(root: Path, task: str | None) -> Iterator[PurePosixPath]:
    def give_up(error: OSError) -> None:
        raise _refused(root, f"a folder can't be read: {error.strerror}", task) from error

    for folder, names, files in os.walk(root, onerror=give_up):
        here = Path(folder)
        names[:] = [name for name in names if name not in IGNORED]
        linked = [name for name in names if (here / name).is_symlink()]
        for name in [*linked, *files]:
            if name not in IGNORED and not name.endswith(".pyc"):
                yield PurePosixPath((here / name).relative_to(root).as_posix())


def _leaf(file: Path, path: PurePosixPath, task: str | None) -> Leaf:
    status = file.lstat()
    if stat.S_ISLNK(status.st_mode):
        target = str(file.readlink())
        if leads_out(path, target):
            raise _refused(file, f"the link “{path}” leads out of its folder: “{target}”", task)
        return Leaf(link=target)
    if not stat.S_ISREG(status.st_mode):
        raise _refused(file, f"“{path}” is neither a file, a folder nor a link", task)
    try:
        return Leaf(data=file.read_bytes(), executable=bool(status.st_mode & 0o111))
    except OSError as error:
        raise _refused(file, f"“{path}” can't be read: {error.strerror}", task) from error


def _refused(file: Path, problem: str, task: str | None) -> SuiteError:
    whose = f"task “{task}”: " if task else ""
    return SuiteError(
        problem=whose + problem,
        facts=(("file", str(file)),),
        way_on="a task's folders hold readable files, and links that stay inside",
        task=task,
    )


def lay(tree: Tree, root: Path) -> None:
    """Writes a tree into a folder, over what is there, links never followed."""
    made: set[Path] = {root}
    for path, leaf in tree.items():
        target = root / path
        if target.parent not in made:
            make_folder(root, path.parent)
            made.add(target.parent)
        write_leaf(leaf, target)


def make_folder(root: Path, folder: PurePosixPath) -> None:
    """Makes a real folder below a root; links and files on the way are replaced."""
    here = root
    for part in folder.parts:
        here /= part
        if here.is_symlink() or (here.exists() and not here.is_dir()):
            here.unlink()
        here.mkdir(mode=0o755, exist_ok=True)


def write_leaf(leaf: Leaf, target: Path) -> None:
    """Puts a file or a link at a path, in place of whatever is there."""
    remove(target)
    if leaf.link is not None:
        target.symlink_to(leaf.link)
        return
    # O_EXCL: the path was just cleared, so whatever appeared there since is not ours to follow.
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, leaf.mode)
    with os.fdopen(handle, "wb") as file:
        file.write(leaf.data)
        os.fchmod(file.fileno(), leaf.mode)


def remove(target: Path) -> None:
    """Removes a file, a link or a whole folder; nothing there is fine."""
    try:
        target.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        if error.errno not in (errno.EISDIR, errno.EPERM) or not target.is_dir():
            raise
        shutil.rmtree(target)


def digest(tree: Tree) -> str:
    """Returns the SHA-256 (hex) of a tree: paths, contents, links, and what may be run."""
    total = hashlib.sha256()
    for path in sorted(tree):
        leaf = tree[path]
        kind = "link" if leaf.link is not None else "run" if leaf.executable else "file"
        content = leaf.data if leaf.link is None else os.fsencode(leaf.link)
        total.update(f"{kind} {hashlib.sha256(content).hexdigest()} ".encode())
        total.update(os.fsencode(str(path)) + b"\0")
    return total.hexdigest()


def difference(before: Tree, after: Tree) -> Patch:
    """Returns what changes one tree into another."""
    return Patch(
        changes=tuple(
            change(path, after.get(path))
            for path in sorted({*before, *after})
            if before.get(path) != after.get(path)
        )
    )


def change(path: PurePosixPath, leaf: Leaf | None) -> Change:
    """Returns a leaf as a change; None as a deletion."""
    if leaf is None:
        return Change(path=path, after=None)
    if leaf.link is not None:
        return Change(path=path, after=None, link=leaf.link)
    return Change(path=path, after=leaf.data, mode=leaf.mode)
