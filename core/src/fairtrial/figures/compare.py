"""Two runs, or two arms of one, side by side: what changed, and whether that may be chance."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.arms import Arm, arms_matched, difference_lines, matched, unmatched
from fairtrial.figures.chance import holm, mcnemar
from fairtrial.figures.differences import Difference, Sides, differences
from fairtrial.figures.flips import Flip, gap_flips, task_flips
from fairtrial.figures.frontier import seed_of
from fairtrial.figures.gaps import Honesty, honesty
from fairtrial.figures.intervals import RESAMPLES, SEED
from fairtrial.figures.pairs import Pair, pairs
from fairtrial.figures.power import Power, power
from fairtrial.figures.repeats import Repeated, repeated
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
        cost: Dollars of its attempts.
        questions: Questions asked; None where no attempt can tell.
        questions_unknown: How many attempts can't.
        honesty: Clean rate, gap and held-out gaps.
        heldout_version: Version of the held-out set; None where none was scored.
        tokens: Sums by bucket.
        apart: Tasks that are in no denominator.
    """

    label: str
    solver: str
    counts: Counts
    cost: Spending
    questions: int | None
    questions_unknown: int
    honesty: Honesty
    heldout_version: str | None
    tokens: tuple[TokenSum, ...]
    apart: tuple[Apart, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether a held-out suite was scored."""
        return self.heldout_version is not None or bool(self.honesty.families)


@frozen(kw_only=True)
class Chance:
    """
    Whether the difference in tasks resolved may be chance (McNemar's exact test).

    Attributes:
        tasks: Tasks that both sides were judged on.
        lost: Those that passed before and fail after.
        gained: Those that failed before and pass after.
        p: Two-sided p-value.
        p_corrected: The same, corrected by Holm's method for all comparisons made at once.
    """

    tasks: int
    lost: int
    gained: int
    p: float
    p_corrected: float


@frozen(kw_only=True)
class Comparison:
    """
    Two sides.

    Attributes:
        before: The first side.
        after: The second side.
        rows: One a task.
        flips: What changed and is worth acting on.
        chance: Whether the change in tasks resolved may be chance.
        differences: How large the differences are, with intervals.
        warnings: Why some of it is not comparable, in sentences.
        power: How many tasks it takes to tell the difference seen from noise.
        repeats: The figures of each repeat, where there were several.
    """

    before: Side
    after: Side
    rows: tuple[Pair, ...]
    flips: tuple[Flip, ...]
    chance: Chance
    differences: tuple[Difference, ...]
    warnings: tuple[str, ...]
    power: Power
    repeats: tuple[Repeated, ...] = ()

    @property
    def regression(self) -> bool:
        """Whether anything got worse: a task lost, a clean one hacked, a gap widened."""
        return any(flip.worse for flip in self.flips)


@frozen(kw_only=True)
class Comparisons:
    """
    All solvers of two runs that could be paired.

    Attributes:
        before: The first run's label.
        after: The second run's label.
        solvers: One comparison a pair of solvers.
        unmatched: Solvers that stand in one run only.
        settings: What the two arms of one run differ in, in sentences; empty for two runs.
    """

    before: str
    after: str
    solvers: tuple[Comparison, ...]
    unmatched: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def regression(self) -> bool:
        """Whether anything got worse for any solver."""
        return any(comparison.regression for comparison in self.solvers)


def compare_arms(record: RunRecord, *, resamples: int = RESAMPLES) -> Comparisons:
    """
    Compares the two arms of one run, solver by solver.

    Raises:
        ConfigError: The run has no arms.
    """
    return _compared(
        arms_matched(record),
        seed=seed_of(record),
        resamples=resamples,
        labels=tuple(arm.name for arm in record.arms),
        settings=difference_lines(record.arms),
    )


def compare_runs(
    before: RunRecord, after: RunRecord, *, resamples: int = RESAMPLES
) -> Comparisons:
    """
    Compares two runs, solver by solver.

    Raises:
        ConfigError: No solver of one can be paired with one of the other.
    """
    found = _compared(
        matched(before, after),
        seed=seed_of(after),
        resamples=resamples,
        labels=(before.label, after.label),
    )
    return evolve(found, unmatched=unmatched(before, after))


def _compared(
    sides: Sequence[tuple[Arm, Arm]],
    *,
    seed: int,
    resamples: int,
    labels: tuple[str, ...],
    settings: tuple[str, ...] = (),
) -> Comparisons:
    found = [compare(left, right, resamples=resamples, seed=seed) for left, right in sides]
    corrected = holm([comparison.chance.p for comparison in found])
    before, after = labels
    return Comparisons(
        before=before,
        after=after,
        solvers=tuple(
            evolve(comparison, chance=evolve(comparison.chance, p_corrected=p))
            for comparison, p in zip(found, corrected, strict=True)
        ),
        settings=settings,
    )


def compare(
    before: Arm, after: Arm, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Comparison:
    """
    Compares two arms.

    Args:
        before: The first side.
        after: The second side.
        resamples: Bootstrap resamples behind the intervals.
        seed: Seed of the bootstrap.
    """
    rows = pairs(
        (*before.attempted, *before.others),
        (*after.attempted, *after.others),
        order=(*before.tasks, *after.tasks),
    )
    left, right = _side(before), _side(after)
    lost, gained = _changed(rows)
    p = mcnemar(lost, gained)
    flips = (
        *task_flips(rows),
        *gap_flips(left.honesty, right.honesty, heldout=_same_heldout(left, right)),
    )
    return Comparison(
        before=left,
        after=right,
        rows=rows,
        flips=flips,
        chance=Chance(
            tasks=sum(row.comparable for row in rows), lost=lost, gained=gained, p=p, p_corrected=p
        ),
        differences=differences(_sides(before, after, rows), resamples=resamples, seed=seed),
        warnings=_warnings(before, after, rows),
        power=power(lost, gained, sum(row.comparable for row in rows)),
        repeats=repeated(before.attempted, after.attempted),
    )


def _changed(rows: Sequence[Pair]) -> tuple[int, int]:
    outcomes = [
        (row.before.passed, row.after.passed)
        for row in rows
        if row.comparable and row.before is not None and row.after is not None
    ]
    return outcomes.count((True, False)), outcomes.count((False, True))


def _side(arm: Arm) -> Side:
    asked = [trial.asked for trial in arm.attempted if trial.asked is not None]
    version = None if arm.heldout is None else arm.heldout.get("version")
    return Side(
        label=arm.label,
        solver=arm.solver,
        counts=arm.counts,
        cost=spending(arm.attempted),
        questions=sum(asked) if asked else None,
        questions_unknown=len(arm.attempted) - len(asked),
        honesty=honesty(arm.solver, arm.attempted, arm.counts.planned),
        heldout_version=None if version is None else str(version),
        tokens=token_sums(arm.attempted),
        apart=arm.apart,
    )


def _same_heldout(before: Side, after: Side) -> bool:
    return before.scored and after.scored and before.heldout_version == after.heldout_version


def _sides(before: Arm, after: Arm, rows: Sequence[Pair]) -> Sides:
    comparable = [row.task for row in rows if row.comparable]
    left, right = _grouped(before), _grouped(after)
    return Sides(
        before=tuple(tuple(left[task]) for task in comparable),
        after=tuple(tuple(right[task]) for task in comparable),
    )


def _grouped(arm: Arm) -> Mapping[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in arm.attempted:
        found.setdefault(trial.task, []).append(trial)
    return found


def _warnings(before: Arm, after: Arm, rows: Sequence[Pair]) -> tuple[str, ...]:
    found = []
    if before.suite_version != after.suite_version:
        found.append(
            f"the suite changed ({before.suite_version or '–'} → {after.suite_version or '–'}):"
            " verdicts of different versions are not comparable"
        )
    versions = [
        None if arm.heldout is None else arm.heldout.get("version") for arm in (before, after)
    ]
    if None not in versions and versions[0] != versions[1]:
        found.append(
            f"held-out set v{versions[0]} → v{versions[1]}: numbers are not comparable across"
            " the rotation"
        )
    found += _pattern_sets(before, after)
    changed = [row.task for row in rows if row.changed]
    if changed:
        found.append(
            f"{len(changed)} tasks are not the same on both sides and are not compared:"
            f" {', '.join(changed[:5])}{', …' if len(changed) > len(changed[:5]) else ''}"
        )
    for arm in (before, after):
        broken = arm.counts.infra + arm.counts.unfinished + arm.counts.skipped
        if broken:
            found.append(
                f"{arm.label}: {broken} of {arm.counts.planned} trials have no result of the"
                " agent's own"
            )
    return tuple(found)


def _pattern_sets(before: Arm, after: Arm) -> list[str]:
    """Says which auditors judged the two sides by different rules."""
    left, right = _audited_by(before), _audited_by(after)
    return [
        f"auditor “{name}” judged by pattern set {_listed(left[name])} → {_listed(right[name])}:"
        " what is clean is not comparable"
        for name in left
        if name in right and left[name] != right[name]
    ]


def _audited_by(arm: Arm) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = {}
    for trial in arm.attempted:
        for name, number in trial.audited_by.items():
            found.setdefault(name, set()).add(number)
    return found


def _listed(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))
