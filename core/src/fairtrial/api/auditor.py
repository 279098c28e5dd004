"""The kind `auditor`: what looks for a score that was bought."""

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

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
            another thing than an empty one.
    """

    task: Task
    attempt: Attempt
    patch: Patch
    dropped: tuple[str, ...] = ()
    events: tuple[Event, ...] | None = None


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
