"""What a run's solvers lack here: asked where attempts will work, before anything is spent."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import structlog
from attrs import evolve, frozen

from fairtrial.api import (
    Equipment,
    FairtrialError,
    Keyless,
    MachineError,
    Outlook,
    ProgramMissing,
    Ready,
    SandboxDied,
    Task,
)
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.bench import Bench, bench
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import CONTROLS, Cell
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.room import Room

_PROOF_S = 60.0
_NAME = "preflight"

log = structlog.get_logger()


@frozen(kw_only=True)
class Asked:
    """
    A plugin that can say what it lacks, and where the config names it.

    Attributes:
        name: Its name in the config.
        place: The file and the table.
        plugin: The plugin itself.
    """

    name: str
    place: str
    plugin: Ready


@frozen(kw_only=True)
class Lack:
    """
    What a plugin lacks.

    Attributes:
        asked: The plugin.
        error: What it lacks, and the way to it.
    """

    asked: Asked
    error: MachineError


def refuse_unready(prepared: Prepared, directory: RunDirectory, left: Collection[Cell]) -> None:
    """
    Lets a run begin only behind a fence that works, and with all that its solvers are known to need.

    Args:
        prepared: The run.
        directory: Where it is kept.
        left: What is still to be done; a solver that has done its part needs nothing.

    Raises:
        MachineError: The sandbox doesn't work here, can't keep what is required, or a solver
            lacks something.
    """
    lacks = lacking(prepared, directory, left)
    if lacks:
        raise _error(lacks)


def lacking(
    prepared: Prepared, directory: RunDirectory, left: Collection[Cell], *, equips: bool = True
) -> tuple[Lack, ...]:
    """
    Returns what solvers, and selectors that ask one, are known to lack.

    A program may be among what a task needs. Then nothing is known of it: the trials decide.

    Args:
        prepared: The run.
        directory: Where it is kept.
        left: What is still to be done.
        equips: Whether what tasks need may be made, which can take a while, to find that out.

    Raises:
        MachineError: The sandbox doesn't work here, or can't keep what is required.
    """
    asked = tuple(_asked(prepared, {cell.solver for cell in left}))
    with EnergyLedger(meters={}) as ledger:
        room = prepared.room(directory, ledger)
        lacks = _looked(room, prepared.plan.tasks[0], asked, Equipment())
        certain = [lack for lack in lacks if not isinstance(lack.error, ProgramMissing)]
        doubtful = [lack.asked for lack in lacks if lack not in certain]
        tasks = {cell.task.id: cell.task for cell in left if cell.solver not in CONTROLS}
        if any(task.needs for task in tasks.values()) and (certain or not equips):
            return tuple(certain)
        for task, equipment in _equipments(room, tasks.values() if doubtful else ()):
            if not doubtful:
                break
            doubtful = [lack.asked for lack in _looked(room, task, doubtful, equipment)]
    return tuple(lack for lack in lacks if lack in certain or lack.asked in doubtful)


def _asked(prepared: Prepared, names: Collection[str]) -> Iterator[Asked]:
    """Yields those that can say what they lack and have something left to do."""
    plugins, config = prepared.plugins, prepared.config
    solvers = {name: each for name, each in plugins.solvers.items() if name in names}
    selectors = plugins.selectors if solvers and config.run.rollouts > 1 else {}
    for kind, found in (("solvers", solvers), ("selectors", selectors)):
        for name, plugin in found.items():
            if isinstance(plugin, Ready):
                table = config.table(kind, name)
                place = f"table {table.heading}" if table.written else f"[run] {kind}"
                source = table.source or config.source
                yield Asked(name=name, place=f"{source}, {place}", plugin=plugin)


def _looked(
    room: Room, task: Task, asked: Sequence[Asked], equipment: Equipment
) -> tuple[Lack, ...]:
    """Asks in a workspace like the attempts', which proves the fence, too."""
    # A control arm's bench has no gateway, which nobody would use here.
    cell = Cell(task=task, solver=_NAME if asked else CONTROLS[-1], rollout=1)
    with bench(cell, room, equipment) as place:
        place.workspace.run(["true"], timeout_s=_PROOF_S)
        told = [(each, _told(each.plugin, place)) for each in asked]
    return tuple(Lack(asked=each, error=error) for each, error in told if error is not None)


def _told(plugin: Ready, place: Bench) -> MachineError | None:
    try:
        return plugin.lacks(
            Outlook(
                workspace=place.workspace,
                environment=place.environment,
                keyless=_keyless(place.gateway),
            )
        )
    except SandboxDied:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a fault of the plugin; its attempts will tell it
        log.warning("solver can't say what it lacks", error=type(error).__name__)
        return None


def _keyless(gateway: object) -> Mapping[str, str]:
    return gateway.keyless if isinstance(gateway, Keyless) else {}


def _equipments(room: Room, tasks: Iterable[Task]) -> Iterator[tuple[Task, Equipment]]:
    """Yields what tasks bring, each PATH once; what can't be had here brings nothing."""
    seen: set[tuple[tuple[Path, ...], str | None]] = {((), None)}
    for task in tasks:
        try:
            equipment = room.equip(task)
        except FairtrialError:
            continue
        brought = equipment.path, equipment.variables.get("PATH")
        if brought not in seen:
            seen.add(brought)
            yield task, equipment


def _error(lacks: Sequence[Lack]) -> MachineError:
    first, *others = lacks
    named = ("asked for in", first.asked.place)
    facts = tuple(fact for fact in first.error.facts if fact[0] != named[0])
    besides = tuple((each.asked.name, each.error.problem) for each in others)
    return evolve(first.error, facts=(named, *facts, *besides))
