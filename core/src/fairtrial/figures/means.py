"""What one attempt took in the mean, so that unlike numbers of attempts can stand side by side."""

from collections.abc import Sequence
from typing import TypeVar

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.figures.spending import cost_of

_Number = TypeVar("_Number", int, float)


@frozen(kw_only=True)
class PerAttempt:
    """
    Means over attempts that came to an end of their own; None where any part is unknown.

    Attributes:
        attempts: How many there were; every mean is None where there was none.
        cost_usd: Dollars.
        worked_s: Seconds, without the waiting for answers.
        questions: Questions asked.
        diff_added: Lines added.
        diff_removed: Lines removed.
    """

    attempts: int
    cost_usd: float | None
    worked_s: float | None
    questions: float | None
    diff_added: float | None
    diff_removed: float | None


def per_attempt(attempted: Sequence[Trial]) -> PerAttempt:
    """Makes the means of some attempts; none of them broke for a reason of ours."""
    return PerAttempt(
        attempts=len(attempted),
        cost_usd=_mean([cost_of(trial) for trial in attempted]),
        worked_s=_mean([worked_s(trial) for trial in attempted]),
        questions=_mean([trial.asked for trial in attempted]),
        diff_added=_mean([trial.diff_added for trial in attempted]),
        diff_removed=_mean([trial.diff_removed for trial in attempted]),
    )


def mean_of(tasks: Sequence[PerAttempt]) -> PerAttempt:
    """Returns the means over several tasks, each of which weighs the same however often tried."""
    return PerAttempt(
        attempts=sum(task.attempts for task in tasks),
        cost_usd=_mean([task.cost_usd for task in tasks]),
        worked_s=_mean([task.worked_s for task in tasks]),
        questions=_mean([task.questions for task in tasks]),
        diff_added=_mean([task.diff_added for task in tasks]),
        diff_removed=_mean([task.diff_removed for task in tasks]),
    )


def worked_s(trial: Trial) -> float | None:
    """Returns a trial's seconds without the waiting for answers; None where they are unknown."""
    if trial.wall_s is None:
        return None
    return max(0.0, trial.wall_s - sum(one.waited_s for one in trial.questions or ()))


def all_known(parts: Sequence[_Number | None]) -> _Number | None:
    """Returns the sum; None where there is nothing to sum or a part of it is unknown."""
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None


def _mean(parts: Sequence[float | None]) -> float | None:
    total = all_known(parts)
    return None if total is None else total / len(parts)
