"""A run's config in its record, and back, so that a directory can be graded again by itself."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fairtrial import serial
from fairtrial.api import RunError, RunRecord
from fairtrial.config import Origin, RunConfig, RunTable, Table
from fairtrial.engine.directory import RunDirectory

KINDS_OF_A_RUN = (
    "suites",
    "solvers",
    "meters",
    "gateways",
    "auditors",
    "answerers",
    "sandboxes",
    "reporters",
    "selectors",
)


def config_as_run(config: RunConfig, directory: RunDirectory) -> dict[str, object]:
    """
    Returns a config as plain data, tables and all.

    Relative paths in it start from directories that are told relative to the run directory, so
    that the record says nothing of where on a machine it was made.
    """
    tables: dict[str, object] = {
        kind: {
            name: {
                "plugin": table.plugin,
                "fields": serial.unstructure(table.fields),
                "bases": {
                    key: os.path.relpath(base, directory.path) for key, base in table.bases.items()
                },
            }
            for name, table in config.tables.get(kind, {}).items()
        }
        for kind in KINDS_OF_A_RUN
    }
    return {"run": serial.unstructure(config.run), **tables}


def config_of(record: RunRecord, directory: RunDirectory) -> RunConfig:
    """
    Returns the config that a run was made with.

    Raises:
        RunError: The record holds none that this version can read.
    """
    try:
        run = serial.structure(RunTable, record.config["run"], where="[run]")
        tables = {
            kind: {
                name: _table(kind, name, written, directory)
                for name, written in _mapping(record.config.get(kind, {})).items()
            }
            for kind in KINDS_OF_A_RUN
        }
    except (KeyError, TypeError) as error:
        raise RunError(
            problem=f"“{directory.record}” holds no config",
            way_on="give the config that it was run with, by -c",
        ) from error
    return RunConfig(run=run, tables=tables, files=(directory.record,))


def _table(kind: str, name: str, written: object, directory: RunDirectory) -> Table:
    parts = _mapping(written)
    bases = _mapping(parts["bases"])
    return Table(
        kind=kind,
        name=name,
        plugin=str(parts["plugin"]),
        fields=_mapping(parts["fields"]),
        origins={
            key: Origin(
                label=str(directory.record), base=_joined(directory.path, cast("str", base))
            )
            for key, base in bases.items()
        },
    )


def _joined(folder: Path, base: str) -> Path:
    return Path(os.path.normpath(folder.absolute() / base))


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(type(value).__name__)
    return value
