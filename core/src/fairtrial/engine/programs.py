"""The programs of this machine that grade, as they were when a run began."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import structlog
from attrs import define, field

from fairtrial.api import Task, Workspace
from fairtrial.engine.manifest import Change, Manifest
from fairtrial.engine.toolchains import (
    ALWAYS,
    BY_STACK,
    links_to,
    obeyed_by_all,
    parts_of,
    where,
)
from fairtrial.processes.surroundings import search_path

READ_ONLY = "read-only"
"""What `Workspace.enforced` says of `programs` where nothing in the sandbox can write to them."""

PROOF_S = 60.0
"""Seconds that a sandbox may take to show that programs can't be written in it."""

_SEEK = """\
for name do
  file=$(command -v "$name") || continue
  file=$(readlink -f "$file")
  for place in "$file" "${file%/*}"; do
    [ -w "$place" ] && { echo "$place"; exit 3; }
  done
done
exit 0
"""

log = structlog.get_logger()

_taken: dict[tuple[str, ...], "Programs"] = {}
"""What this process has taken before, by the names."""


@define
class Programs:
    """Programs by name, found as a workspace finds them, and the files that belong to them."""

    _places: dict[tuple[str, str], Path | None] = field(factory=dict)
    _folders: dict[str, tuple[int, int] | None] = field(factory=dict)
    _manifest: Manifest = field(factory=Manifest)

    @classmethod
    def of(cls, names: Sequence[str]) -> "Programs":
        """Takes programs as they are; what this process took before serves again, if it holds."""
        key = (search_path(), *names)
        known = _taken.get(key)
        # Nothing may have been touched since: from the beginning of time on.
        if known is not None and not known.changes(0):
            return known
        taken = _taken[key] = cls()
        taken.include(names, search_path())
        return taken

    @property
    def interpreter(self) -> Path | None:
        """The Python that checks run with."""
        return next(
            (place for (name, _), place in self._places.items() if name == "python3"), None
        )

    def __len__(self) -> int:
        """Returns how many files and folders are looked at."""
        return len(self._manifest)

    def include(self, names: Iterable[str], path: str) -> None:
        """
        Takes more programs, as they are now.

        Args:
            names: Those with a directory in their name are the tree's own, and left out.
            path: The directories in which they are looked for, joined by `:`.
        """
        new = [name for name in names if (name, path) not in self._places and "/" not in name]
        if not new:
            return
        for file in obeyed_by_all(Path(os.path.realpath(tempfile.gettempdir()))):
            self._manifest.add_file(file)
        for folder in path.split(":"):
            self._folders.setdefault(folder, _changed(folder))
        for name in new:
            self._places[name, path] = place = where(name, path)
            if place is not None:
                self._take(place)

    def changes(self, since_ns: int, *, thorough: bool = True) -> list[Change]:
        """Returns what is not as it was; see `Manifest.changes`."""
        found = [*self._manifest.changes(since_ns, thorough=thorough), *self._moved()]
        if found:
            # Whoever asks next must not take this for what ought to be there.
            for key in [key for key, known in _taken.items() if known is self]:
                del _taken[key]
        return found

    def admit(self, paths: Iterable[str]) -> None:
        """Takes files as they are now that turned out to be what they must be."""
        for path in paths:
            self._manifest.admit(Path(path))

    def _take(self, place: Path) -> None:
        for link in links_to(place):
            self._manifest.add_file(link)
        parts = parts_of(place)
        for file in parts.files:
            self._manifest.add_file(file)
        for folder in parts.folders:
            self._manifest.add_folder(folder)
        for packages in parts.packages:
            self._manifest.add_packages(packages)

    def _moved(self) -> list[Change]:
        """Returns programs that are no longer found where they were."""
        now = {folder: _changed(folder) for folder in self._folders}
        if now == self._folders:
            return []
        latest = max((at[1] for f, at in now.items() if at and at != self._folders[f]), default=0)
        self._folders = now
        found = {key: where(*key) for key in self._places}
        return [
            Change(path=str(place or self._places[key]), at_ns=latest, new=True)
            for key, place in found.items()
            if place != self._places[key]
        ]


def names_for(tasks: Iterable[Task]) -> tuple[str, ...]:
    """Returns the programs that the checks of some tasks may start, by what stack they are."""
    stacks = dict.fromkeys(task.stack for task in tasks)
    known = [BY_STACK.get(stack, _ALL) for stack in stacks]
    return tuple(dict.fromkeys(name for names in (ALWAYS, *known) for name in names))


def not_written_in(workspace: Workspace, names: Sequence[str]) -> bool:
    """Tells whether a sandbox says that nothing in it can write to programs, and shows that."""
    if workspace.enforced.get("programs") != READ_ONLY:
        return False
    shown = workspace.run(["sh", "-c", _SEEK, "sh", *names], timeout_s=PROOF_S)
    if shown.code != 0:
        place = shown.stdout.decode("utf-8", "replace").strip()
        log.warning("programs can be written in the sandbox", place=place, code=shown.code)
    return shown.code == 0


_ALL = tuple(name for names in BY_STACK.values() for name in names)


def _changed(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)  # noqa: PTH116 - a dozen times for each trial
    except OSError:
        return None
    return status.st_ino, status.st_ctime_ns
