"""A folder of random name in a workspace, for what is laid there during one graded run."""

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from fairtrial.api import Workspace
from fairtrial.stacks.watched.regular import read

LARGEST_REPORT = 64 * 2**20
"""Bytes of a report that are read; a longer one is no report."""


class Room:
    """
    The folder, and a report file that the harness holds open from before the run.

    Whoever is told the report's path is expected to open it and remove the name at once, so that
    code which runs later finds nothing there; what the harness reads is the file it made.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root
        self.name = f".fairtrial-{secrets.token_hex(8)}"
        self.place = workspace.root / self.name
        self.inside = workspace.inside / self.name
        self.place.mkdir(mode=0o755)
        # The sandbox may run programs as another user, who must be able to remove the name.
        self.place.chmod(0o777)
        report = f"{secrets.token_hex(8)}.report"
        self.report = self.inside / report
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self._handle = os.open(self.place / report, flags, 0o600)
        os.fchmod(self._handle, 0o666)
        self._laid: dict[Path, tuple[bytes, bytes | None]] = {}
        self._made: list[Path] = []

    def path(self, name: str) -> PurePosixPath:
        """Returns the path, from the workspace's root, of a file in the folder."""
        return PurePosixPath(self.name) / name

    def lay(self, files: Mapping[PurePosixPath, bytes]) -> None:
        """
        Lays files, below the workspace's root.

        Raises:
            OSError: The tree has something in the way, such as a link out.
        """
        for path, content in files.items():
            target = self._root / path
            _refuse_links(self._root, path)
            self._make(target.parent)
            before = read(self._root, path)
            self._laid[target] = (content, before)
            target.unlink(missing_ok=True)
            _write_new(target, content)

    def touched(self) -> bool:
        """Tells whether a file that was laid has been changed since."""
        return any(self._holds(target) != laid for target, (laid, _) in self._laid.items())

    def _holds(self, target: Path) -> bytes | None:
        if target.is_symlink():
            return None
        return read(self._root, PurePosixPath(target.relative_to(self._root)))

    def told(self) -> str:
        """Returns what the report says; only once everything that could write it is dead."""
        size = os.fstat(self._handle).st_size
        if size > LARGEST_REPORT:
            return ""
        return os.pread(self._handle, size, 0).decode("utf-8", "replace")

    def leave(self) -> None:
        """Takes away what was laid, and puts back what lay there before."""
        os.close(self._handle)
        for target, (_, before) in self._laid.items():
            with suppress(OSError):
                # The graded code may have put a link in a folder's place, which leads anywhere.
                _refuse_links(self._root, PurePosixPath(target.parent.relative_to(self._root)))
                target.unlink(missing_ok=True)
                if before is not None:
                    _write_new(target, before)
        for folder in reversed(self._made):
            with suppress(OSError):
                _refuse_links(self._root, PurePosixPath(folder.relative_to(self._root)))
                folder.rmdir()
        # Folders nested without end are left to whoever removes the workspace.
        with suppress(RecursionError):
            shutil.rmtree(self.place, ignore_errors=True)

    def _make(self, folder: Path) -> None:
        if not folder.exists():
            self._make(folder.parent)
            folder.mkdir()
            self._made.append(folder)


@contextmanager
def room_in(workspace: Workspace) -> Iterator[Room]:
    """Opens a folder in a workspace for the length of a block."""
    room = Room(workspace)
    try:
        yield room
    finally:
        room.leave()


def _refuse_links(root: Path, path: PurePosixPath) -> None:
    here = root
    for part in path.parts:
        here /= part
        if here.is_symlink():
            raise OSError(f"“{path}” is behind a link")


def _write_new(target: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(target, flags, 0o644), "wb") as file:
        file.write(content)
