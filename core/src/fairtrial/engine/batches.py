"""Joules that trials at once have only together: worked out when a sitting ends, or the next one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import structlog
from attrs import evolve

from fairtrial.api import Boundary, Energy, RunRecord, Trial
from fairtrial.energy.agreement import label_of
from fairtrial.energy.batches import TOGETHER, covered
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.energy.verify import verify
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import UNFINISHED, Journal, Key, key_of, read_run

BATCH = "batch"
"""`Energy.granularity` of a figure that several trials share."""


def share(directory: RunDirectory, ledger: EnergyLedger, done: Sequence[Trial]) -> None:
    """Appends anew, with their joules, the trials of this sitting that only a batch has any of."""
    journal = Journal(directory.journal)
    for trial in batched(read_run(directory).trials, ledger, {key_of(each) for each in done}):
        journal.append(trial)


def recover(directory: RunDirectory, done: Sequence[Trial]) -> RunRecord:
    """Reads the run, and appends anew trials of earlier sittings that were killed."""
    record = read_run(directory)
    ours = {key_of(trial) for trial in done}
    earlier = [trial for trial in record.trials if key_of(trial) in ours]
    journal = Journal(directory.journal)
    fresh = [*recovered(earlier, directory.energy)]
    for trial in fresh:
        journal.append(trial)
    return read_run(directory) if fresh else record


def batched(
    trials: Sequence[Trial], ledger: EnergyLedger, earlier: Collection[Key]
) -> Iterator[Trial]:
    """
    Yields anew the trials of this sitting whose joules are known only all together.

    Trials that ran at once have no joules of their own. Where no other solver ran meanwhile, the
    first trial of a solver gets the figure of all of them, and the others say that they are in it;
    one that broke or was interrupted gets it only where none was finished, since no sum holds it.

    Args:
        trials: All that are finished.
        ledger: Of this sitting, open.
        earlier: Trials of earlier sittings, which the ledger knows nothing of.
    """
    now = [trial for trial in trials if key_of(trial) not in earlier]
    for solver in dict.fromkeys(trial.solver for trial in now):
        own = [trial for trial in now if trial.solver == solver]
        if any(map(_awaits_batch, own)):
            yield from _shared(own, ledger.batch(solver))


def recovered(trials: Sequence[Trial], path: Path) -> Iterator[Trial]:
    """
    Yields anew the trials of sittings that were killed before their batches were worked out.

    Their receipts hold every reading, so that the figures are what they would have been. Receipts
    that don't hold leave everything as it is.

    Args:
        trials: Those of earlier sittings.
        path: The receipts, of which this sitting's are closed.
    """
    if not any(map(_awaits_batch, trials)) or not path.exists():
        return
    found = verify(path)
    if found.problem:
        log = structlog.get_logger()
        log.warning("joules of earlier sittings stay unknown", because=found.problem)
        return
    # What was finished is not made again, so that its window is the last of its name.
    windows = {own.label: own for own in found.settled if not own.inside}
    batches: dict[tuple[int, str], list[Trial]] = {}
    for trial in trials:
        window = windows.get(label_of(trial))
        if window is not None:
            batches.setdefault((window.sitting, window.group), []).append(trial)
    for batch, together in batches.items():
        if any(map(_awaits_batch, together)):
            accounts = found.together.get(batch, ())
            yield from _shared(together, [account.energy() for account in accounts])


def _awaits_batch(trial: Trial) -> bool:
    """Whether it ran beside others, and nothing is known yet of all of them together."""
    return any(
        TOGETHER & {*energy.flags} and energy.granularity != BATCH for energy in trial.energy
    )


def _shared(trials: Sequence[Trial], batch: Sequence[Energy]) -> Iterator[Trial]:
    """Puts each known figure of a batch into one trial, and takes the others' away."""
    totals = {energy.boundary: energy for energy in batch if energy.joules is not None}
    placed: set[Boundary] = set()
    for trial in sorted(trials, key=_is_unfinished):
        energies = [_one(energy, totals, placed) for energy in trial.energy]
        placed |= {own.boundary for own in energies if own is totals.get(own.boundary)}
        if energies != list(trial.energy):
            yield evolve(trial, energy=tuple(energies))


def _is_unfinished(trial: Trial) -> bool:
    return trial.ending in UNFINISHED


def _one(
    energy: Energy, totals: Mapping[Boundary, Energy], placed: Collection[Boundary]
) -> Energy:
    total = totals.get(energy.boundary)
    if total is None or energy.label not in MEASURED:
        return energy
    if energy.boundary not in placed:
        return total
    return covered(total)
