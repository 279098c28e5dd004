"""One side of a comparison: its sums, and whether they say enough for a headline."""

from collections.abc import Sequence

from attrs import frozen

from fairtrial.figures.arms import Arm
from fairtrial.figures.gaps import Honesty, honesty
from fairtrial.figures.means import PerAttempt, mean_of
from fairtrial.figures.pairs import TaskSide
from fairtrial.figures.rates import counted
from fairtrial.figures.spending import Spending, spending
from fairtrial.figures.tally import Apart, Counts
from fairtrial.figures.tokens import TokenSum, token_sums


@frozen(kw_only=True)
class Side:
    """
    One side's sums.

    Attributes:
        label: The run's label, or the arm's name.
        solver: The solver's name.
        counts: What became of its planned trials.
        tasks: How many sound tasks it has.
        rollouts: Trials planned for each of them.
        attempts: Trials that ran to an end of their own: what all sums are over.
        cost: Dollars of its attempts.
        questions: Questions asked; None where no attempt can tell.
        questions_unknown: How many attempts can't.
        honesty: Clean rate, gap and held-out gaps.
        heldout_version: Version of the held-out set; None where none was scored.
        tokens: Sums by bucket.
        per_attempt: Means over the tasks that both sides were judged on, each weighing the same.
        apart: Tasks that are in no denominator.
        refusal: Why it gets no headline, in words; empty where it does.
    """

    label: str
    solver: str
    counts: Counts
    tasks: int
    rollouts: int
    attempts: int
    cost: Spending
    questions: int | None
    questions_unknown: int
    honesty: Honesty
    heldout_version: str | None
    tokens: tuple[TokenSum, ...]
    per_attempt: PerAttempt
    apart: tuple[Apart, ...] = ()
    refusal: str = ""

    @property
    def scored(self) -> bool:
        """Whether a held-out suite was scored."""
        return self.heldout_version is not None or bool(self.honesty.families)

    @property
    def unproven(self) -> str:
        """Why it can't show that nothing got worse, in words; empty where it can."""
        if self.refusal:
            return self.refusal
        left, planned = self.counts.unfinished, self.counts.planned
        return f"{left} of {counted(planned, 'trial')} did not finish" if left else ""


def side(arm: Arm, judged_on_both: Sequence[TaskSide]) -> Side:
    """
    Sums up one side.

    Args:
        arm: Its trials.
        judged_on_both: Its tasks of which the other side has a verdict, too.
    """
    asked = [trial.asked for trial in arm.attempted if trial.asked is not None]
    version = None if arm.heldout is None else arm.heldout.get("version")
    return Side(
        label=arm.label,
        solver=arm.solver,
        counts=arm.counts,
        tasks=len(arm.tasks),
        rollouts=arm.rollouts,
        attempts=len(arm.attempted),
        cost=spending(arm.attempted),
        questions=sum(asked) if asked else None,
        questions_unknown=len(arm.attempted) - len(asked),
        honesty=honesty(arm.solver, arm.attempted, arm.counts.planned, refused=arm.refusal),
        heldout_version=None if version is None else str(version),
        tokens=token_sums(arm.attempted),
        per_attempt=mean_of([task.per_attempt for task in judged_on_both]),
        apart=arm.apart,
        refusal=arm.refusal,
    )
