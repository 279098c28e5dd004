"""The table of tasks: `before → after` in every column."""

from collections.abc import Callable, Mapping, Sequence

from fairtrial.figures.flips import result, verdict
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.pairs import Pair, TaskSide
from fairtrial.figures.rates import DASH, amount, change_of_money, money, seconds

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
PER_ATTEMPT = "Cost, seconds, questions and lines of a task are means per attempt."
_WHOLE_FROM_S = 10.0
"""From how many seconds on they are shown without decimals."""


def tried_again(rows: Sequence[Pair]) -> bool:
    """Tells whether any side made several attempts at a task, so that cells show their means."""
    sides = [side for row in rows for side in (row.before, row.after) if side is not None]
    return any(side.per_attempt.attempts > 1 for side in sides)


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
        _arrow(row, _share if _several(row) else lambda side: result(side.passed)),
        _arrow(row, lambda side: verdict(side.clean)),
        _cost(row),
        _arrow(row, _worked),
        _arrow(row, lambda side: amount(side.per_attempt.questions)),
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


def _several(row: Pair) -> bool:
    return any(side.judged > 1 for side in (row.before, row.after) if side is not None)


def _share(side: TaskSide) -> str:
    return f"{side.resolved}/{side.judged}" if side.judged else DASH


def _cost(row: Pair) -> str:
    before = None if row.before is None else row.before.per_attempt.cost_usd
    after = None if row.after is None else row.after.per_attempt.cost_usd
    return f"{money(before)} → {money(after)} ({change_of_money(before, after)})"


def _worked(side: TaskSide) -> str:
    """Returns seconds, whole ones rounded half up where there are many."""
    worked_s = side.per_attempt.worked_s
    if worked_s is None or worked_s < _WHOLE_FROM_S:
        return seconds(worked_s)
    return f"{int(worked_s + 0.5)}s"


def _diff(side: TaskSide) -> str:
    one = side.per_attempt
    if one.diff_added is None or one.diff_removed is None:
        return DASH
    return f"+{amount(one.diff_added)} -{amount(one.diff_removed)}"
