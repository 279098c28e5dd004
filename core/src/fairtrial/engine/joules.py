"""Which meters a run reads, and the joules that only a whole batch of its trials has."""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import structlog
from attrs import evolve

from fairtrial.api import Boundary, Energy, Meter, Trial
from fairtrial.config import SOLVER_BY_SOLVER, RunConfig, RunTable
from fairtrial.energy.auto import AUTO, choose
from fairtrial.energy.batches import TOGETHER, covered
from fairtrial.energy.host import ThisHost
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.energy.verify import verify
from fairtrial.engine.journal import UNFINISHED, Key, key_of
from fairtrial.engine.plan import CONTROLS
from fairtrial.engine.prepare import Prepared

BATCH = "batch"
"""`Energy.granularity` of a figure that several trials share."""


def meters_of(prepared: Prepared) -> Mapping[str, Meter]:
    """
    Decides which of the meters that were built are read, and says so.

    Raises:
        MachineError: A meter that was asked for by name, or `measured`, has no counter here.
    """
    log = structlog.get_logger()
    run = prepared.config.run
    choice = choose(run.meters, prepared.plugins.meters, ThisHost())
    for note in choice.notes:
        log.info("meter chosen", note=note)
    if choice.estimate:
        log.warning(
            "joules of the host are estimated",
            by=choice.estimate,
            because=f"no counter of {_any_of(choice.searched)} covers it",
            way_on=f"`{_probe(prepared.config)}` says what is missing",
        )
    if AUTO in run.meters and prepared.plugins.meters and not choice.meters:
        log.warning(
            "the run has no joules",
            because=f"nothing can be read by {_any_of(choice.probes)}",
            way_on=f"`{_probe(prepared.config)}` says why",
        )
    counters = [own for name in choice.meters for own in choice.probes[name].counters]
    if run.jobs > 1 and any(own.label in MEASURED for own in counters):
        log.warning(
            "trials at once share the counters",
            jobs=run.jobs,
            way_on=_way_on(run),
        )
    return choice.meters


def _any_of(names: Iterable[str]) -> str:
    *others, last = tuple(names) or ("any meter",)
    return f"{', '.join(others)} or {last}" if others else last


def _probe(config: RunConfig) -> str:
    """Returns the command that shows what can be read; with the files, where they set meters up."""
    files = config.files if config.tables.get("meters") else ()
    named = [part for path in files for part in ("-c", str(path))]
    return shlex.join(["fairtrial", "energy", "probe", *named])


def _way_on(run: RunTable) -> str:
    attempting = [name for name in run.solvers if name not in CONTROLS]
    if len(attempting) > 1 and run.order != SOLVER_BY_SOLVER:
        return (
            f'order = "{SOLVER_BY_SOLVER}" for joules of each solver, all its trials together; '
            "jobs = 1 for joules of single trials"
        )
    return "joules of single trials need jobs = 1; each solver has those of all together"


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
        window = windows.get(f"{trial.task}·{trial.solver}·{trial.rollout}")
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
