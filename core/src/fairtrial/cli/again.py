"""What `grade` and `audit` share: a stage of a run, done again from its directory."""

from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve, frozen

from fairtrial.api import ConfigError, FairtrialError, RunRecord
from fairtrial.cli.documents import Outlet, made, show
from fairtrial.cli.judgement import judged
from fairtrial.cli.log import configure
from fairtrial.cli.options import LogForm
from fairtrial.cli.places import find_run
from fairtrial.cli.progress import AUDITING, shown
from fairtrial.cli.reporters import chosen, recorded
from fairtrial.config import load, overlaid
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_plan
from fairtrial.engine.prepare import Prepared, prepare
from fairtrial.engine.stored import config_of
from fairtrial.engine.watch import Watcher

Stage = Callable[[Prepared, RunDirectory, Watcher | None], RunRecord]

_CHANGED = "if the config has changed since the run began, give it by -c"


@frozen(kw_only=True)
class Again:
    """
    A stage of a run that is to be done again.

    Attributes:
        name: The run's directory or label.
        doing: What is done to its trials, for progress: `grading` or `auditing`.
        files: Config files that replace the config which the run was started with.
        settings: What `--set` was given.
    """

    name: str
    doing: str
    files: Sequence[Path] = ()
    settings: Sequence[str] = ()

    def prepared(self, directory: RunDirectory) -> Prepared:
        """
        Builds what the stage needs, from the config as it is now or as it is in the record.

        Raises:
            FairtrialError: Something is missing or wrong; where the record's config is to blame,
                the way to give another is told.
        """
        if self.files:
            return prepare(load(self.files, self.settings))
        config = config_of(read_plan(directory), directory)
        if self.settings:
            config = overlaid(config, self.settings)
        try:
            return prepare(config)
        except FairtrialError as error:
            raise evolve(
                error,
                facts=(*error.facts, ("config", f"as the run began, in {directory.record}")),
                way_on=f"{error.way_on}; {_CHANGED}" if error.way_on else _CHANGED,
            ) from error


def do_again(stage: Stage, again: Again, *, as_json: bool, log: LogForm, verbose: bool) -> int:
    """
    Does a stage of a run again and reports as the run did.

    Args:
        stage: The engine's function.
        again: What is to be done again.
        as_json: Whether to print the JSON document alone.
        log: How logs and progress are written.
        verbose: Whether to show each stage of a trial.

    Returns:
        The exit code.

    Raises:
        ConfigError: The run is to be audited, by nobody.
    """
    configure(log, verbose=verbose)
    directory = find_run(again.name)
    prepared = again.prepared(directory)
    if again.doing == AUDITING and not prepared.plugins.auditors:
        config = ", ".join(map(str, again.files)) or f"as the run began, in {directory.record}"
        raise ConfigError(
            problem="the config names no auditors, so that nothing would be judged",
            facts=(("run", again.name), ("config", config)),
            way_on="""name them, as by --set "run.auditors=['patch', 'trajectory']\"""",
        )
    with shown(log, again.doing) as watcher:
        record = stage(prepared, directory, watcher)
    names = ("json",) if as_json else recorded(record)
    documents = made(chosen(names, directory), [record])
    if as_json:
        for document in documents:
            show(document)
    else:
        Outlet(folder=directory.path / "reports").publish(documents)
    return judged(record)
