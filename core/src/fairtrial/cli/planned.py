"""What a run would do and may cost, before it does it."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial

from fairtrial.api import BudgetError, FairtrialError
from fairtrial.cli.log import tell
from fairtrial.cli.streams import emit
from fairtrial.config.schema import SOLVER_BY_SOLVER, UNLIMITED, RunTable
from fairtrial.engine.budget import most_usd, refuse_unlimited, spenders
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import CONTROLS, shifts
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.ready import lacking
from fairtrial.engine.resume import Left
from fairtrial.engine.selection import questions, refuse_unlimited_selectors
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, counted, money

_MINUTE_S = 60.0


def show_plan(left: Left, directory: RunDirectory, *, as_json: bool) -> int:
    """
    Prints the plan on stdout, and on stderr what would stop it; nothing is run.

    Args:
        left: What would run.
        directory: Where it would be kept.
        as_json: Whether to print it as JSON.

    Returns:
        The exit code: 2 where the config sets no budget and needs one. What this machine lacks
        says nothing of the plan.
    """
    unlimited = list(_unlimited(left.prepared))
    missing = [*unlimited, *lacks(left.prepared, directory)]
    if as_json:
        plan = described(left) | {"lacks": missing}
        emit(json.dumps(plan, ensure_ascii=False, indent=2) + "\n")
    else:
        _show(left, directory)
        for lack in missing:
            said = f"{lack['problem']} ({lack['asked_in']}); {lack['way_on']}"
            tell("run not ready", f"can't begin yet: {said}", level="warning", **lack)
    return BudgetError.exit_code if unlimited else 0


def _unlimited(prepared: Prepared) -> Iterator[dict[str, str]]:
    run, plugins = prepared.config.run, prepared.plugins
    for refuse in (
        partial(refuse_unlimited, run, plugins.solvers, prepared.plan.cells),
        partial(refuse_unlimited_selectors, run, plugins.selectors),
    ):
        try:
            refuse()
        except BudgetError as error:
            way_on = error.way_on.partition(";")[0]
            where = prepared.config.source
            yield {"asked_in": where, "problem": error.problem, "way_on": way_on}


def lacks(prepared: Prepared, directory: RunDirectory) -> list[dict[str, str]]:
    """Returns what is known to be missing here as plain JSON, an entry a plugin."""
    try:
        found = lacking(prepared, directory, prepared.plan.cells, equips=False)
    except FairtrialError as error:
        where = prepared.config.asked_in("sandbox")
        return [{"asked_in": where, "problem": error.problem, "way_on": error.way_on}]
    return [
        {
            "asked_in": lack.asked.place,
            "problem": lack.error.problem,
            "way_on": lack.error.way_on,
        }
        for lack in found
    ]


def _show(left: Left, directory: RunDirectory) -> None:
    if left.ungraded:
        emit(f"to be graded, since that was stopped: {counted(left.ungraded, 'attempt')}\n")
    prepared, run = left.prepared, left.prepared.config.run
    if not prepared.plan.cells:
        asked = "; selectors may still ask" if prepared.plugins.selectors else ""
        emit(f"nothing is left to run: all is kept in {directory.path}{asked}\n")
        return
    by_task: dict[str, Counter[str]] = {task.id: Counter() for task in prepared.plan.tasks}
    for each in prepared.plan.cells:
        by_task[each.task.id][each.solver] += 1
    rows = [
        (
            cell(task.id),
            cell(", ".join(by_task[task.id])),
            str(max(by_task[task.id].values())),
            f"{task.brief.timeout_s:g}",
        )
        for task in prepared.plan.tasks
        if by_task[task.id]
    ]
    emit(table(("Task", "Solvers", "Rollouts", "Limit s"), rows, right="llrr"))
    emit(
        f"\n{counted(len(prepared.plan.cells), 'trial')}, {_pace(run)}; "
        f"cost {_cost(prepared, left.spent_usd)}; {_time(most_s(prepared))}\n"
        f"to be kept in {directory.path}\n"
    )


def _pace(run: RunTable) -> str:
    if run.jobs == 1:
        return "1 at once"
    apart = ", never of two solvers" if run.order == SOLVER_BY_SOLVER else ""
    return f"{run.jobs} at once{apart}"


def _time(longest_s: float) -> str:
    """Returns how long attempts take; control arms make none."""
    if not longest_s:
        return "control arms alone, whose trials take no longer than the checks"
    if longest_s < _MINUTE_S:
        return f"attempts take {longest_s:.0f} s at most"
    return f"attempts take {longest_s / _MINUTE_S:.0f} min at most"


def _cost(prepared: Prepared, spent_usd: float) -> str:
    """Returns what the run can cost, and why it can't cost more."""
    run = prepared.config.run
    most = _most_usd(prepared, spent_usd)
    names = spenders(run, prepared.plugins.solvers)
    asked = questions(prepared)
    if not names and not asked:
        return "nothing: no solver spends"
    if most is None:
        waived = 'budget = "unlimited"' if run.budget == UNLIMITED else "no budget is set"
        return f"{DASH}: {', '.join(names) or 'a selector'} can spend, and {waived}"
    attempts = sum(each.solver in names for each in prepared.plan.cells)
    cap = run.budget_usd_per_task
    ways = [counted(attempts, "attempt")] if attempts else []
    ways += [f"{counted(asked, 'question')} of selectors"] if asked else []
    by_cap = "" if cap is None else " and ".join(f"{way} × ${money(cap)}" for way in ways)
    by_total = "" if run.budget_usd_total is None else f"${money(run.budget_usd_total)} in all"
    by_total += f", ${money(spent_usd)} of it spent" if by_total and spent_usd else ""
    return f"at most ${money(most)} ({'; '.join(filter(None, (by_cap, by_total)))})"


def _most_usd(prepared: Prepared, spent_usd: float) -> float | None:
    run, solvers = prepared.config.run, prepared.plugins.solvers
    most = most_usd(run, solvers, prepared.plan.cells, questions(prepared))
    if most is None or run.budget_usd_total is None:
        return most
    return max(0.0, min(most, run.budget_usd_total - spent_usd))


def described(left: Left) -> dict[str, object]:
    """Returns the plan as plain JSON."""
    prepared = left.prepared
    return {
        "label": prepared.config.run.label,
        "suite": prepared.config.run.suite,
        "trials": [
            {"task": cell.task.id, "solver": cell.solver, "rollout": cell.rollout}
            for cell in prepared.plan.cells
        ],
        "ungraded": left.ungraded,
        "jobs": prepared.config.run.jobs,
        "order": prepared.config.run.order,
        "spenders": list(spenders(prepared.config.run, prepared.plugins.solvers)),
        "most_usd": _most_usd(prepared, left.spent_usd),
        "most_s": most_s(prepared),
    }


def most_s(prepared: Prepared) -> float:
    """
    Returns the seconds that attempts may take at most; the checks come on top.

    Where m workers take jobs from a list they are done by Σt/m + (1 − 1/m)·max t (Graham, "Bounds
    on Multiprocessing Timing Anomalies", 1969).
    """
    run, most = prepared.config.run, 0.0
    for cells in shifts(prepared.plan.cells, run):
        limits = [cell.task.brief.timeout_s for cell in cells if cell.solver not in CONTROLS]
        longest = max(limits, default=0.0)
        waits = len(limits) > run.jobs
        most += (sum(limits) + (run.jobs - 1) * longest) / run.jobs if waits else longest
    return most
