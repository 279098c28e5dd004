"""What a run would do and may cost, before it does it."""

import json

from fairtrial.cli.streams import emit
from fairtrial.engine.plan import CONTROLS
from fairtrial.engine.prepare import Prepared
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, money


def show_plan(prepared: Prepared, *, as_json: bool) -> None:
    """Prints the plan on stdout; nothing is run."""
    plan = described(prepared)
    if as_json:
        emit(json.dumps(plan, ensure_ascii=False, indent=2) + "\n")
        return
    run = prepared.config.run
    rows = [
        (
            cell(task.id),
            cell(", ".join(run.solvers)),
            str(run.rollouts),
            f"{task.brief.timeout_s:g}",
        )
        for task in prepared.plan.tasks
    ]
    emit(table(("Task", "Solvers", "Rollouts", "Limit s"), rows, right="llrr"))
    most = most_usd(prepared)
    cost = f"at most ${money(most)}" if most is not None else f"{DASH}: no budget is set"
    emit(
        f"\n{len(prepared.plan.cells)} trials, {run.jobs} at once; "
        f"cost {cost}; attempts take {most_s(prepared) / 60:.0f} min at most\n"
    )


def described(prepared: Prepared) -> dict[str, object]:
    """Returns the plan as plain JSON."""
    return {
        "label": prepared.config.run.label,
        "suite": prepared.config.run.suite,
        "trials": [
            {"task": cell.task.id, "solver": cell.solver, "rollout": cell.rollout}
            for cell in prepared.plan.cells
        ],
        "jobs": prepared.config.run.jobs,
        "most_usd": most_usd(prepared),
        "most_s": most_s(prepared),
    }


def most_usd(prepared: Prepared) -> float | None:
    """
    Returns the dollars that the run may spend at most; None where nothing caps them.

    Control arms spend nothing, so that a run of them alone costs nothing.
    """
    run = prepared.config.run
    spending = [cell for cell in prepared.plan.cells if cell.solver not in CONTROLS]
    if not spending:
        return 0.0
    caps = [cap for cap in (run.budget_usd_total,) if cap is not None]
    if run.budget_usd_per_task is not None:
        caps.append(run.budget_usd_per_task * len(spending))
    return min(caps, default=None)


def most_s(prepared: Prepared) -> float:
    """Returns the seconds that attempts may take at most; the checks come on top."""
    attempts = (
        cell.task.brief.timeout_s for cell in prepared.plan.cells if cell.solver not in CONTROLS
    )
    return sum(attempts) / prepared.config.run.jobs
