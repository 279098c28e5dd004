"""The suite itself: tasks from a folder, their trees, and their verdicts."""

import functools
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import platformdirs
from attrs import evolve, field, frozen
from fairtrial.api.attempt import Patch
from fairtrial.api.errors import SuiteError
from fairtrial.api.sandbox import Workspace
from fairtrial.api.suite import (
    Checked,
    Equipment,
    Equipped,
    Fault,
    PartlyRead,
    Preflighted,
    Referenced,
    Suite,
)
from fairtrial.api.task import Task
from fairtrial.api.verdict import Verdict

from fairtrial_suite_folder import environments, grading, invariants, material, repository
from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.loading import attempts
from fairtrial_suite_folder.tree import lay

VERSION = "folder-2"
"""Changes whenever the same tree could be graded differently; tasks have digests of their own."""


def _default_cache() -> Path:
    chosen = os.environ.get("FAIRTRIAL_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("fairtrial")


@frozen(kw_only=True)
class FolderSuite:
    """
    Tasks from a folder, in either of two formats.

    Attributes:
        path: A folder of task folders, each with a `task.toml`; or a manifest (`tasks.json` or
            `tasks.toml`), or the folder that holds one.
        git: Whether each tree is handed out as a fresh repository of one commit; where this is
            not said, each task's own `git` key decides, and a task whose source is a repository
            is one.
        cache: Where sources and environments are kept; by default the user's cache folder, or
            what the variable FAIRTRIAL_CACHE says.
    """

    path: Path = field(converter=Path)
    git: bool | None = None
    cache: Path = field(factory=_default_cache, converter=Path)

    @property
    def version(self) -> str:
        """The version of the way of grading."""
        return VERSION

    @functools.cached_property
    def entries(self) -> dict[str, Entry]:
        """All tasks that can be read, with their hidden parts, by id, in order; read once."""
        return {each.task.id: each for each in self._read if isinstance(each, Entry)}

    @functools.cached_property
    def _read(self) -> tuple[Entry | SuiteError, ...]:
        return tuple(attempts(self.path))

    def tasks(self) -> Iterable[Task]:
        """Yields the tasks, by folder name or in the manifest's order."""
        for each in self._read:
            if isinstance(each, SuiteError):
                raise each
        return self.readable()

    def readable(self) -> Sequence[Task]:
        """Returns the tasks that can be read, whatever is wrong with others."""
        return tuple(entry.task for entry in self.entries.values())

    def entry(self, task: Task) -> Entry:
        """
        Returns a task with its hidden parts.

        Raises:
            SuiteError: The suite doesn't have it.
        """
        if task.id not in self.entries:
            raise SuiteError(
                problem=f"the suite has no task “{task.id}”",
                facts=(("suite", str(self.path)), ("tasks", ", ".join(self.entries))),
                way_on="`fairtrial tasks list` shows what there is",
                task=task.id,
            )
        return self.entries[task.id]

    def preflight(self, tasks: Sequence[Task], /) -> None:
        """Fetches what these tasks' trees are made of, so that the run itself is offline."""
        for task in tasks:
            material.fetch(self.entry(task), self.cache)

    def equip(self, task: Task, /) -> Equipment:
        """Finds the task's programs, and makes the environment that its packages go into."""
        home = self.path if self.path.is_dir() else self.path.parent
        equipment = environments.equip(self.entry(task), self.cache)
        return evolve(equipment, hidden=(home.absolute(), *equipment.hidden))

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """Lays the task's tree, with a repository around it where one is wanted."""
        entry = self.entry(task)
        tree = material.tree_of(entry, self.cache)
        lay(tree, workspace.root)
        if entry.repository if self.git is None else self.git:
            repository.begin(tree, workspace.root, task.id)

    def reference(self, task: Task, /) -> Patch | None:
        """Returns what the known-good fix changes."""
        return material.reference_of(self.entry(task), self.cache)

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """Restores the tests, runs the checks, and says what came of each."""
        entry = self.entry(task)
        verdict = grading.grade(entry, material.tree_of(entry, self.cache), workspace, VERSION)
        if broken := environments.changed(entry, self.cache):
            return grading.tampered(verdict, broken)
        return verdict

    def faults(self) -> Sequence[Fault]:
        """Returns every broken rule that can be seen without running a task's programs."""
        return invariants.faults(self.path, self.cache)


_: type[Suite] = FolderSuite
_referenced: type[Referenced] = FolderSuite
_preflighted: type[Preflighted] = FolderSuite
_equipped: type[Equipped] = FolderSuite
_checked: type[Checked] = FolderSuite
_partly_read: type[PartlyRead] = FolderSuite
