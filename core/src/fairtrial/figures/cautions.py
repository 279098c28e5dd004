"""Why two sides of a comparison are not wholly alike, in sentences."""

from collections.abc import Iterator, Mapping, Sequence

from fairtrial.figures.arms import Arm
from fairtrial.figures.pairs import Pair
from fairtrial.figures.rates import DASH, counted

_NAMED = 5
"""Most tasks that are named."""


def cautions(before: Arm, after: Arm, rows: Sequence[Pair]) -> tuple[str, ...]:
    """
    Returns what is not comparable, in sentences without a full stop; what weighs most first.

    Args:
        before: The first side.
        after: The second side.
        rows: Their tasks.
    """
    found = (
        *_refusals(before, after),
        *_sizes(before, after, rows),
        *_suites(before, after),
        *_rotations(before, after),
        *_pattern_sets(before, after),
        *_changed(rows),
        *_broken(before, after),
    )
    # A run set beside itself would say everything twice.
    return tuple(dict.fromkeys(found))


def _refusals(before: Arm, after: Arm) -> Iterator[str]:
    for arm in (before, after):
        if arm.refusal:
            yield f"{arm.label}: {arm.refusal}"


def _sizes(before: Arm, after: Arm, rows: Sequence[Pair]) -> Iterator[str]:
    """Says that tasks or rollouts differ, and how much is compared all the same."""
    compared = _compared(rows)
    if set(before.tasks) != set(after.tasks) or before.rollouts != after.rollouts:
        yield f"the sides differ in size: {_size(before)} → {_size(after)}; {compared}"
    elif before.refusal or after.refusal:
        yield compared


def _size(arm: Arm) -> str:
    return f"{counted(len(arm.tasks), 'task')} × {counted(arm.rollouts, 'rollout')}"


def _compared(rows: Sequence[Pair]) -> str:
    both = sum(row.comparable for row in rows)
    of = counted(len(rows), "task")
    if not both:
        return f"none of {of} was judged on both sides, so that nothing is compared"
    if both == len(rows):
        return "every task was judged on both sides"
    verb, those = ("was", "that one") if both == 1 else ("were", "those")
    return f"{both} of {of} {verb} judged on both sides, and only {those} can be compared"


def _suites(before: Arm, after: Arm) -> Iterator[str]:
    if before.suite_version != after.suite_version:
        yield (
            f"the suite changed ({before.suite_version or DASH} → {after.suite_version or DASH}):"
            " verdicts of different versions are not comparable"
        )


def _rotations(before: Arm, after: Arm) -> Iterator[str]:
    left, right = (
        None if arm.heldout is None else arm.heldout.get("version") for arm in (before, after)
    )
    if left is not None and right is not None and left != right:
        yield f"held-out set v{left} → v{right}: numbers are not comparable across the rotation"


def _pattern_sets(before: Arm, after: Arm) -> Iterator[str]:
    """Says which auditors judged the two sides by different rules."""
    left, right = _audited_by(before), _audited_by(after)
    for name in left:
        if name in right and left[name] != right[name]:
            yield (
                f"auditor “{name}” judged by pattern set {_listed(left[name])} →"
                f" {_listed(right[name])}: what is clean is not comparable"
            )


def _audited_by(arm: Arm) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = {}
    for trial in arm.attempted:
        for name, number in trial.audited_by.items():
            found.setdefault(name, set()).add(number)
    return found


def _listed(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))


def _changed(rows: Sequence[Pair]) -> Iterator[str]:
    changed = [row.task for row in rows if row.changed]
    if changed:
        verb = "is" if len(changed) == 1 else "are"
        more = ", …" if len(changed) > _NAMED else ""
        yield (
            f"{counted(len(changed), 'task')} {verb} not the same on both sides and {verb} not"
            f" compared: {', '.join(changed[:_NAMED])}{more}"
        )


def _broken(before: Arm, after: Arm) -> Iterator[str]:
    for arm in (before, after):
        broken = arm.counts.infra + arm.counts.unfinished + arm.counts.skipped
        if broken and not arm.refusal:
            verb = "has" if broken == 1 else "have"
            yield (
                f"{arm.label}: {broken} of {counted(arm.counts.planned, 'trial')} {verb} no"
                " result of the agent's own"
            )
