"""`fairtrial trajectory`: what an agent did, here and in the form that other tools exchange."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fairtrial.cli.options import VerboseFlag
from fairtrial.cli.streams import emit

if TYPE_CHECKING:
    from fairtrial.api import RunRecord, Trial
    from fairtrial.engine.directory import RunDirectory

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Form = Literal["events", "atif"]


@app.command()
def trajectory(  # noqa: PLR0913, PLR0917 - each is an option
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="A run's directory, or its label.")
    ] = None,
    task: Annotated[str | None, typer.Argument(metavar="TASK", help="A task's id.")] = None,
    solver: Annotated[str | None, typer.Argument(metavar="SOLVER", help="A solver.")] = None,
    rollout: Annotated[int, typer.Option("--rollout", metavar="N", help="Which attempt.")] = 1,
    form: Annotated[
        Form,
        typer.Option("--form", help="Events, one a line, or the interchange format ATIF 1.7."),
    ] = "events",
    read: Annotated[
        Path | None,
        typer.Option("--read", metavar="FILE", help="Show an ATIF document as events."),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Name every rule that a document breaks."),
    ] = None,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> int:
    """
    Show what an agent did in one attempt, or read a trajectory from elsewhere.

    Exits 1 where --check finds a fault.
    """
    from fairtrial.api import ConfigError

    if check is not None:
        return _checked(check)
    if read is not None:
        return _read(read)
    if run is None or task is None or solver is None:
        raise ConfigError(
            problem="an attempt is named by its run, its task and its solver",
            way_on="fairtrial trajectory RUN TASK SOLVER, or --read FILE, or --check FILE",
        )
    return _shown(run, task, solver, rollout, form)


def _shown(run: str, task: str, solver: str, rollout: int, form: Form) -> int:
    from fairtrial import serial
    from fairtrial.cli.places import find_run
    from fairtrial.engine import artifacts
    from fairtrial.engine.journal import read_run

    directory = find_run(run)
    trial = _trial(read_run(directory), task, solver, rollout)
    events = artifacts.events(directory.trial(task, solver, rollout)) or ()
    if form == "atif":
        emit(f"{serial.dumps(_document(trial, directory, events))}\n")
        return 0
    for number, event in enumerate(events, start=1):
        emit(f"{_line(number, event)}\n")
    return 0


def _document(trial: "Trial", directory: "RunDirectory", events: "object") -> object:
    from collections.abc import Iterable
    from typing import cast

    from fairtrial.agents import atif
    from fairtrial.api import Event, RunError

    label = directory.path.name
    try:
        return atif.write(
            cast("Iterable[Event]", events),
            agent=trial.solver,
            version=trial.agent_version,
            model=trial.model,
            usages=trial.usage if trial.metered is None else trial.metered,
            session_id=f"{label}/{trial.task}/{trial.solver}/{trial.rollout}",
        )
    except ValueError as error:
        raise RunError(
            problem=f"this attempt can't be written: {error}",
            way_on="choose an attempt that left events",
        ) from error


def _trial(record: "RunRecord", task: str, solver: str, rollout: int) -> "Trial":
    from fairtrial.cli.attempts import no_attempt

    for trial in record.trials:
        if (trial.task, trial.solver, trial.rollout) == (task, solver, rollout):
            return trial
    problem = f"the run has no attempt {rollout} of “{solver}” on “{task}”"
    raise no_attempt(problem, (task, solver, rollout), record.trials, joined_by=" ")


def _read(path: Path) -> int:
    from fairtrial.agents import atif
    from fairtrial.api import ConfigError

    try:
        found = atif.read(_loaded(path))
    except ValueError as error:
        raise ConfigError(
            problem=f"“{path}” can't be read",
            facts=(("because", str(error)),),
            way_on="give a document of the Agent Trajectory Interchange Format, version 1",
        ) from error
    for number, event in enumerate(found.events, start=1):
        emit(f"{_line(number, event)}\n")
    return 0


def _checked(path: Path) -> int:
    from fairtrial.agents import atif

    found = atif.faults(_loaded(path))
    for fault in found:
        emit(f"{fault}\n")
    return 1 if found else 0


def _loaded(path: Path) -> object:
    import json

    from fairtrial.api import ConfigError

    try:
        document: object = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(
            problem=f"“{path}” is no JSON document",
            facts=(("because", str(error)),),
            way_on="give a file that holds one JSON document",
        ) from error
    return document


def _line(number: int, event: object) -> str:
    from typing import cast

    from fairtrial import serial

    plain = cast("dict[str, object]", serial.unstructure(event))
    return serial.dumps({"seq": number, **plain})
