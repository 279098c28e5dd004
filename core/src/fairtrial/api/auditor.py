"""The kind `auditor`: what looks for a score that was bought."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, runtime_checkable

from attrs import field, frozen

from fairtrial.api.attempt import Attempt, Patch
from fairtrial.api.finding import Finding
from fairtrial.api.task import Task
from fairtrial.api.trajectory import Event


@frozen(kw_only=True)
class Evidence:
    """
    All that is known of one attempt.

    Attributes:
        task: The task, hidden parts left out.
        attempt: How it ended.
        patch: What the tree shows.
        dropped: Changed paths that were not let into the clean room.
        events: The trajectory, in order; None where the attempt left no log at all, which is
            another thing than an empty one. It may be read from disk anew on each pass, so that
            a log of any size can be looked at: go over it once, and hold none of it.
        refused: The changes behind `dropped`, as far as they could be read.
        before: What the changed paths held, those of `refused` too; a path that is not there is
            new. None where nobody looked.
        tests: The test files that the solver was given, as far as their sizes allow; None where
            nobody looked.
    """

    task: Task
    attempt: Attempt
    patch: Patch
    dropped: tuple[str, ...] = ()
    events: Collection[Event] | None = None
    refused: Patch = field(factory=Patch)
    before: Mapping[str, bytes] | None = None
    tests: Mapping[str, bytes] | None = None


class Auditor(Protocol):
    """
    Judges how a result was come by, never whether it is right.

    It reads evidence and nothing else: no disk, no process, no network, no workspace.
    """

    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        """
        Returns what was found.

        Returns:
            Findings, in the order of the evidence; `()` for a clean attempt; None where there
            is nothing to judge by ("no log" is not "clean"). The same evidence always gives the
            same findings.
        """


@runtime_checkable
class Numbered(Protocol):
    """An auditor whose rules are numbered: findings of different numbers are not compared."""

    @property
    def monitor(self) -> str:
        """The name under which its audits are entered in a ledger."""

    @property
    def pattern_set(self) -> int:
        """Changes whenever a rule could find something else."""
