"""What a run spent, beside what it was allowed to: one line at its end."""

from collections.abc import Collection

from fairtrial.api import Ending, RunRecord, Trial
from fairtrial.config.schema import RunTable
from fairtrial.engine.plan import CONTROLS
from fairtrial.figures.rates import money
from fairtrial.figures.spending import spending


def spent_line(run: RunTable, record: RunRecord, spenders: Collection[str]) -> str:
    """
    Returns the line; empty where no dollar is known, and no budget was set or nobody spends.

    Args:
        run: What it was allowed.
        record: What came of it.
        spenders: Solvers that can spend; others cost nothing, unless they tell tokens.
    """
    trials = [trial for trial in record.trials if _counts(trial, spenders)]
    skipped = sum(trial.ending is Ending.SKIPPED for trial in trials)
    over = sum(trial.ending is Ending.OVER_BUDGET for trial in trials)
    again = [trial for trial in record.again if _counts(trial, spenders) and trial.wall_s]
    begun = spending(trial for trial in (*trials, *again) if trial.ending is not Ending.SKIPPED)
    if begun.known_usd is None and (run.budget_usd_total is None or not trials):
        return ""
    bound = "≥ " if begun.unknown and begun.known else ""
    line = f"spent        {bound}${money(begun.known_usd)}" if begun.known else "spent        –"
    if run.budget_usd_total is not None:
        line += f" of ${money(run.budget_usd_total)}"
    parts = (
        []
        if run.budget_usd_per_task is None
        else [f"${money(run.budget_usd_per_task)} at most an attempt"]
    )
    parts += [f"{begun.unknown} of unknown cost"] if begun.unknown else []
    parts += [f"{over} ended over budget"] if over else []
    parts += [f"{skipped} not begun for want of budget"] if skipped else []
    return f"{line} ({'; '.join(parts)})" if parts else line


def _counts(trial: Trial, spenders: Collection[str]) -> bool:
    if trial.solver in CONTROLS:
        return False
    return trial.solver in spenders or bool(trial.usage or trial.metered)
