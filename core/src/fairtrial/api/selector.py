"""The kind `selector`: what picks one of several attempts at a task."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import field, frozen
from attrs.validators import ge

from fairtrial.api.attempt import Ending
from fairtrial.api.sandbox import Finished
from fairtrial.api.solver import Solver
from fairtrial.api.task import Brief


@frozen(kw_only=True)
class Candidate:
    """
    One attempt as a selector sees it: nothing that the hidden checks said.

    Attributes:
        rollout: Which one, 1-based; what `select` returns.
        ending: How it ended.
        tree: A digest of the changes that were let into the clean room: equal digests are equal
            trees.
        changed: The paths of these changes.
        tests_passed: Whether the project's own tests passed, where they were run when it was
            graded; None where they were not.
    """

    rollout: int = field(validator=ge(1))
    ending: Ending
    tree: str
    changed: tuple[str, ...] = ()
    tests_passed: bool | None = None


class SelectionSession(Protocol):
    """All that a selector may look at for one task × solver; what it uses is counted."""

    @property
    def brief(self) -> Brief:
        """What was asked of the solver."""

    @property
    def candidates(self) -> Sequence[Candidate]:
        """The attempts that left a tree, by their rollout; never empty."""

    def diff(self, rollout: int, /) -> str:
        """Returns what an attempt changed, as a unified diff."""

    def run(self, rollout: int, argv: Sequence[str], /, *, timeout_s: float) -> Finished:
        """
        Runs a program in a fresh workspace that holds an attempt's tree; it has no network.

        Raises:
            MachineError: The program isn't there, or the sandbox broke.
        """

    def consult(
        self, solver: Solver, prompt: str, files: Mapping[str, str], /, *, answer_in: str
    ) -> str | None:
        """
        Lets a solver look at the task's untouched tree and some files, and answer in a file.

        It is an attempt like any other: within the task's time and budget, metered, its cost
        counted for the selection.

        Args:
            solver: Who is asked.
            prompt: What.
            files: Text by path, laid into the tree before.
            answer_in: The path of the file that it is to write.

        Returns:
            What it wrote; None where it wrote nothing that can be read.

        Raises:
            BudgetError: What is left of the run's budget doesn't cover it.
            MachineError: It can't be run here.
        """

    def resolved(self, rollout: int, /) -> bool | None:
        """
        Tells what the hidden checks said, which nobody knows when it matters.

        A selection that asks for it is an upper bound, and the record says so.
        """


class Selector(Protocol):
    """
    Picks one of several attempts at a task.

    The engine calls `select` once a task × solver, after the last trial of a run. An implementer
    keeps no state between two calls, starts nothing but through its session, and picks the same
    attempt again where nothing that it looked at has changed, as far as that is in its hands.
    """

    def select(self, session: SelectionSession, /) -> int | None:
        """
        Picks an attempt.

        Returns:
            Its rollout; None where none can be picked, which counts as not resolved.

        Raises:
            FairtrialError: It can't be done; counts as None, with the reason.
        """
