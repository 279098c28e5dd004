"""Two runs, or two arms of one, side by side: what changed, and whether that may be chance."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.arms import Arm, arms_matched, difference_lines, matched, unmatched
from fairtrial.figures.cautions import cautions
from fairtrial.figures.chance import holm, mcnemar
from fairtrial.figures.differences import (
    Difference,
    Sides,
    cautions_of_joules,
    differences,
)
from fairtrial.figures.flips import Flip, gap_flips, task_flips
from fairtrial.figures.frontier import seed_of
from fairtrial.figures.headline import Unfinished, unfinished
from fairtrial.figures.intervals import RESAMPLES, SEED
from fairtrial.figures.pairs import Pair, pairs
from fairtrial.figures.power import Power, power
from fairtrial.figures.repeats import Repeated, repeated
from fairtrial.figures.side import Side, side


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

    @property
    def unproven(self) -> tuple[str, ...]:
        """Why that no regression was seen does not show that there is none; empty if it does."""
        found = [
            f"{one.label}: {one.unproven}" for one in (self.before, self.after) if one.unproven
        ]
        if not self.chance.tasks:
            found.append("no task was judged on both sides")
        return tuple(dict.fromkeys(found))


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
        unfinished: The runs of which trials are still to come.
    """

    before: str
    after: str
    solvers: tuple[Comparison, ...]
    unmatched: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()

    @property
    def regression(self) -> bool:
        """Whether anything got worse for any solver."""
        return any(comparison.regression for comparison in self.solvers)

    @property
    def unproven(self) -> tuple[str, ...]:
        """Why that no regression was seen does not show that there is none; empty if it does."""
        if not self.solvers:
            return ("no solver was compared",)
        several = len(self.solvers) > 1
        return tuple(
            f"{comparison.after.solver}: {why}" if several else why
            for comparison in self.solvers
            for why in comparison.unproven
        )


def compare_arms(record: RunRecord, *, resamples: int = RESAMPLES) -> Comparisons:
    """
    Compares the two arms of one run, solver by solver.

    Raises:
        ConfigError: The run has no arms.
    """
    found = _compared(
        arms_matched(record),
        seed=seed_of(record),
        resamples=resamples,
        labels=tuple(arm.name for arm in record.arms),
        settings=difference_lines(record.arms),
    )
    return evolve(found, unfinished=_unfinished(record))


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
    return evolve(found, unmatched=unmatched(before, after), unfinished=_unfinished(before, after))


def _unfinished(*records: RunRecord) -> tuple[Unfinished, ...]:
    found = dict.fromkeys(unfinished(record) for record in records)
    return tuple(each for each in found if each.trials)


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
    both = [row for row in rows if row.comparable]
    left = side(before, [row.before for row in both if row.before is not None])
    right = side(after, [row.after for row in both if row.after is not None])
    sides = _sides(before, after, both)
    changes = differences(sides, resamples=resamples, seed=seed)
    lost, gained = _changed(rows)
    p = mcnemar(lost, gained)
    return Comparison(
        before=left,
        after=right,
        rows=rows,
        flips=(*task_flips(rows), *_gap_flips(left, right)),
        chance=Chance(tasks=len(both), lost=lost, gained=gained, p=p, p_corrected=p),
        differences=changes,
        warnings=(*cautions(before, after, rows), *cautions_of_joules(sides, changes)),
        power=power(lost, gained, len(both)),
        repeats=repeated(
            (*before.attempted, *before.others),
            (*after.attempted, *after.others),
            tasks=[row.task for row in both],
        ),
    )


def _changed(rows: Sequence[Pair]) -> tuple[int, int]:
    outcomes = [
        (row.before.passed, row.after.passed)
        for row in rows
        if row.comparable and row.before is not None and row.after is not None
    ]
    return outcomes.count((True, False)), outcomes.count((False, True))


def _gap_flips(before: Side, after: Side) -> tuple[Flip, ...]:
    # The gap of a side that says too little is no mark to widen from.
    if before.refusal:
        return ()
    same = before.scored and after.scored and before.heldout_version == after.heldout_version
    return gap_flips(before.honesty, after.honesty, heldout=same)


def _sides(before: Arm, after: Arm, both: Sequence[Pair]) -> Sides:
    left, right = _grouped(before), _grouped(after)
    return Sides(
        before=tuple(tuple(left[row.task]) for row in both),
        after=tuple(tuple(right[row.task]) for row in both),
    )


def _grouped(arm: Arm) -> Mapping[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in arm.attempted:
        found.setdefault(trial.task, []).append(trial)
    return found
