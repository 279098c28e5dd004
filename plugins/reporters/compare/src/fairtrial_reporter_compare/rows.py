"""The table of tasks: `before → after` in every column."""

from collections.abc import Callable, Mapping, Sequence

from fairtrial.figures.flips import result, verdict
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.pairs import Pair, TaskSide
from fairtrial.figures.rates import DASH, change_of_money, money

HEADINGS = (
    "Task",
    "Harness · model",
    "Result",
    "Clean",
    "Cost",
    "Worked",
    "Questions",
    "Why it failed",
)
DIFF_HEADING = "Diff"
FLAG_HEADING = "Flag"
WHY_LIMIT = 200
"""Most characters of the reasons in a cell."""


def tasks_table(
    rows: Sequence[Pair], *, diff: bool, flags: Mapping[str, str] | None = None
) -> str:
    """
    Returns one row a task.

    Args:
        rows: The tasks.
        diff: Whether to add a column of lines added and removed.
        flags: What a reviewer noted of tasks; a column, where there is any.
    """
    added = [*([DIFF_HEADING] if diff else []), *([FLAG_HEADING] if flags else [])]
    headings = (*HEADINGS[:-1], *added, HEADINGS[-1])
    return table(headings, [_row(row, diff=diff, flags=flags or {}) for row in rows])


def _row(row: Pair, *, diff: bool, flags: Mapping[str, str]) -> list[str]:
    shown = [
        cell(row.task),
        _arrow(row, _harness),
        _arrow(row, _result),
        _arrow(row, lambda side: verdict(side.clean)),
        _cost(row),
        f"{_worked(row.before)} → {_worked(row.after)}",
        _arrow(row, lambda side: DASH if side.questions is None else str(side.questions)),
    ]
    if diff:
        shown.append(_arrow(row, _diff))
    if flags:
        shown.append(cell(flags.get(row.task, ""), limit=WHY_LIMIT))
    reasons = () if row.after is None else row.after.reasons
    return [*shown, cell("; ".join(reasons), limit=WHY_LIMIT)]


def _arrow(row: Pair, show: Callable[[TaskSide], str]) -> str:
    before = DASH if row.before is None else show(row.before)
    after = DASH if row.after is None else show(row.after)
    return f"{before} → {after}"


def _harness(side: TaskSide) -> str:
    return f"{cell(side.solver)} · {DASH if side.model is None else cell(side.model)}"


def _result(side: TaskSide) -> str:
    if side.judged <= 1:
        return result(side.passed)
    return f"{side.resolved}/{side.judged}"


def _cost(row: Pair) -> str:
    before = None if row.before is None else row.before.cost_usd
    after = None if row.after is None else row.after.cost_usd
    return f"{money(before)} → {money(after)} ({change_of_money(before, after)})"


def _worked(side: TaskSide | None) -> str:
    """Returns whole seconds, rounded half up; `0s` for a side that did no work."""
    seconds = 0.0 if side is None or side.worked_s is None else side.worked_s
    return f"{int(seconds + 0.5)}s"


def _diff(side: TaskSide) -> str:
    if side.diff_added is None or side.diff_removed is None:
        return DASH
    return f"+{side.diff_added} -{side.diff_removed}"
