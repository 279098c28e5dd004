"""A suite for fairtrial: one task, a function that subtracts where it should add."""

import hashlib
from collections.abc import Iterable
from pathlib import PurePosixPath

from attrs import field, frozen
from attrs.validators import gt

from fairtrial.api import (
    Brief,
    Change,
    Check,
    CheckKind,
    EndedBy,
    Patch,
    Suite,
    Task,
    Verdict,
    Workspace,
)

FILE = "total.py"
BEFORE = b"def total(first, second):\n    return first - second\n"
AFTER = b"def total(first, second):\n    return first + second\n"
CHECK = "from total import total; assert total(2, 3) == 5; print('1 passed')"
RAN = b"1 passed"


@frozen(kw_only=True)
class EchoSuite:
    """Holds its one task in this module; a real suite reads tasks from where they are kept."""

    timeout_s: float = field(default=600.0, validator=gt(0))
    """Seconds that an attempt may take."""

    @property
    def version(self) -> str:
        """Changes whenever a tree could be graded differently."""
        return "1"

    def tasks(self) -> Iterable[Task]:
        """Yields the task. What is hidden is in its digest, and nowhere else in it."""
        prompt = "`total(2, 3)` in total.py gives -1, though the sum of 2 and 3 is wanted."
        yield Task(
            id="total",
            family="total",
            brief=Brief(prompt=prompt, timeout_s=self.timeout_s),
            digest=hashlib.sha256(BEFORE + AFTER + CHECK.encode()).hexdigest(),
            allowed=(FILE,),
        )

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """Lays the task's tree down; nothing of the check is in it."""
        (workspace.root / FILE).write_bytes(BEFORE)

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """Runs the check on the tree, through the workspace."""
        try:
            done = workspace.run(["python3", "-B", "-c", CHECK], timeout_s=60.0)
        except FileNotFoundError:
            return self._verdict(passed=None, why="python3 isn't here, so no test ran")
        if done.ended_by is EndedBy.TIMEOUT:
            return self._verdict(passed=False, code="timeout", why="the check took a minute")
        # Exit code 0 alone is no evidence that a test ran: the tree may call `exit(0)`.
        passed = done.code == 0 and RAN in done.stdout
        why = "" if passed else done.stderr.decode(errors="replace")[-2_000:]
        return self._verdict(passed=passed, code="" if passed else "hidden-check", why=why)

    def reference(self, task: Task, /) -> Patch | None:
        """Returns the known-good fix, by which the check is proved before a run."""
        return Patch(changes=(Change(path=PurePosixPath(FILE), after=AFTER),))

    def _verdict(self, *, passed: bool | None, code: str = "", why: str = "") -> Verdict:
        check = Check(name="sum", kind=CheckKind.VISIBLE, passed=passed, code=code, why=why)
        return Verdict(checks=(check,), suite_version=self.version)


_: type[Suite] = EchoSuite
