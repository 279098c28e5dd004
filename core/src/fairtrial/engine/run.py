"""A whole run: from a config to a record, through the run directory."""

from collections.abc import Iterable, Iterator, Sequence

import structlog
from attrs import evolve, frozen

from fairtrial.api import RunError, RunRecord, Trial
from fairtrial.config import RunTable
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine import batches
from fairtrial.engine.again import judge, say_left
from fairtrial.engine.budget import Purse, purse_of, refuse_unlimited
from fairtrial.engine.conclusion import conclude
from fairtrial.engine.controls import Proofs
from fairtrial.engine.crew import Crew
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.host import host_facts, revision_of
from fairtrial.engine.joules import meters_of
from fairtrial.engine.journal import Journal, key_of, read_plan, write_plan
from fairtrial.engine.plan import Cell, shifts
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.ready import refuse_unready
from fairtrial.engine.resume import Earlier, earlier_sittings, left_of
from fairtrial.engine.room import Room
from fairtrial.engine.salvage import writable
from fairtrial.engine.secrecy import without_secrets
from fairtrial.engine.selection import refuse_unlimited_selectors, select
from fairtrial.engine.session import now
from fairtrial.engine.spend import Spending
from fairtrial.engine.stored import config_as_run
from fairtrial.engine.trial import broken, run_trial, unpaid
from fairtrial.engine.watch import Unwatched, Watcher

log = structlog.get_logger()


@frozen(kw_only=True)
class Result:
    """
    What came of a run.

    Attributes:
        record: Everything that is in the run directory.
        interrupted: Whether the user stopped it before its end.
    """

    record: RunRecord
    interrupted: bool


def run(
    prepared: Prepared,
    directory: RunDirectory,
    *,
    resume: bool = False,
    watcher: Watcher | None = None,
    spending: Spending | None = None,
) -> Result:
    """
    Runs what is left to run, and returns everything.

    Args:
        prepared: What to run.
        directory: Where to keep it.
        resume: Whether to go on with the run that is there; only what is missing, interrupted or
            `infra` is run again, and what was stopped while it was graded is graded.
        watcher: Told of each step.
        spending: Where what it spends is entered besides; None for nowhere.

    Raises:
        RunError: The directory holds another run, is in use, or can't be written.
        MachineError: The sandbox doesn't work here, can't keep the fence that is required, or a
            solver lacks a program or a key.
        BudgetError: A solver can spend, and no limit is set.
        FairtrialError: The suite or a meter refuses; nothing was spent.
    """
    refuse_unlimited(prepared.config.run, prepared.plugins.solvers, prepared.plan.cells)
    refuse_unlimited_selectors(prepared.config.run, prepared.plugins.selectors)
    meters = meters_of(prepared)
    told_of = watcher or Unwatched()
    with directory.held():
        earlier = earlier_sittings(prepared, directory, resume=resume)
        done = earlier.finished
        refuse_unready(prepared, directory, left_of(prepared, done))
        if not directory.record.exists():
            _begin(prepared, directory)
        plan = read_plan(directory)
        graded = [trial for trial in done if key_of(trial) not in earlier.ungraded]
        told = {key_of(trial) for trial in graded} if plan.heldout else set()
        prepared.preflight()
        with EnergyLedger.for_run(meters, directory.energy) as ledger:
            shift = _Shift(
                prepared=prepared,
                room=evolve(prepared.room(directory, ledger), metered=told_of.metered),
                watcher=told_of,
                earlier=earlier,
                spending=spending,
            )
            interrupted = shift.work()
            batches.share(directory, ledger, done)
            if not interrupted:
                select(prepared, directory, shift.room)
            for concern in ledger.concerns():
                log.warning("doubt about joules", concern=concern)
        record = batches.recover(directory, done)
        if spending is not None:
            spending.scoring(_without(record.trials, graded))
            spending.picks(record.selections, plan.selections)
        if not interrupted:
            record = conclude(prepared.plugins.suite, directory, record, told)
    return Result(record=record, interrupted=interrupted)


@frozen(kw_only=True)
class _Shift:
    """One sitting of a run: the cells that are left, worked off by a crew."""

    prepared: Prepared
    room: Room
    watcher: Watcher
    earlier: Earlier
    spending: Spending | None

    def work(self) -> bool:
        """Works off what is left; says whether the user stopped it."""
        cells = self.prepared.plan.cells
        left = left_of(self.prepared, self.earlier.finished)
        ungraded = [cell for cell in cells if cell.key in self.earlier.ungraded]
        self.watcher.planned(len(cells), len(cells) - len(left) - len(ungraded))
        journal = Journal(self.room.directory.journal)
        proofs = Proofs(self.room, Journal(self.room.directory.proofs), self.watcher.proved)
        purse = purse_of(
            self.prepared.config.run, self.prepared.plugins.solvers, self.earlier.attempts
        )

        def one(cell: Cell) -> None:
            done = self._one(cell, proofs, purse, crew)
            if done is None:
                return
            trial = without_secrets(done)
            journal.append(trial)
            if self.spending is not None and cell.key not in self.earlier.ungraded:
                self.spending.trial(trial)
            self.watcher.ended(trial)

        crew = Crew(
            work=one,
            jobs=self.prepared.config.run.jobs,
            leave=self.room.leave,
            on_stopping=self.watcher.stopping,
        )
        crew.work_off(ungraded, *shifts(left, self.prepared.config.run))
        return crew.interrupted

    def _one(self, cell: Cell, proofs: Proofs, purse: Purse, crew: Crew) -> Trial | None:
        """Does one cell; None where its task is invalid, or the user stopped the run meanwhile."""
        unjudged = self.earlier.ungraded.get(cell.key)
        try:
            if self.prepared.config.run.validate and self._is_invalid(cell, proofs):
                self.watcher.left_out(cell)
                return None
            if unjudged is not None:
                return self._judged(cell, unjudged)
        except RunError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a suite may raise anything
            if unjudged is None:
                return broken(cell, self.room, now(), None, error)
            # What was made and paid for is not made again for that: it can still be graded later.
            say_left(unjudged, error)
            self.watcher.ended(unjudged)
            return None
        return self._made(cell) if cell.control else self._paid(cell, purse, crew)

    def _is_invalid(self, cell: Cell, proofs: Proofs) -> bool:
        with self.room.ledger.busy(f"{cell.task.id}·proof"):
            return bool(proofs.prove(cell.task).invalid)

    def _judged(self, cell: Cell, trial: Trial) -> Trial:
        """Grades an attempt of an earlier sitting."""
        self.watcher.started(cell)
        with self.room.ledger.busy(cell.label):
            return writable(judge(cell, trial, self.room))

    def _paid(self, cell: Cell, purse: Purse, crew: Crew) -> Trial | None:
        """Makes a trial that may cost money, once there is money for it."""
        reserved = purse.reserve(lambda: crew.stopping)
        if not reserved:
            return None if reserved is None else unpaid(cell, purse.total_usd)
        trial = None
        try:
            trial = self._made(cell)
        except BaseException:
            # Before a trial that waits for this one's money would begin.
            crew.halt()
            raise
        finally:
            purse.settle(trial)
        return trial

    def _made(self, cell: Cell) -> Trial:
        self.watcher.started(cell)
        with self.room.ledger.busy(cell.label):
            return writable(run_trial(cell, self.room))


def _without(trials: Iterable[Trial], done: Sequence[Trial]) -> Iterator[Trial]:
    kept = {key_of(trial) for trial in done}
    return (trial for trial in trials if key_of(trial) not in kept)


def _begin(prepared: Prepared, directory: RunDirectory) -> None:
    """Writes `run.json`."""
    run = prepared.config.run
    write_plan(
        directory,
        RunRecord(
            label=run.label,
            suite=run.suite,
            suite_version=prepared.plugins.suite.version,
            started_at=now(),
            solvers=run.solvers,
            rollouts=run.rollouts,
            tasks=prepared.plan.planned,
            config=config_as_run(prepared.config, directory),
            max_infra_share=run.max_infra_share,
            gates=_limits(run),
            arms=prepared.config.sides,
            plugins=prepared.plugins.distributions,
            host=host_facts() | revision_of(prepared.config.files),
            lock=prepared.lock,
        ),
    )


def _limits(run: RunTable) -> dict[str, float]:
    limits = {
        "max_heldout_gap": run.max_heldout_gap,
        "max_clean_gap": run.max_clean_gap,
        "min_resolved": run.min_resolved,
    }
    return {name: limit for name, limit in limits.items() if limit is not None}
