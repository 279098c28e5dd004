"""The kind `suite`: where tasks come from, and how a tree is graded."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from attrs import field, frozen

from fairtrial.api.attempt import Patch
from fairtrial.api.sandbox import Workspace
from fairtrial.api.task import Task
from fairtrial.api.verdict import Check, Verdict


class Suite(Protocol):
    """
    Holds tasks, lays out their trees, and grades trees.

    It never learns which solver made a tree. All that it writes goes below the root of the
    workspace that it is handed, and every program it starts, it starts through that workspace.
    """

    @property
    def version(self) -> str:
        """Changes whenever a tree could be graded differently."""

    def tasks(self) -> Iterable[Task]:
        """
        Yields the tasks, in a fixed order, each call the same.

        Raises:
            SuiteError: A task can't be loaded.
        """

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """
        Lays the task's tree into an empty workspace, the same bytes each time.

        Nothing of a check, a reference or a history may be among them.
        """

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """
        Grades the tree in a workspace that no solver has ever been in.

        Where no test ran at all, the check's outcome is None, never passed.

        Raises:
            SandboxDied: The sandbox broke; the trial is `infra`.
        """


@runtime_checkable
class Referenced(Protocol):
    """A suite that knows a right answer, so that its oracle can be proved."""

    def reference(self, task: Task, /) -> Patch | None:
        """Returns what the known-good fix changes; None where the task has none."""


@runtime_checkable
class Preflighted(Protocol):
    """A suite that fetches or checks something before anything is spent."""

    def preflight(self, tasks: Sequence[Task], /) -> None:
        """
        Makes ready for exactly these tasks.

        Raises:
            SuiteError: The run must not start.
        """


@frozen(kw_only=True)
class Fault:
    """
    One broken rule of a suite's format.

    Attributes:
        task: The task's id, or its folder's name where it has none that can be read; empty where
            the suite as a whole is at fault.
        rule: The rule, in a machine word.
        problem: What is wrong, one line.
        warning: Whether the task can be used all the same, and what it says be trusted less.
    """

    task: str
    rule: str
    problem: str
    warning: bool = False


@runtime_checkable
class Checked(Protocol):
    """A suite that can say which of its tasks break a rule of their format."""

    def faults(self) -> Sequence[Fault]:
        """
        Returns every fault that can be seen without running anything; empty for a sound suite.

        One broken task hides no other's faults, and none raises.
        """


@runtime_checkable
class PartlyRead(Protocol):
    """A suite whose other tasks can be looked at while some can't be read."""

    def readable(self) -> Sequence[Task]:
        """
        Returns the tasks that can be read, each as `tasks` would yield it.

        Raises:
            SuiteError: The suite as a whole can't be read.
        """


@frozen(kw_only=True)
class Equipment:
    """
    What a task's programs need beside the workspace.

    Attributes:
        path: Directories put before `PATH`, first one first.
        variables: Added to the environment, for the attempt and for the checks.
        readable: Directories that the sandbox must leave visible, read-only.
        hidden: Directories that no solver may see, such as the task's own folder.
        programs: Names of programs that checks start, where they are found on `PATH`; they are
            looked at for changes, beside those that every task of its stack may start.
    """

    path: tuple[Path, ...] = ()
    variables: Mapping[str, str] = field(factory=dict)
    readable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    programs: tuple[str, ...] = ()


@runtime_checkable
class Equipped(Protocol):
    """A suite whose tasks need programs or packages."""

    def equip(self, task: Task, /) -> Equipment:
        """
        Finds or makes what the task needs; cached, so that a second call is quick.

        Raises:
            NeedMissing: It can't be had here; the task's trials are `infra` with the way to get
                it, and no other task is touched.
        """


@runtime_checkable
class HeldOut(Protocol):
    """
    A suite that grades what was delivered once more, by a check that no agent has ever seen.

    The engine hands it a workspace of its own, fresh, seeded and with the same changes laid over
    it as `grade` was given; neither the solver nor `grade` has been there. The outcome never
    changes `Verdict.resolved`.
    """

    def held_out_version(self) -> str:
        """
        Returns the version of the set of such checks; outcomes of two versions don't compare.

        Raises:
            SuiteError: The set can't be read.
        """

    def grade_held_out(self, task: Task, workspace: Workspace, /) -> Check:
        """
        Grades the tree.

        Of what is returned the engine keeps the name and the outcome, nothing else, so that no
        report can give a held-out check away. An outcome of None means that it could not be
        judged.

        Raises:
            SandboxDied: The sandbox broke; the trial is `infra`.
        """


@runtime_checkable
class Receiving(Protocol):
    """A suite that can fetch what was delivered elsewhere, such as a pull request's commits."""

    def receive(self, task: Task, submission: str, repository: Path, /) -> str | None:
        """
        Fetches a delivery into an empty bare repository, on the host, after the attempt's end.

        Args:
            task: What it was delivered for.
            submission: As the solver gave it.
            repository: A directory that holds an empty bare repository of the engine's.

        Returns:
            The commit's full id; None where the submission is no address that it fetches, so
            that the tree which was left counts.

        Raises:
            SuiteError: It can't be fetched; the trial is `infra`.
        """


@runtime_checkable
class Published(Protocol):
    """A suite whose tasks stand where people and agents work, such as a forge's issues."""

    def publish(self, tasks: Sequence[Task], /) -> Sequence[str]:
        """
        Puts tasks there that aren't there yet, and leaves everything else as it is.

        Returns:
            What was done, one line each; empty where nothing had to be.

        Raises:
            SuiteError: It can't be done.
            MachineError: A program for it is missing.
        """

    def withdraw(self) -> Sequence[str]:
        """
        Takes away what attempts have left open there; nothing that is anybody else's.

        Returns and raises what `publish` does.
        """


@runtime_checkable
class Concluding(Protocol):
    """A suite that has something to write up once all trials are done."""

    def conclude(self, verdicts: Mapping[str, Sequence[bool | None]], /) -> Mapping[str, object]:
        """
        Is told, by task id, the held-out outcomes of the run, and returns what the record keeps.

        Called after the last trial, with the outcomes of agents that it was not told before;
        control arms are left out. What it returns must be plain JSON.

        Raises:
            SuiteError: It can't be written up now; the trials are kept, and `--resume` tries
                again.
        """
