"""What `grade` and `audit` share: a stage of a run, done again from its directory."""

from collections.abc import Callable, Sequence
from pathlib import Path

from fairtrial.api import RunRecord
from fairtrial.cli.documents import Outlet, made, show
from fairtrial.cli.judgement import judged
from fairtrial.cli.log import configure
from fairtrial.cli.options import LogForm
from fairtrial.cli.places import find_run
from fairtrial.cli.progress import shown
from fairtrial.cli.reporters import chosen, recorded
from fairtrial.config import load
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_plan
from fairtrial.engine.prepare import Prepared, prepare
from fairtrial.engine.stored import config_of
from fairtrial.engine.watch import Watcher

Stage = Callable[[Prepared, RunDirectory, Watcher | None], RunRecord]


def do_again(
    stage: Stage, name: str, files: Sequence[Path], *, as_json: bool, log: LogForm, verbose: bool
) -> int:
    """
    Does a stage of a run again and reports as the run did.

    Args:
        stage: The engine's function.
        name: The run's directory or label.
        files: Config files that replace those which the run was started with.
        as_json: Whether to print the JSON document alone.
        log: How logs and progress are written.
        verbose: Whether to show each stage of a trial.

    Returns:
        The exit code.
    """
    configure(log, verbose=verbose)
    directory = find_run(name)
    config = load(files) if files else config_of(read_plan(directory), directory)
    prepared = prepare(config)
    with shown(log) as watcher:
        record = stage(prepared, directory, watcher)
    names = ("json",) if as_json else recorded(record)
    documents = made(chosen(names, directory), [record])
    if as_json:
        for document in documents:
            show(document)
    else:
        Outlet(folder=directory.path / "reports").publish(documents)
    return judged(record)
