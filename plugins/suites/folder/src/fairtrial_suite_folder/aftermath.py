"""What the code that one check has run leaves for the next one, and how that is taken back."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NoReturn

from attrs import define, field
from fairtrial.api.errors import MachineError
from fairtrial.api.sandbox import EndedBy, Workspace
from fairtrial.stacks import RUST, STACKS, executed_by
from fairtrial.stacks.globs import matches
from fairtrial.stacks.watched.regular import read

from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.tree import Leaf, Tree, make_folder, remove, write_leaf

CACHES = ("__pycache__", "*.pyc")
"""Globs of bytecode, which an interpreter may prefer to the source that was laid anew."""

BUILT = "target"
"""The folder in which Cargo builds."""

CLEARING_S = 60.0
"""Seconds after which clearing is given up."""

_CLEAR = """
for place in "$HOME" "$TMPDIR"; do
    case "$place" in "$1"/?*) ;; *) continue ;; esac
    [ -L "$place" ] && exit 1
    [ -e "$place" ] || continue
    chmod u+rwx -- "$place" 2>/dev/null
    cd "$place" 2>/dev/null && [ -r . ] || exit 1
    for one in * .[!.]* ..?*; do
        [ -e "$one" ] || [ -L "$one" ] || continue
        [ "$place/$one" = "$HOME/.cache" ] && [ -d "$one" ] && [ ! -L "$one" ] && continue
        rm -rf -- "$one" 2>/dev/null && continue
        chmod -R u+rwX -- "$one" 2>/dev/null
        rm -rf -- "$one" 2>/dev/null && continue
        grep -qsF -e " $place/$one/" -e " $place/$one " /proc/self/mountinfo || exit 1
    done
done
"""
# A compiler's own cache in the home stays, since filling it anew takes longer than most checks do.
# So does what a fence shows below such a place, such as the task's environment: it is mounted there.


@define(kw_only=True)
class Aftermath:
    """
    Keeps apart the checks that share one workspace.

    What a test runner, an interpreter or a tool obeys is the same for each of them: files of that
    kind that the code of an earlier check has added, changed or removed are put back, and so are
    the home and the temporary directory, in which nothing lay.

    Attributes:
        entry: The task.
        pristine: Its tree.
        workspace: Where its checks run.
        checks: How many do; one alone is kept apart from nothing.
        worked: Whether one has run, so that its programs are there.
    """

    entry: Entry
    pristine: Tree
    workspace: Workspace
    checks: int
    worked: bool = False
    _first: frozenset[PurePosixPath] | None = field(default=None, init=False)
    _own: frozenset[PurePosixPath] = field(init=False)

    @_own.default
    def _folders(self) -> frozenset[PurePosixPath]:
        return frozenset(parent for path in self.pristine for parent in path.parents)

    def undo(self) -> str:
        """
        Notes what is there, when it is called first; later puts back what isn't as it was then.

        Returns:
            Why that could not be done; empty where it was.

        Raises:
            RecursionError: Folders are nested without end.
            OSError: A folder can't be read, or what is in it not be removed.
            MachineError: There is no shell to do it, nor anything else as it seems.
        """
        if self.checks < 2:  # noqa: PLR2004 - one before and one after
            return ""
        if self._first is None:
            self._first = frozenset(self._obeyed())
            return ""
        for path in [*self._obeyed()]:
            if path not in self._first:
                remove(self.workspace.root / path)
        for path, leaf in self.pristine.items():
            if self._is_obeyed(path) and not self._stands(path, leaf):
                make_folder(self.workspace.root, path.parent)
                write_leaf(leaf, self.workspace.root / path)
        return self._clear()

    def _clear(self) -> str:
        workspace = self.workspace
        # Without a fence, only what is surely the workspace's own: a home may be somebody's.
        own = workspace.enforced.get("filesystem", "none") != "none"
        below = "" if own else str(workspace.inside.parent)
        try:
            done = workspace.run(("sh", "-c", _CLEAR, "sh", below), timeout_s=CLEARING_S)
        except FileNotFoundError as error:
            if self.worked:
                return "the shell “sh”, which tidies up between two checks, isn't there"
            raise MachineError(
                problem="the shell “sh”, which tidies up between two checks, isn't there",
                way_on="grade in an image, or on a machine, that has it",
            ) from error
        workspace.settle()
        if (done.ended_by, done.code) == (EndedBy.EXIT, 0):
            return ""
        return "what the check before it left in its home can't be removed"

    def _is_obeyed(self, path: PurePosixPath) -> bool:
        task = self.entry.task
        globs = (*executed_by(task.stack), *CACHES)
        return matches(str(path), globs) and not matches(str(path), task.open_paths)

    def _obeyed(self) -> Iterator[PurePosixPath]:
        """Yields what is obeyed in the tree; of a folder that is none of the task's, it alone."""
        root = self.workspace.root
        open_up(root)
        for folder, names, files in os.walk(root, onerror=_give_up):
            here = PurePosixPath(folder).relative_to(root)
            names[:] = [name for name in names if not self._is_passed_over(here / name)]
            found = {name for name in (*names, *files) if self._is_obeyed(here / name)}
            yield from (here / name for name in sorted(found) if here / name not in self._own)
            names[:] = [name for name in names if name not in found or here / name in self._own]
            for name in names:
                open_up(root / here / name)

    def _is_passed_over(self, path: PurePosixPath) -> bool:
        """Tells whether a folder is a repository's, or what a compiler built from the source."""
        if path.name == BUILT and path not in self._own:
            stack = self.entry.task.stack
            return stack == RUST.name or stack not in STACKS
        return path.name == ".git"

    def _stands(self, path: PurePosixPath, leaf: Leaf) -> bool:
        place = self.workspace.root / path
        if leaf.link is not None:
            return place.is_symlink() and os.readlink(place) == leaf.link  # noqa: PTH115 - as a leaf has it
        return not place.is_symlink() and read(self.workspace.root, path) == leaf.data


def open_up(folder: Path) -> None:
    """
    Lets its owner read, write and enter a folder, which an agent's code may have locked.

    What is no folder, or a link to one, is left as it is.

    Raises:
        OSError: It isn't there, or is somebody else's.
    """
    mode = folder.lstat().st_mode
    if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
        folder.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)


def _give_up(error: OSError) -> NoReturn:
    raise error
