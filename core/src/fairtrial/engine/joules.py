"""Which meters a run reads, and what is said where they can't tell what was asked for."""

import shlex
from collections.abc import Iterable, Mapping

import structlog

from fairtrial.api import Meter
from fairtrial.config import SOLVER_BY_SOLVER, RunConfig, RunTable
from fairtrial.energy.auto import AUTO, choose
from fairtrial.energy.host import ThisHost
from fairtrial.energy.labels import MEASURED
from fairtrial.engine.plan import CONTROLS
from fairtrial.engine.prepare import Prepared


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
