"""The kit of the kind `suite`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import ClassVar

from fairtrial.api import (
    Equipped,
    Fence,
    MachineError,
    Patch,
    Preflighted,
    Referenced,
    Suite,
    SuiteError,
    Task,
    Verdict,
    Workspace,
)
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.commit import past_one_commit
from fairtrial.conformance.fakes.workspace import ScriptedWorkspace, open_local
from fairtrial.conformance.promise import may_only_raise, promise, same
from fairtrial.conformance.tree import lay, snapshot
from fairtrial.conformance.watch import watch

ID = re.compile(r"[A-Za-z0-9._-]+")
DIGEST = re.compile(r"[0-9a-f]{64}")
HISTORY = (".git", ".hg", ".svn")


class RequiredSuite(Conformance):
    """What every suite promises."""

    kind: ClassVar[str] = "suite"

    tries: ClassVar[int] = 3
    """How many of its tasks, from the first one on, are seeded and graded."""

    def test_tasks_are_the_same_each_time(self, suite: Suite) -> None:
        """Two calls yield equal tasks in one order, and there is at least one."""
        first = list(suite.tasks())
        promise(first, "there is no task")
        same(first, list(suite.tasks()), "the second call yields other tasks")

    def test_tasks_are_well_named(self, suite: Suite) -> None:
        """Ids are unique and plain, families are named, and digests are SHA-256."""
        tasks = list(suite.tasks())
        ids = [task.id for task in tasks]
        same(len(ids), len(set(ids)), "two tasks share an id; tasks, ids")
        for task in tasks:
            promise(ID.fullmatch(task.id), f"“{task.id}” has other letters than A–Z a–z 0–9 . _ -")
            promise(task.family, f"“{task.id}” has no family")
            promise(DIGEST.fullmatch(task.digest), f"“{task.id}” has no SHA-256 for its digest")

    def test_the_version_is_said(self, suite: Suite) -> None:
        """The suite's version is there, and every verdict bears it."""
        promise(suite.version, "the version is empty")
        same(suite.version, suite.version, "the version changes")
        for task in self.some(suite):
            verdict = self.graded(suite, task)
            same(suite.version, verdict.suite_version, f"a verdict of “{task.id}” of a version")

    def test_seeding_twice_gives_equal_bytes(self, suite: Suite) -> None:
        """A task's tree has the same paths, bytes, modes and links each time."""
        for task in self.some(suite):
            with self.seeded(suite, task) as one, self.seeded(suite, task) as two:
                first, second = snapshot(one.root), snapshot(two.root)
            promise(first, f"the tree of “{task.id}” is empty")
            differing = sorted(
                name
                for name in first.keys() | second.keys()
                if first.get(name) != second.get(name)
            )
            same([], differing, f"“{task.id}” is seeded differently the second time, at")

    def test_it_writes_into_its_workspace_only(self, suite: Suite) -> None:
        """Seeding and grading write below the root of the workspace, and nowhere else."""
        for task in self.some(suite):
            with self.room(suite, task) as room, watch() as seen:
                suite.seed(task, room)
                suite.grade(task, room)
            same([], seen.written_outside(room.root), f"“{task.id}” writes")
            same([], seen.children, f"“{task.id}” starts programs beside the workspace")

    def test_a_bare_tree_is_not_resolved(self, suite: Suite) -> None:
        """The tree as it was seeded doesn't pass, or the task asks for nothing."""
        for task in self.some(suite):
            bare = self.graded(suite, task)
            promise(bare.resolved is not True, f"“{task.id}” is resolved before anyone touched it")
            promise(bare.checks, f"“{task.id}” has no check")

    def test_grading_twice_agrees(self, suite: Suite) -> None:
        """One tree gets one verdict, in whatever workspace, check by check."""
        for task in self.some(suite):
            for patch in (None, self.right(suite, task)):
                first, second = (_told(self.graded(suite, task, patch)) for _ in range(2))
                same(first, second, f"one tree of “{task.id}” gets two verdicts")

    def test_protected_paths_buy_nothing(self, suite: Suite) -> None:
        """Emptying or deleting every protected file doesn't make a bare tree pass."""
        for task in filter(lambda task: task.protected, self.some(suite)):
            for gone in (False, True):
                with self.seeded(suite, task) as room:
                    _vandalise(room.root, task.protected, gone=gone)
                    resolved = suite.grade(task, room).resolved
                words = (
                    f"“{task.id}” is resolved by {'deleting' if gone else 'emptying'} its tests"
                )
                promise(resolved is not True, words)

    def test_no_test_ran_is_not_passed(self, suite: Suite, tmp_path: Path) -> None:
        """Where the checks' program isn't there, the outcome is None: neither passed nor failed."""
        for number, task in enumerate(self.some(suite)):
            with self.seeded(suite, task, self.right(suite, task)) as room:
                hollow = ScriptedWorkspace(root=room.root, missing=True)
                words = "without the checks' program, grade may only raise MachineError"
                with may_only_raise(MachineError, SuiteError, words=words):
                    try:
                        resolved = suite.grade(task, hollow).resolved
                    except MachineError:
                        continue
            unjudged = resolved is None or not hollow.calls
            promise(
                unjudged,
                f"no test of “{task.id}” (number {number + 1}) ran, and it says {resolved}",
            )

    def test_the_tree_holds_no_answer(self, suite: Suite) -> None:
        """No file of the reference, no hidden text and no history is in the tree or the prompt."""
        for task in self.some(suite):
            with self.seeded(suite, task) as room:
                tree = snapshot(room.root)
            texts = [entry[2] for entry in tree.values()]
            secret = [text for text in self.hidden(suite, task) if text.strip()]
            for text in secret:
                promise(
                    not any(text in one for one in texts), f"the tree of “{task.id}” gives it away"
                )
                promise(
                    text not in task.brief.prompt.encode(),
                    f"the prompt of “{task.id}” gives it away",
                )
            kept = [name for name in tree if PurePosixPath(name).name in HISTORY]
            if kept == [".git"]:
                kept = past_one_commit(tree)
            same([], kept, f"the tree of “{task.id}” comes with a history")

    def hidden(self, suite: Suite, task: Task) -> Iterable[bytes]:
        """Returns texts that no agent may see: the reference's files; add your checks' text."""
        reference = self.right(suite, task)
        return [change.after for change in reference.changes if change.after] if reference else []

    def right(self, suite: Suite, task: Task) -> Patch | None:
        """Returns the known-good fix, where there is one."""
        return suite.reference(task) if isinstance(suite, Referenced) else None

    def some(self, suite: Suite) -> Sequence[Task]:
        """Returns the tasks that are tried, made ready for."""
        tasks = list(islice(suite.tasks(), self.tries))
        if isinstance(suite, Preflighted):
            suite.preflight(tasks)
        return tasks

    def graded(self, suite: Suite, task: Task, patch: Patch | None = None) -> Verdict:
        """Seeds a fresh workspace, makes a patch's changes, and grades."""
        with self.seeded(suite, task, patch) as room:
            verdict = suite.grade(task, room)
        promise(isinstance(verdict, Verdict), f"{verdict!r} is no Verdict")
        return verdict

    @contextmanager
    def seeded(self, suite: Suite, task: Task, patch: Patch | None = None) -> Iterator[Workspace]:
        """Opens a fresh workspace with the task's tree and a patch's changes."""
        with self.room(suite, task) as room:
            suite.seed(task, room)
            lay(patch or Patch(), room.root)
            yield room

    @contextmanager
    def room(self, suite: Suite, task: Task) -> Iterator[Workspace]:
        """Opens an empty workspace with what the task needs in sight."""
        fence = Fence()
        if isinstance(suite, Equipped):
            kit = suite.equip(task)
            fence = Fence(readable=kit.readable, path=kit.path, variables=kit.variables)
        with open_local(f"conformance {task.id}", fence) as room:
            yield room


class OptionalSuite(RequiredSuite):
    """What a suite promises besides, by its capabilities."""

    has_reference: ClassVar[bool] = True
    """Whether it knows right answers, so that its checks can be proved."""

    def test_the_reference_resolves(self, suite: Suite) -> None:
        """The known-good fix passes every check that is judged, and stays in its scope."""
        known = isinstance(suite, Referenced)
        promise(self.live or self.has_reference is known, f"`has_reference` is not {known}")
        for task in self.some(suite):
            patch = self.right(suite, task)
            if patch is None:
                continue
            verdict = self.graded(suite, task, patch)
            failed = [check.name for check in verdict.failures]
            promise(verdict.resolved, f"the reference of “{task.id}” doesn't resolve it: {failed}")
            outside = [
                path
                for path in patch.paths
                if task.allowed is not None and path not in task.allowed
            ]
            same([], outside, f"the reference of “{task.id}” changes what isn't allowed")


def _told(verdict: Verdict) -> list[tuple[str, bool | None]]:
    return [(check.name, check.passed) for check in verdict.checks]


def _vandalise(root: Path, protected: Sequence[str], *, gone: bool) -> None:
    for pattern in protected:
        for found in list(root.glob(pattern.removesuffix("/**").lstrip("/"))):
            for path in [found, *found.rglob("*")]:
                if path.is_file() and gone:
                    path.unlink()
                elif path.is_file():
                    path.write_bytes(b"")


class SuiteConformance(OptionalSuite):
    """The kit: give it a fixture `suite`."""
