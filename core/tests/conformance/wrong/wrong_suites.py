import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from attrs import evolve, frozen
from fairtrial.api import Patch, Task, Verdict, Workspace
from fairtrial.conformance.skeletons.suite import AFTER, CHECK, EchoSuite


@frozen(kw_only=True)
class RandomSuite(EchoSuite):
    def seed(self, task: Task, workspace: Workspace, /) -> None:
        super().seed(task, workspace)
        (workspace.root / "salt").write_bytes(os.urandom(8))


@frozen(kw_only=True)
class GenerousSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        return self._verdict(passed=True)


@frozen(kw_only=True)
class OptimisticSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        verdict = super().grade(task, workspace)
        return verdict if verdict.resolved is not None else self._verdict(passed=True)


@frozen(kw_only=True)
class HarshSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        return self._verdict(passed=bool(super().grade(task, workspace).resolved))


@frozen(kw_only=True)
class NarrowSuite(EchoSuite):
    def tasks(self) -> Iterable[Task]:
        for task in super().tasks():
            yield evolve(task, allowed=("other.py",))


@frozen(kw_only=True)
class LeakySuite(EchoSuite):
    def seed(self, task: Task, workspace: Workspace, /) -> None:
        super().seed(task, workspace)
        (workspace.root / "fixed.txt").write_bytes(AFTER)


@frozen(kw_only=True)
class HistorySuite(EchoSuite):
    def seed(self, task: Task, workspace: Workspace, /) -> None:
        super().seed(task, workspace)
        logs = workspace.root / ".git" / "logs"
        logs.mkdir(parents=True)
        (logs / "HEAD").write_text(f"{'0' * 40} {'1' * 40} a <a@b> 0 +0000\tcommit: the fix\n")


@frozen(kw_only=True)
class OpenTestsSuite(EchoSuite):
    def tasks(self) -> Iterable[Task]:
        for task in super().tasks():
            yield evolve(task, protected=("tests/**",))

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        super().seed(task, workspace)
        (workspace.root / "tests").mkdir()
        text = f"import sys; sys.path.insert(0, '.'); {CHECK}"
        (workspace.root / "tests" / "check.py").write_text(text)

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        try:
            done = workspace.run(["python3", "-B", "tests/check.py"], timeout_s=60.0)
        except FileNotFoundError:
            return self._verdict(passed=None)
        return self._verdict(passed=done.code == 0)


@frozen(kw_only=True)
class TwinSuite(EchoSuite):
    def tasks(self) -> Iterable[Task]:
        yield from super().tasks()
        yield from super().tasks()


@frozen(kw_only=True)
class UndigestedSuite(EchoSuite):
    def tasks(self) -> Iterable[Task]:
        for task in super().tasks():
            yield evolve(task, digest="v1")


@frozen(kw_only=True)
class ShuffledSuite(EchoSuite):
    def tasks(self) -> Iterable[Task]:
        for task in super().tasks():
            prompt = f"{task.brief.prompt} ({os.urandom(4).hex()})"
            yield evolve(task, brief=evolve(task.brief, prompt=prompt))


@frozen(kw_only=True)
class StrayingSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        (Path(tempfile.gettempdir()) / "fairtrial-graded").write_text(task.id)
        return super().grade(task, workspace)


@frozen(kw_only=True)
class MisdatedSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        return evolve(super().grade(task, workspace), suite_version="0")


@frozen(kw_only=True)
class FickleSuite(EchoSuite):
    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        verdict = super().grade(task, workspace)
        check = evolve(verdict.checks[0], name=os.urandom(4).hex())
        return evolve(verdict, checks=(check,))


@frozen(kw_only=True)
class UselessReferenceSuite(EchoSuite):
    def reference(self, task: Task, /) -> Patch | None:
        fix = super().reference(task)
        assert fix is not None
        return Patch(changes=(evolve(fix.changes[0], after=b"total = min\n"),))
