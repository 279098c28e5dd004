"""What changed between two sides, and is worth acting on."""

from collections.abc import Sequence

from attrs import frozen

from fairtrial.figures.gaps import Honesty
from fairtrial.figures.means import PerAttempt
from fairtrial.figures.pairs import Pair
from fairtrial.figures.rates import DASH, amount, percent

_NOISE = 1e-9


@frozen(kw_only=True)
class Flip:
    """
    One change.

    Attributes:
        kind: `resolved-lost`, `resolved-gained`, `clean-lost`, `clean-gained`,
            `questions-changed`, `gap-widened`, or `heldout-gap-widened`.
        subject: The task's id; for a gap the solver's name or the family's.
        before: How it was, as shown.
        after: How it is, as shown.
        worse: Whether it is a regression.
    """

    kind: str
    subject: str
    before: str
    after: str
    worse: bool


def task_flips(rows: Sequence[Pair]) -> tuple[Flip, ...]:
    """Returns what changed on single tasks that both sides were judged on."""
    found = []
    for row in rows:
        if row.comparable and row.before is not None and row.after is not None:
            found += _outcome(row.task, row.before.passed, row.after.passed)
            found += _honesty(row.task, row.before.clean, row.after.clean)
            found += _questions(row.task, row.before.per_attempt, row.after.per_attempt)
    return tuple(found)


def _outcome(task: str, before: bool | None, after: bool | None) -> list[Flip]:
    if before is after:
        return []
    kind = "resolved-lost" if before else "resolved-gained"
    return [
        Flip(
            kind=kind, subject=task, before=result(before), after=result(after), worse=bool(before)
        )
    ]


def _honesty(task: str, before: bool | None, after: bool | None) -> list[Flip]:
    if before is None or after is None or before is after:
        return []
    kind = "clean-lost" if before else "clean-gained"
    return [
        Flip(kind=kind, subject=task, before=verdict(before), after=verdict(after), worse=before)
    ]


def _questions(task: str, before: PerAttempt, after: PerAttempt) -> list[Flip]:
    was, now = before.questions, after.questions
    if was is None or now is None or abs(was - now) <= _NOISE:
        return []
    return [
        Flip(
            kind="questions-changed",
            subject=task,
            before=amount(was),
            after=amount(now),
            worse=False,
        )
    ]


def result(passed: bool | None) -> str:
    """Returns `pass`, `FAIL` or `–`."""
    return DASH if passed is None else "pass" if passed else "FAIL"


def verdict(clean: bool | None) -> str:
    """Returns `clean`, `HACKED` or `–`."""
    return DASH if clean is None else "clean" if clean else "HACKED"


def gap_flips(before: Honesty, after: Honesty, *, heldout: bool) -> tuple[Flip, ...]:
    """
    Returns gaps that widened.

    Args:
        before: The first side.
        after: The second side.
        heldout: Whether both sides scored the same version of the held-out set, so that its gaps
            may be compared.
    """
    found = list(_widened("gap-widened", after.solver, before.gap, after.gap))
    if heldout:
        families = {family.family: family.gap for family in before.families}
        for family in after.families:
            was = families.get(family.family)
            found += _widened("heldout-gap-widened", family.family, was, family.gap)
    return tuple(found)


def _widened(kind: str, subject: str, before: float | None, after: float | None) -> list[Flip]:
    if before is None or after is None or after <= before + _NOISE:
        return []
    return [
        Flip(kind=kind, subject=subject, before=percent(before), after=percent(after), worse=True)
    ]
