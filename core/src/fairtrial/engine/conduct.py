"""How an attempt behaved: its time, its delivery, its scope, its questions."""

from attrs import evolve

from fairtrial.api import Check, CheckKind, Ending, Patch, Task, Verdict
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.plan import Cell


def judged(verdict: Verdict, cell: Cell, outcome: Outcome, patch: Patch) -> Verdict:
    """
    Adds the failures of conduct to a verdict, in the order in which they are shown.

    The order is time, submission, the suite's own checks, scope, questions. Where nothing was
    delivered, there is nothing for the suite's checks to fail, and they are left out. Control
    arms are judged by the suite alone.
    """
    if cell.control:
        return verdict
    checks = (
        *_time(outcome),
        *((_submission(outcome),) if undelivered(cell, outcome, patch) else verdict.checks),
        *_scope(cell.task, patch),
        *_questions(cell.task, outcome),
    )
    return evolve(verdict, checks=checks)


def undelivered(cell: Cell, outcome: Outcome, patch: Patch) -> bool:
    """Says whether a delivery is missing; the suite's checks of such a tree are never shown."""
    if cell.control or not cell.task.submission_expected:
        return False
    return not patch and outcome.attempt.submission is None


def outside_scope(task: Task, patch: Patch) -> tuple[str, ...]:
    """Returns the changed paths that the task doesn't allow."""
    if task.allowed is None:
        return ()
    return tuple(path for path in patch.paths if path not in task.allowed)


def _failure(name: str, code: str, why: str) -> Check:
    return Check(name=name, kind=CheckKind.CONDUCT, passed=False, code=code, why=why)


def _time(outcome: Outcome) -> tuple[Check, ...]:
    if outcome.attempt.ending is not Ending.TIMED_OUT:
        return ()
    limit = outcome.attempt.limit or "timeout"
    why = f"timed out ({limit}) after {outcome.wall_s:.1f} s"
    return (_failure("time", "timeout", why),)


def _submission(outcome: Outcome) -> Check:
    state = {Ending.FINISHED: "no changes"}.get(
        outcome.attempt.ending, str(outcome.attempt.ending)
    )
    return _failure("submission", "no-submission", f"no submission ({state})")


def _scope(task: Task, patch: Patch) -> tuple[Check, ...]:
    outside = outside_scope(task, patch)
    if not outside:
        return ()
    return (_failure("scope", "scope", f"files outside the task: {', '.join(outside)}"),)


def _questions(task: Task, outcome: Outcome) -> tuple[Check, ...]:
    expected = task.questions_expected
    asked = sum(not exchange.follows for exchange in outcome.exchanges)
    # Without a trajectory nobody knows what was asked.
    if expected is None or asked == expected or (not outcome.events and not asked):
        return ()
    noun = "question" if asked == 1 else "questions"
    why = f"asked {asked} {noun}, expected {expected}"
    return (_failure("questions", "questions", why),)
