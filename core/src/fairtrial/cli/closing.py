"""What a run says once it is over: its documents, what it spent, how to go on with it."""

import sys
from pathlib import Path

from fairtrial.api import RunRecord
from fairtrial.cli.documents import Outlet, made, show
from fairtrial.cli.log import tell
from fairtrial.cli.places import resume_command
from fairtrial.cli.show_error import show_error
from fairtrial.cli.spent import spent_line
from fairtrial.engine.budget import spenders
from fairtrial.engine.journal import UNFINISHED
from fairtrial.engine.prepare import Prepared

INTERRUPTED = 130


def interrupted(prepared: Prepared, record: RunRecord, path: Path) -> int:
    """Says how far a run came that the user stopped, and how to go on; returns the exit code."""
    kept = [trial for trial in record.trials if trial.ending not in UNFINISHED]
    finished, ungraded = len(kept), sum(trial.verdict is None for trial in kept)
    planned = len(prepared.plan.cells)
    way_on = resume_command(sys.argv[1:], prepared.config.run.label)
    _say_spent(prepared, record)
    grading = f", {ungraded} of them still to be graded" if ungraded else ""
    said = f"interrupted: {finished} of {planned} trials finished{grading}, kept in {path}"
    tell(
        "run interrupted",
        f"{said}\ngo on with   {way_on}",
        finished=finished,
        ungraded=ungraded,
        trials=planned,
        path=str(path),
        way_on=way_on,
    )
    return INTERRUPTED


def show_documents(
    prepared: Prepared, record: RunRecord, path: Path, *, as_json: bool, verbose: bool
) -> int:
    """
    Shows what the run's reporters make of it, or writes that below the run's directory.

    A reporter that can't report says why, and the others do; nothing of the run is lost by it.

    Returns:
        The exit code that goes with the worst of what went wrong; 0 for nothing.
    """
    outlet = Outlet(folder=path / "reports")
    code = 0
    for name, reporter in prepared.plugins.reporters.items():
        try:
            documents = made({name: reporter}, [record])
            if as_json:
                for document in documents:
                    show(document)
            else:
                outlet.publish(documents)
        except BrokenPipeError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
            code = max(code, show_error(error, verbose=verbose))
    if not as_json:
        _say_spent(prepared, record)
    return code


def _say_spent(prepared: Prepared, record: RunRecord) -> None:
    run = prepared.config.run
    line = spent_line(run, record, spenders(run, prepared.plugins.solvers))
    if line:
        tell("run spent", line, spent=line.removeprefix("spent").strip())
