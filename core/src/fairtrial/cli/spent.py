"""What a run spent, beside what it was allowed to: one line at its end."""

from fairtrial.api import Ending, RunRecord
from fairtrial.config.schema import RunTable
from fairtrial.engine.plan import CONTROLS
from fairtrial.figures.rates import money
from fairtrial.figures.spending import spending


def spent_line(run: RunTable, record: RunRecord) -> str:
    """Returns the line; empty where no dollar is known and no budget was set."""
    trials = [trial for trial in record.trials if trial.solver not in CONTROLS]
    skipped = sum(trial.ending is Ending.SKIPPED for trial in trials)
    over = sum(trial.ending is Ending.OVER_BUDGET for trial in trials)
    again = [trial for trial in record.again if trial.solver not in CONTROLS and trial.wall_s]
    begun = spending(trial for trial in (*trials, *again) if trial.ending is not Ending.SKIPPED)
    if begun.known_usd is None and run.budget_usd_total is None:
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
