"""After the last trial: selectors pick among the attempts at each task, at a cost of their own."""

import time
from collections.abc import Iterator, Mapping

import structlog
from attrs import evolve, frozen

from fairtrial.api import (
    BudgetError,
    FairtrialError,
    Pick,
    RunRecord,
    Selection,
    Selector,
    Spender,
    Task,
    Trial,
)
from fairtrial.config import RunTable
from fairtrial.config.schema import UNLIMITED
from fairtrial.energy.remote import side_by_side
from fairtrial.engine.budget import Purse, spenders
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.grading import NOT_GRADED
from fairtrial.engine.journal import read_run, write_plan
from fairtrial.engine.plan import CONTROLS
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.room import Room
from fairtrial.engine.selecting import CONSULTED, Selecting, among
from fairtrial.figures.selections import as_trial
from fairtrial.redaction import redact

log = structlog.get_logger()


def refuse_unlimited_selectors(run: RunTable, selectors: Mapping[str, Selector]) -> None:
    """
    Lets a run begin only if what its selectors can spend is limited.

    Raises:
        BudgetError: One can spend, and a limit is missing that isn't waived either.
    """
    names = [name for name, selector in selectors.items() if _spends(selector, run)]
    keys = ("budget_usd_per_task", "budget_usd_total")
    missing = [key for key in keys if getattr(run, key) is None]
    if names and missing and run.budget != UNLIMITED:
        raise BudgetError(
            problem=f"[run] sets no {' and no '.join(missing)}, and its selectors can spend",
            facts=(("selectors", ", ".join(names)),),
            way_on='set both keys, or write budget = "unlimited"',
        )


def _spends(selector: Selector, run: RunTable) -> bool:
    if not isinstance(selector, Spender):
        return False
    return run.gateway is not None if selector.spends is None else selector.spends


def questions(prepared: Prepared) -> int:
    """Returns how often selectors that can spend ask, if each asks once where it may."""
    run = prepared.config.run
    if run.rollouts == 1:
        return 0
    asking = sum(_spends(selector, run) for selector in prepared.plugins.selectors.values())
    cells = prepared.plan.cells
    return asking * len({(cell.task.id, cell.solver) for cell in cells if not cell.control})


def select(prepared: Prepared, directory: RunDirectory, room: Room, *, asks: bool = True) -> None:
    """
    Has every selector pick among the attempts of every solver, and keeps that in the record.

    A pick is kept as long as the attempts are the same ones, so that nothing is paid for twice.
    Control arms are left out: their attempts are all alike.

    Args:
        prepared: The run.
        directory: Where its record is.
        room: What all trials share; its ledger is open.
        asks: Whether selectors may ask solvers, which can cost money.

    Raises:
        RunError: The record can't be written.
    """
    selectors = prepared.plugins.selectors
    record = read_run(directory)
    if not selectors and (not record.selections or not asks):
        return
    if record.rollouts == 1 and selectors:
        log.warning("nothing to select from", way_on="set rollouts above 1")
    choosing = _Choosing(
        room=room,
        record=record,
        tasks={task.id: task for task in prepared.plan.tasks},
        purse=_purse(prepared, record),
        asks=asks,
    )
    found = [
        choosing.selection(name, selector, solver)
        for name, selector in selectors.items()
        for solver in record.solvers
        if solver not in CONTROLS and record.rollouts > 1
    ]
    write_plan(directory, evolve(record, selections=tuple(found)))


def _purse(prepared: Prepared, record: RunRecord) -> Purse:
    run = prepared.config.run
    able = (*spenders(run, prepared.plugins.solvers), CONSULTED)
    purse = Purse(run.budget_usd_total, run.budget_usd_per_task, able)
    picks = [pick for selection in record.selections for pick in selection.picks]
    asked = [as_trial(pick, CONSULTED) for pick in picks if pick.consulted]
    for trial in (*record.trials, *record.again, *asked):
        purse.already_spent(trial)
    return purse


@frozen(kw_only=True)
class _Choosing:
    """All selections of one run."""

    room: Room
    record: RunRecord
    tasks: Mapping[str, Task]
    purse: Purse
    asks: bool

    def selection(self, name: str, selector: Selector, solver: str) -> Selection:
        """Has one selector pick among one solver's attempts."""
        pairs = [
            self._pick(name, selector, solver, task, trials)
            for task, trials in self._attempts(solver)
        ]
        return Selection(
            selector=name,
            solver=solver,
            upper_bound=any(peeked for _, peeked in pairs),
            picks=tuple(pick for pick, _ in pairs),
        )

    def _attempts(self, solver: str) -> Iterator[tuple[Task, dict[int, Trial]]]:
        for planned in self.record.tasks:
            task = self.tasks.get(planned.id)
            if planned.invalid or task is None or task.digest != planned.digest:
                continue
            own = [
                trial
                for trial in self.record.trials
                if (trial.task, trial.digest, trial.solver) == (task.id, task.digest, solver)
                and trial.ending not in NOT_GRADED
            ]
            if own:
                yield task, {trial.rollout: trial for trial in sorted(own, key=_by_rollout)}

    def _pick(
        self, name: str, selector: Selector, solver: str, task: Task, trials: Mapping[int, Trial]
    ) -> tuple[Pick, bool]:
        label = f"{name}-on-{solver}"
        session = Selecting(
            label=label,
            task=task,
            trials=trials,
            room=self.room,
            purse=self.purse,
            asks=self.asks,
        )
        try:
            digest = among(selector, session)
        except (OSError, ValueError, FairtrialError) as error:
            return Pick(task=task.id, note=f"its attempts can't be read: {error}"), False
        before = self._before(name, solver, task.id)
        if before is not None and (before.among == digest or (before.consulted and not self.asks)):
            return before, False
        window = self.room.ledger.begin(f"{task.id}·{label}", group=label)
        session.window = window
        start = time.monotonic()
        rollout, note = _selected(selector, session)
        wall_s = time.monotonic() - start
        window.end()
        metered = session.metered
        told = session.usage if metered is None else metered
        used = session.runs or session.outcomes
        pick = Pick(
            task=task.id,
            rollout=rollout,
            among=digest,
            consulted=len(session.outcomes),
            wall_s=round(wall_s, 4),
            usage=session.usage,
            metered=metered,
            energy=side_by_side(window.energies(), told) if used else (),
            note=redact(note),
        )
        log.info("selected", selector=name, task=task.id, solver=solver, rollout=rollout)
        return pick, session.peeked

    def _before(self, name: str, solver: str, task: str) -> Pick | None:
        """Returns an earlier pick that still says something: one that was made, and not peeked."""
        picks = (
            pick
            for selection in self.record.selections
            if (selection.selector, selection.solver) == (name, solver)
            and not selection.upper_bound
            for pick in selection.picks
            if pick.task == task and (pick.rollout is not None or not self.asks)
        )
        return next(picks, None)


def _by_rollout(trial: Trial) -> int:
    return trial.rollout


def _selected(selector: Selector, session: Selecting) -> tuple[int | None, str]:
    """Returns what was picked, and why where nothing was."""
    try:
        rollout = selector.select(session)
    except FairtrialError as error:
        return None, f"{error.problem}; {error.way_on}" if error.way_on else error.problem
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything; none may lose the run
        log.warning("selector raised", error=type(error).__name__)
        return None, f"the selector plugin raised {type(error).__name__}: {error}"
    if rollout is not None and rollout not in session.trials:
        return None, f"it picked rollout {rollout}, which is none of those it was given"
    return rollout, session.note() if rollout is None else ""
