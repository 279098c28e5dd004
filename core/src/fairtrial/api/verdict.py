"""What the checks said of a tree."""

import enum

from attrs import frozen


class CheckKind(enum.StrEnum):
    """What a check looks at."""

    VISIBLE = "visible"
    """The oracle of the task: fails before, passes after."""
    REGRESSION = "regression"
    """The project's own tests."""
    CONDUCT = "conduct"
    """How the attempt went: time, submission, scope, questions."""
    HELD_OUT = "held-out"
    """A companion that no agent has seen; never part of `resolved`."""


@frozen(kw_only=True)
class Check:
    """
    One check and its outcome.

    Attributes:
        name: Shown to people.
        kind: What it looks at.
        passed: None where it could not be judged: no test ran, or the grader itself broke.
        code: A machine word for a failure: `timeout`, `no-submission`, `hidden-check`, `tests`,
            `scope`, `questions`, `tampered`, `grader`.
        why: For people; at most 2,000 characters, the end of the output where it was longer.
    """

    name: str
    kind: CheckKind
    passed: bool | None
    code: str = ""
    why: str = ""


@frozen(kw_only=True)
class Verdict:
    """
    All checks of one graded tree.

    Attributes:
        checks: In the order in which they are shown.
        suite_version: The version of the suite that graded; verdicts of different versions are
            not compared.
        output: The end of what the checks printed, for the run directory.
    """

    checks: tuple[Check, ...]
    suite_version: str
    output: str = ""

    @property
    def resolved(self) -> bool | None:
        """
        Whether the task was resolved.

        None where nothing was judged, or where a check could not be and no other one failed.
        """
        outcomes = [each.passed for each in self.checks if each.kind is not CheckKind.HELD_OUT]
        if False in outcomes:
            return False
        return None if None in outcomes or not outcomes else True

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed, held-out ones left out."""
        return tuple(
            check
            for check in self.checks
            if check.passed is False and check.kind is not CheckKind.HELD_OUT
        )
