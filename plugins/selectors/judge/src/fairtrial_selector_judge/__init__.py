"""A selector for fairtrial: any solver, asked which of the attempts is the best."""

import re

from attrs import field, frozen
from attrs.validators import gt
from fairtrial.api import (
    MachineError,
    Outlook,
    Ready,
    SelectionSession,
    Selector,
    Solver,
    Spender,
)

FOLDER = "attempts-to-judge"
"""Where in its workspace the judge finds the attempts, and leaves its choice."""
CHOICE = f"{FOLDER}/choice.txt"
QUESTION = """\
Several engineers were given the task below, and each has made a patch. Find out which patch is
the best: which does all that the task asks for, and breaks nothing.

The tree here is the one that each of them was given. Their patches are unified diffs in the
folder {folder}: {names}. You may apply them and try them out.

When you know, write the number of the best one, and nothing else, into the file {choice}. Don't
do the task yourself.

The task:

{prompt}
"""
_LEFT_OUT = "\n[… the rest is left out …]\n"


@frozen(kw_only=True)
class JudgeSelector:
    """
    Asks a solver which attempt is the best.

    The judge sees the task's prompt, the untouched tree, and each attempt's diff, in their order.
    What it costs is added to the cost of the attempts. Where all attempts left the same tree,
    nobody is asked.
    """

    solver: Solver
    """Name of the solver that is asked."""

    longest_diff: int = field(default=100_000, validator=gt(0))
    """Characters of a diff that it is shown at most."""

    @property
    def spends(self) -> bool | None:
        """Whether asking can cost money, as the solver tells it."""
        return self.solver.spends if isinstance(self.solver, Spender) else None

    def lacks(self, outlook: Outlook, /) -> MachineError | None:
        """Says what the solver lacks that is asked, as that tells it."""
        return self.solver.lacks(outlook) if isinstance(self.solver, Ready) else None

    def select(self, session: SelectionSession, /) -> int | None:
        """
        Picks an attempt; None where the judge names none.

        Raises:
            BudgetError: What is left of the run's budget doesn't cover it.
            MachineError: The judge can't be run here.
        """
        rollouts = [candidate.rollout for candidate in session.candidates]
        if len({candidate.tree for candidate in session.candidates}) == 1:
            return rollouts[0]
        files = {
            f"{FOLDER}/{rollout}.diff": self._shown(session.diff(rollout)) for rollout in rollouts
        }
        prompt = QUESTION.format(
            folder=FOLDER,
            names=", ".join(f"{rollout}.diff" for rollout in rollouts),
            choice=CHOICE,
            prompt=session.brief.prompt,
        )
        answer = session.consult(self.solver, prompt, files, answer_in=CHOICE)
        named = re.fullmatch(r"\s*(\d{1,6})(?:\.diff)?\s*", answer or "")
        choice = int(named[1]) if named else None
        return choice if choice in rollouts else None

    def _shown(self, diff: str) -> str:
        if len(diff) <= self.longest_diff:
            return diff or "(nothing was changed)\n"
        return diff[: self.longest_diff] + _LEFT_OUT


_: type[Selector] = JudgeSelector
