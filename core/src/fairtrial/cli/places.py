"""Where runs are: `runs/<label>/`, or wherever the user says."""

import difflib
import shlex
from collections.abc import Sequence
from pathlib import Path

from fairtrial.api import RunError, RunRecord
from fairtrial.cli.options import RUNS
from fairtrial.cli.streams import note
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run


def is_run(name: str, out: Path = RUNS) -> bool:
    """Tells whether a directory or a label names a run."""
    return any(RunDirectory(place).record.is_file() for place in (Path(name), out / name))


def find_run(name: str, out: Path = RUNS) -> RunDirectory:
    """
    Returns the run that a directory or a label names.

    Raises:
        RunError: There is none.
    """
    places = (Path(name), out / name)
    for place in places:
        if RunDirectory(place).record.is_file():
            return RunDirectory(place)
    raise _none(name, places, out, "give a run's directory, or its label below runs/")


def told_run(directory: RunDirectory) -> RunRecord:
    """
    Reads a run; says where its journal is torn, unless every trial was told again since.

    Raises:
        RunError: There is no run, or it was written by a version that this one can't read.
    """
    torn: list[int] = []
    record = read_run(directory, torn=torn)
    if torn and len(record.trials) < record.planned * len(record.solvers):
        lines = ", ".join(str(number) for number in torn[:10])
        note(
            f"warning: {directory.journal}, line {lines}: torn, and passed over;"
            " `fairtrial run` with --resume runs again what it told"
        )
    return record


def refuse_to_resume_nothing(label: str, out: Path) -> None:
    """
    Refuses to go on with a run that isn't there: its label may be misspelt, and a new run costs.

    Raises:
        RunError: There is none.
    """
    place = out / label
    if not RunDirectory(place).record.is_file():
        way_on = "give the label of one of these, or begin this one without --resume"
        raise _none(label, (place,), out, way_on)


def _none(name: str, places: Sequence[Path], out: Path, way_on: str) -> RunError:
    labels = sorted(path.parent.name for path in out.glob("*/run.json"))
    nearest = difflib.get_close_matches(name, labels, n=1)
    return RunError(
        problem=f"there is no run “{name}”",
        facts=(
            ("looked for", ", ".join(str(place / "run.json") for place in places)),
            ("runs", ", ".join(labels) or "none"),
            *(("nearest", near) for near in nearest),
        ),
        way_on=way_on,
    )


def label_for(label: str, out: Path, *, resume: bool) -> str:
    """
    Returns the name under which a run is kept that was not named by `--label`.

    A new run gets the first free one of `smoke`, `smoke-2`, `smoke-3`, …, so that the same
    command can be given again; a resumed one is the latest of them.
    """
    number = 1
    while RunDirectory(out / _numbered(label, number)).record.is_file():
        number += 1
    return _numbered(label, max(1, number - 1) if resume else number)


def _numbered(label: str, number: int) -> str:
    return label if number == 1 else f"{label}-{number}"


def resume_command(arguments: Sequence[str], label: str) -> str:
    """Returns the command line that goes on with the run which these arguments began."""
    line = ["fairtrial", *arguments]
    named = any(word == "--label" or word.startswith("--label=") for word in line)
    line += [] if named else ["--label", label]
    return shlex.join(line if "--resume" in line else [*line, "--resume"])
