"""Later stages of a run, done again from its directory without running an agent."""

from collections.abc import Callable

import structlog
from attrs import evolve

from fairtrial.api import Attempt, FairtrialError, RunError, RunRecord, Trial
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine import artifacts
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.audit import audit
from fairtrial.engine.conclusion import conclude
from fairtrial.engine.crew import Crew
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.grading import NOT_GRADED, grade, look_again
from fairtrial.engine.insight import looked_into
from fairtrial.engine.journal import Journal, read_run
from fairtrial.engine.plan import Cell
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.room import Room
from fairtrial.engine.secrecy import without_secrets
from fairtrial.engine.selection import select
from fairtrial.engine.snapshot import Difference
from fairtrial.engine.trial import with_audit, with_grade
from fairtrial.engine.watch import Unwatched, Watcher

log = structlog.get_logger()

Stage = Callable[[Cell, Trial, Room], Trial]


def regrade(
    prepared: Prepared, directory: RunDirectory, watcher: Watcher | None = None
) -> RunRecord:
    """
    Grades every stored tree again, with the suite as it is now.

    The new verdicts are appended to the journal; the old ones stay in it. Where the energy,
    cost and conduct of an attempt are concerned, nothing changes; what was stopped while it was
    graded is audited, too.

    Raises:
        RunError: The directory holds no run, or one of other tasks.
        KeyboardInterrupt: The user stopped it; what was done until then is kept.
    """

    def again(cell: Cell, trial: Trial, room: Room) -> Trial:
        if trial.verdict is None:
            return judge(cell, trial, room)
        outcome, left = _stored(trial, room)
        with room.guarded(cell.task, cell.label):
            return with_grade(trial, cell, grade(cell, room, outcome, left))

    record = _again(prepared, directory, watcher, again)
    with directory.held():
        return conclude(prepared.plugins.suite, directory, record)


def reaudit(
    prepared: Prepared, directory: RunDirectory, watcher: Watcher | None = None
) -> RunRecord:
    """
    Asks the config's auditors about every stored attempt again.

    What the tree was before is not stored: it is seeded anew, which gives the same bytes for the
    same task. What the logs show is counted anew, too. Where the config names no auditor, that is
    all, and earlier findings stay what they were.

    Raises:
        RunError: The directory holds no run, or one of other tasks.
        KeyboardInterrupt: The user stopped it; what was done until then is kept.
    """

    def again(cell: Cell, trial: Trial, room: Room) -> Trial:
        place = room.directory.trial(trial.task, trial.solver, trial.rollout)
        if not room.auditors:
            return evolve(trial, insight=looked_into(place))
        outcome, left = _stored(trial, room)
        audited = audit(cell, room, outcome, look_again(cell, room, left))
        return evolve(with_audit(trial, audited), insight=looked_into(place))

    return _again(prepared, directory, watcher, again)


def judge(cell: Cell, trial: Trial, room: Room) -> Trial:
    """
    Grades and audits an attempt that came to its end, and of which that was cut off.

    Raises:
        FairtrialError: What it left is not there any more.
    """
    outcome, left = _stored(trial, room)
    with room.guarded(cell.task, cell.label):
        graded = grade(cell, room, outcome, left)
    audited = audit(cell, room, outcome, graded)
    place = room.directory.trial(trial.task, trial.solver, trial.rollout)
    judged = with_audit(with_grade(trial, cell, graded), audited)
    return evolve(judged, insight=looked_into(place))


def _again(
    prepared: Prepared, directory: RunDirectory, watcher: Watcher | None, stage: Stage
) -> RunRecord:
    told = watcher or Unwatched()
    with directory.held():
        pairs = _pairs(prepared, read_run(directory))
        prepared.preflight()
        journal = Journal(directory.journal)
        told.planned(len(pairs), 0)
        with EnergyLedger(meters={}) as ledger:
            room = prepared.room(directory, ledger)

            left: list[BaseException] = []

            def one(cell: Cell) -> None:
                told.started(cell)
                trial = pairs[cell]
                try:
                    trial = without_secrets(stage(cell, trial, room))
                    if room.stop.is_set():
                        # What was ended with everything else says nothing; the old line stands.
                        return
                    journal.append(trial)
                except RunError:
                    raise
                except (Exception, SystemExit) as error:  # noqa: BLE001 - one torn file must not cost the others
                    left.append(error)
                    say_left(trial, error)
                told.ended(trial)

            jobs = prepared.config.run.jobs
            crew = Crew(work=one, jobs=jobs, leave=room.leave, on_stopping=told.stopping)
            crew.work_off(pairs)
            if crew.interrupted:
                raise KeyboardInterrupt
            if pairs and len(left) == len(pairs):
                raise _none_taken_up(read_run(directory), left[0])
            select(prepared, directory, room, asks=False)
        return read_run(directory)


def _pairs(prepared: Prepared, record: RunRecord) -> dict[Cell, Trial]:
    """Pairs each stored attempt with its task as it is now, if that is still the same task."""
    tasks = {(task.id, task.digest): task for task in prepared.plan.tasks}
    pairs = {}
    for trial in record.trials:
        task = tasks.get((trial.task, trial.digest))
        if task is None:
            log.warning("task has changed, trial left as it was", task=trial.task)
        elif trial.ending not in NOT_GRADED:
            pairs[Cell(task=task, solver=trial.solver, rollout=trial.rollout)] = trial
    if record.trials and not pairs:
        raise RunError(
            problem="none of the run's attempts can be taken up again",
            facts=(("run", record.label), ("suite", record.suite)),
            way_on="give the config that it was run with, by -c",
        )
    return pairs


def say_left(trial: Trial, error: BaseException) -> None:
    """Logs that a trial could not be taken up again, and why."""
    way_on = error.way_on if isinstance(error, FairtrialError) else ""
    log.warning(
        "trial left as it was",
        task=trial.task,
        solver=trial.solver,
        rollout=trial.rollout,
        because=_why(error),
        **({"way_on": way_on} if way_on else {}),
    )


def _why(error: BaseException) -> str:
    if isinstance(error, FairtrialError):
        return error.problem
    return f"{type(error).__name__}: {error}"


def _none_taken_up(record: RunRecord, error: BaseException) -> RunError:
    return RunError(
        problem="none of the run's attempts can be taken up again",
        facts=(("run", record.label), ("because", _why(error))),
        way_on="restore what is below its `trials` from a copy; nothing was changed",
    )


def _stored(trial: Trial, room: Room) -> tuple[Outcome, Difference]:
    place = room.directory.trial(trial.task, trial.solver, trial.rollout)
    patch = artifacts.tree(place)
    if trial.changed and not patch:
        path = place / artifacts.TREE
        raise FairtrialError(
            problem=f"“{path}” is not there, though the attempt changed files",
            way_on=artifacts.RESTORE,
        )
    events = artifacts.events(place)
    said = Attempt(
        ending=trial.ending,
        limit=trial.limit,
        submission=trial.submission,
        usage=trial.usage,
        model=trial.model,
        agent_version=trial.agent_version,
        note=trial.note,
    )
    outcome = Outcome(
        attempt=said,
        wall_s=trial.wall_s or 0.0,
        metered=trial.metered,
        energy=trial.energy,
        exchanges=trial.questions or (),
        events=len(events or ()),
        enforced=trial.enforced,
    )
    left = {path: "left behind" for path in trial.dropped if path not in patch.paths}
    return outcome, Difference(patch=patch, left_behind=left)
