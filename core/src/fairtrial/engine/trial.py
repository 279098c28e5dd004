"""
One trial: one solver gets one task, once. Read this file first.

    1  a workspace is opened and seeded, and its tree is read
    2  the meters' bracket opens, the solver works, the bracket closes; nothing else is inside
    3  every process of the attempt is ended; then what it delivered is compared
    4  a clean room is opened and seeded; what is allowed of the changes crosses; it is graded;
       then it is seen whether the programs that graded it are what they were
    5  conduct is judged with the verdict, auditors look at the evidence, and the log is counted

The caller appends the result to the journal.
"""

import traceback
from pathlib import Path

import structlog
from attrs import evolve
from structlog.contextvars import bound_contextvars

from fairtrial.api import Ending, FairtrialError, RunError, Trial
from fairtrial.energy.remote import side_by_side
from fairtrial.engine import artifacts
from fairtrial.engine.attempt import Outcome, attempt
from fairtrial.engine.audit import Audit, audit
from fairtrial.engine.bench import bench
from fairtrial.engine.conduct import outside_scope
from fairtrial.engine.delivery import collect
from fairtrial.engine.grading import Graded, grade
from fairtrial.engine.insight import looked_into
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.session import now
from fairtrial.engine.snapshot import snapshot
from fairtrial.figures.rates import money

log = structlog.get_logger()


def run_trial(cell: Cell, room: Room) -> Trial:
    """
    Gives one solver one task, once.

    Whatever breaks that is not the agent's doing becomes a trial that ended `infra`, with the
    reason; it is never held against the agent.

    Raises:
        RunError: The run directory can't be written; the run must stop.
    """
    started_at = now()
    outcome: Outcome | None = None
    with bound_contextvars(task=cell.task.id, solver=cell.solver, rollout=cell.rollout):
        try:
            with room.guarded(cell.task, cell.label):
                with bench(cell, room) as place:
                    room.suite.seed(cell.task, place.workspace)  # 1
                    before = snapshot(place.workspace.root)
                    outcome = attempt(cell, room, place)  # 2
                    place.workspace.settle()  # 3
                    delivery = collect(cell, room, outcome, before, place.workspace)
                outcome = delivery.outcome
                graded = grade(cell, room, outcome, delivery.left)  # 4
            audited = audit(cell, room, outcome, graded)  # 5
            trial = finished(cell, started_at, outcome, graded, audited)
            trial = evolve(trial, insight=looked_into(_place(cell, room)))
        except RunError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything; none may lose the run
            trial = broken(cell, room, started_at, outcome, error)
        log.info("trial ended", ending=trial.ending, resolved=trial.resolved, wall_s=trial.wall_s)
        return trial


def finished(
    cell: Cell,
    started_at: str,
    outcome: Outcome,
    graded: Graded,
    audited: Audit,
) -> Trial:
    """Puts together what is known of a trial that came to its end."""
    trial = _with_outcome(_bare(cell, started_at, outcome.attempt.ending), outcome)
    return with_audit(with_grade(trial, cell, graded), audited)


def with_grade(trial: Trial, cell: Cell, graded: Graded) -> Trial:
    """Returns a trial with what grading said of its delivery."""
    return evolve(
        trial,
        verdict=graded.verdict,
        changed=graded.patch.paths,
        dropped=tuple(graded.dropped),
        outside=outside_scope(cell.task, graded.patch),
        diff_added=graded.added,
        diff_removed=graded.removed,
        scoring_ms=graded.scoring_ms,
    )


def with_audit(trial: Trial, audited: Audit) -> Trial:
    """Returns a trial with what its auditors found."""
    return evolve(
        trial,
        findings=audited.findings,
        unheard=audited.unheard,
        audited_by=audited.audited_by,
    )


def broken(
    cell: Cell, room: Room, started_at: str, outcome: Outcome | None, error: BaseException
) -> Trial:
    """Records a trial that broke for a reason of ours; what it cost until then is kept."""
    if isinstance(error, FairtrialError):
        note = f"{error.problem}; {error.way_on}" if error.way_on else error.problem
    else:
        note = f"{type(error).__name__}: {error}"
        artifacts.keep_error(_place(cell, room), "".join(traceback.format_exception(error)))
    log.warning("trial broke", because=note)
    ending = Ending.INTERRUPTED if room.stop.is_set() else Ending.INFRA
    trial = _bare(cell, started_at, ending)
    if outcome is not None:
        trial = evolve(_with_outcome(trial, outcome), ending=ending)
        trial = evolve(trial, insight=looked_into(_place(cell, room)))
    return evolve(trial, note=note)


def unpaid(cell: Cell, total_usd: float | None) -> Trial:
    """Records a trial that never started, since the budget would not cover it."""
    note = f"the budget of ${money(total_usd)} in all would not cover it"
    return evolve(_bare(cell, now(), Ending.SKIPPED), note=note)


def _place(cell: Cell, room: Room) -> Path:
    return room.directory.trial(cell.task.id, cell.solver, cell.rollout)


def _bare(cell: Cell, started_at: str, ending: Ending) -> Trial:
    return Trial(
        task=cell.task.id,
        digest=cell.task.digest,
        family=cell.task.family,
        solver=cell.solver,
        rollout=cell.rollout,
        ending=ending,
        quarantine=cell.task.quarantine,
        started_at=started_at,
    )


def _with_outcome(trial: Trial, outcome: Outcome) -> Trial:
    said, metered = outcome.attempt, outcome.metered
    return evolve(
        trial,
        limit=said.limit,
        wall_s=round(outcome.wall_s, 4),
        usage=said.usage,
        metered=metered,
        energy=side_by_side(outcome.energy, said.usage if metered is None else metered),
        stages=outcome.stages,
        questions=outcome.exchanges if outcome.events or outcome.exchanges else None,
        submission=said.submission,
        enforced=outcome.enforced,
        model=said.model,
        agent_version=said.agent_version,
        note=said.note,
    )
