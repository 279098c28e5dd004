"""Reporters for runs that are read back from a directory."""

from collections.abc import Iterable, Mapping
from typing import cast

from fairtrial.api import FairtrialError, Reporter, RunRecord
from fairtrial.config import RunConfig, RunTable
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_plan
from fairtrial.engine.stored import config_of
from fairtrial.registry import Builder

DEFAULT = ("table",)


def recorded(record: RunRecord) -> tuple[str, ...]:
    """Returns the names of the reporters that a run was configured with."""
    run = record.config.get("run")
    names = run.get("reporters") if isinstance(run, Mapping) else None
    if not isinstance(names, list | tuple) or not names:
        return DEFAULT
    return tuple(str(name) for name in names)


def chosen(
    names: Iterable[str], directory: RunDirectory, *, asked_in: str = "--reporter"
) -> dict[str, Reporter]:
    """
    Returns reporters by the names of the run's tables, or of plugins.

    Raises:
        PluginError: One of them isn't installed or can't be loaded.
        ConfigError: A table has a key that its plugin doesn't take.
    """
    builder = Builder(config=_config(directory))
    return {
        name: cast("Reporter", builder.make("reporter", name, asked_in=asked_in)) for name in names
    }


def _config(directory: RunDirectory) -> RunConfig:
    record = read_plan(directory)
    try:
        return config_of(record, directory)
    except FairtrialError:
        # A run of another making can still be reported, by reporters as they are.
        run = RunTable(suite=record.suite, solvers=record.solvers)
        return RunConfig(run=run, tables={})
