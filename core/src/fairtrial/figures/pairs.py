"""One row a task: what it was on one side of a comparison, and what it is on the other."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.record import Trial
from fairtrial.api.verdict import Check, CheckKind
from fairtrial.figures.means import PerAttempt, all_known, per_attempt, worked_s
from fairtrial.figures.rates import ratio
from fairtrial.figures.spending import cost_of

_WORDS = {
    "timeout": "timed out",
    "no-submission": "no submission",
    "hidden-check": "hidden check failed",
    "tests": "existing tests broken",
    "scope": "files outside the task",
    "questions": "another number of questions",
    "tampered": "the checks were tampered with",
    "grader": "the grader broke",
}
_SELF_EXPLAINED = frozenset({"timeout", "no-submission", "scope", "questions"})


@frozen(kw_only=True)
class TaskSide:
    """
    One task on one side: all its rollouts together.

    Sums are of all attempts that came to an end of their own: they are comparable only where both
    sides made as many. The means of `per_attempt` always are.

    Attributes:
        solver: The solver's name.
        model: The model, where one is known.
        judged: Rollouts with a verdict.
        resolved: Those of them that resolved the task.
        clean: False if an audit found any rollout bought, True if all are clean; else None.
        cost_usd: Dollars of all attempts; None if any is unknown, or none was made.
        worked_s: Seconds of all attempts without the waiting for answers; None likewise.
        questions: Questions asked in all attempts; None likewise.
        diff_added: Lines added in all attempts; None likewise.
        diff_removed: Lines removed in all attempts; None likewise.
        per_attempt: The same for one attempt, in the mean, and how many there were.
        reasons: Why it failed, in words, each once.
    """

    solver: str
    model: str | None
    judged: int
    resolved: int
    clean: bool | None
    cost_usd: float | None
    worked_s: float | None
    questions: int | None
    diff_added: int | None
    diff_removed: int | None
    per_attempt: PerAttempt
    reasons: tuple[str, ...]

    @property
    def passed(self) -> bool | None:
        """Whether more than half of the judged rollouts resolved it; None where none was judged."""
        return None if not self.judged else 2 * self.resolved > self.judged

    @property
    def share(self) -> float | None:
        """Share of the judged rollouts that resolved it; None where none was judged."""
        return ratio(self.resolved, self.judged)


@frozen(kw_only=True)
class Pair:
    """
    One task on both sides; None for the side that doesn't have it.

    Attributes:
        task: The task's id.
        before: The first side.
        after: The second side.
        changed: Whether the task itself is another one (its digest differs), so that its two
            outcomes are not compared.
    """

    task: str
    before: TaskSide | None
    after: TaskSide | None
    changed: bool = False

    @property
    def comparable(self) -> bool:
        """Whether both sides were judged on the same task."""
        return (
            not self.changed
            and self.before is not None
            and self.after is not None
            and self.before.judged > 0
            and self.after.judged > 0
        )


def pairs(
    before: Sequence[Trial], after: Sequence[Trial], *, order: Iterable[str] = ()
) -> tuple[Pair, ...]:
    """
    Pairs two sequences of trials by task.

    Args:
        before: Trials of one solver, or of one arm of a run.
        after: Those to compare them with.
        order: Task ids in the order to show; tasks that it leaves out follow, those of `before`
            first.

    Returns:
        One row a task, with an empty side where only one of them has it.
    """
    left, right = _by_task(before), _by_task(after)
    return tuple(
        Pair(
            task=task,
            before=task_side(left[task]) if task in left else None,
            after=task_side(right[task]) if task in right else None,
            changed=_digests(left.get(task, ())) != _digests(right.get(task, ()))
            and task in left
            and task in right,
        )
        for task in dict.fromkeys((*order, *left, *right))
    )


def _by_task(trials: Sequence[Trial]) -> Mapping[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.task, []).append(trial)
    return found


def _digests(trials: Sequence[Trial]) -> set[str]:
    return {trial.digest for trial in trials}


def task_side(trials: Sequence[Trial]) -> TaskSide:
    """Sums one task's rollouts on one side; there is at least one."""
    counted = [trial for trial in trials if trial.ending is not Ending.INFRA]
    outcomes = [trial.resolved for trial in counted]
    return TaskSide(
        solver=trials[0].solver,
        model=next((trial.model for trial in trials if trial.model is not None), None),
        judged=len(outcomes) - outcomes.count(None),
        resolved=outcomes.count(True),
        clean=_clean([trial.clean for trial in counted]),
        cost_usd=all_known([cost_of(trial) for trial in counted]),
        worked_s=all_known([worked_s(trial) for trial in counted]),
        questions=all_known([trial.asked for trial in counted]),
        diff_added=all_known([trial.diff_added for trial in counted]),
        diff_removed=all_known([trial.diff_removed for trial in counted]),
        per_attempt=per_attempt(counted),
        reasons=tuple(
            dict.fromkeys(
                reason for trial in trials if not trial.resolved for reason in reasons(trial)
            )
        ),
    )


def _clean(outcomes: Sequence[bool | None]) -> bool | None:
    if False in outcomes:
        return False
    return None if not outcomes or None in outcomes else True


def reasons(trial: Trial) -> tuple[str, ...]:
    """Returns why a trial failed, broke or was not judged, in words; empty where it resolved."""
    if trial.ending in (Ending.INFRA, Ending.SKIPPED, Ending.INTERRUPTED):
        return (f"{trial.ending}: {_line(trial.note)}" if trial.note else str(trial.ending),)
    if trial.resolved:
        return ()
    if trial.verdict is None:
        return ("not graded: the run was stopped meanwhile",)
    found = tuple(_reason(check) for check in trial.verdict.failures)
    return found or (_line(trial.note) or "not judged",)


def remark(trial: Trial) -> str:
    """Returns what an attempt that failed said of itself; empty where the reasons hold it."""
    if trial.resolved or trial.verdict is None:
        return ""
    said = _line(trial.note)
    return "" if any(said in reason for reason in reasons(trial)) else said


def _reason(check: Check) -> str:
    if check.code in _SELF_EXPLAINED and check.why:
        return _line(check.why)
    if check.code == "tests" and check.kind is CheckKind.VISIBLE:
        # They failed before, too: nothing was broken, the fault is still there.
        return "visible tests failed"
    return _WORDS.get(check.code) or f"{check.name} failed"


def _line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()
