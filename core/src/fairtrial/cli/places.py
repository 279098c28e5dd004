"""Where runs are: `runs/<label>/`, or wherever the user says."""

import difflib
import shlex
from collections.abc import Sequence
from pathlib import Path

from fairtrial.api.errors import RunError
from fairtrial.cli.options import RUNS
from fairtrial.engine.directory import RunDirectory


def find_run(name: str, out: Path = RUNS) -> RunDirectory:
    """
    Returns the run that a directory or a label names.

    Raises:
        RunError: There is none.
    """
    for place in (Path(name), out / name):
        if RunDirectory(place).record.is_file():
            return RunDirectory(place)
    labels = sorted(path.parent.name for path in out.glob("*/run.json"))
    nearest = difflib.get_close_matches(name, labels, n=1)
    raise RunError(
        problem=f"there is no run “{name}”",
        facts=(
            ("looked for", f"{Path(name) / 'run.json'}, {out / name / 'run.json'}"),
            *((("runs", ", ".join(labels)),) if labels else ()),
            *(("nearest", near) for near in nearest),
        ),
        way_on="give a run's directory, or its label below runs/",
    )


def resume_command(arguments: Sequence[str]) -> str:
    """Returns the command line that goes on with the run which these arguments began."""
    line = ["fairtrial", *arguments]
    return shlex.join(line if "--resume" in line else [*line, "--resume"])
