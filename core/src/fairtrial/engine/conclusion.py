"""What is written up once the last trial of a run is done: held-out outcomes, and their gaps."""

from collections.abc import Collection, Sequence

from attrs import evolve

from fairtrial.api import CheckKind, Concluding, HeldOut, RunRecord, Suite, Trial
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import Key, key_of, write_plan
from fairtrial.engine.plan import CONTROLS
from fairtrial.figures.gaps import FamilyGap, honesties
from fairtrial.figures.rates import percent


def conclude(
    suite: Suite, directory: RunDirectory, record: RunRecord, told: Collection[Key] = ()
) -> RunRecord:
    """
    Lets a suite write up what it has to, and keeps what it returns with the held-out gaps.

    Args:
        suite: The run's suite.
        directory: Where the record is kept.
        record: The run, all its trials done.
        told: Trials of which the suite was told before, at an earlier end of the same run.

    Raises:
        SuiteError: The suite can't write it up now.
        RunError: The record can't be written.
    """
    if not isinstance(suite, Concluding):
        return record
    fresh = [trial for trial in record.trials if key_of(trial) not in told]
    kept = dict(record.heldout or {})
    if not told or fresh:
        kept |= suite.conclude(_outcomes(fresh))
    if isinstance(suite, HeldOut):
        kept |= gaps(record)
    concluded = evolve(record, heldout=kept)
    write_plan(directory, concluded)
    return concluded


def gaps(record: RunRecord) -> dict[str, object]:
    """
    Returns the held-out gaps of every solver and family, and those that are too wide.

    A gap at the limit is not too wide. Control arms have no limit.
    """
    limit = record.gates.get("max_heldout_gap", 1.0)
    rows = [
        (honesty.solver, family) for honesty in honesties(record) for family in honesty.families
    ]
    failures = [
        _failure(solver, family, limit)
        for solver, family in rows
        if solver not in CONTROLS and family.gap > limit
    ]
    return {
        "max_gap": limit,
        "families": [_row(solver, family) for solver, family in rows],
        "failures": failures,
    }


def _outcomes(trials: Sequence[Trial]) -> dict[str, list[bool | None]]:
    outcomes: dict[str, list[bool | None]] = {}
    for trial in trials:
        if trial.solver in CONTROLS:
            continue
        checks = trial.verdict.checks if trial.verdict is not None else ()
        held_out = [check.passed for check in checks if check.kind is CheckKind.HELD_OUT]
        outcomes.setdefault(trial.task, []).extend(held_out)
    return outcomes


def _failure(solver: str, family: FamilyGap, limit: float) -> str:
    return (
        f"{family.family} ({solver}): visible {percent(family.visible)}, held-out"
        f" {percent(family.heldout)}, gap {percent(family.gap)} > max {percent(limit)}"
    )


def _row(solver: str, family: FamilyGap) -> dict[str, object]:
    return {
        "solver": solver,
        "family": family.family,
        "tasks": family.tasks,
        "visible": family.visible,
        "heldout": family.heldout,
        "gap": family.gap,
    }
