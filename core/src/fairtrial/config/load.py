"""From files and settings to one `RunConfig`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import attrs

from fairtrial.api.errors import ConfigError
from fairtrial.config.arms import arm_tables
from fairtrial.config.files import Setting, read, setting
from fairtrial.config.merge import Merged
from fairtrial.config.schema import (
    CONTROL_ARMS,
    PLURALS,
    Origin,
    RunConfig,
    RunTable,
    Table,
    sources,
)
from fairtrial.config.secret import refuse_secrets
from fairtrial.energy.auto import RESERVED
from fairtrial.serial import structure, unstructure
from fairtrial.serial.wording import got, nearest

_TABLES = ("run", *PLURALS.values(), "arms")


def load(
    paths: Sequence[Path],
    settings: Sequence[str | Setting] = (),
    *,
    beneath: Mapping[str, object] | None = None,
) -> RunConfig:
    """
    Reads run configs and settings; a later one wins, key by key.

    Args:
        paths: TOML files.
        settings: Such as `run.jobs=2`; they win over the files, and relative paths in them start
            from the current directory.
        beneath: Keys of `[run]` that hold where nothing sets them, for what is no run.

    Raises:
        ConfigError: A file can't be read, or holds what no run config can hold.
    """
    merged = Merged()
    if beneath:
        merged.add({"run": beneath}, Origin(label="the command line", base=Path.cwd()))
    for path in paths:
        merged.add(read(path), Origin(label=str(path), base=path.parent.absolute()))
    return _loaded(merged, paths, settings)


def overlaid(config: RunConfig, settings: Sequence[str | Setting]) -> RunConfig:
    """
    Lays settings over a config that was read before, such as that of a stored run.

    Raises:
        ConfigError: They hold what no run config can hold.
    """
    merged = Merged()
    whole = Origin(label=config.source, base=Path.cwd())
    merged.add({"run": cast("Mapping[str, object]", unstructure(config.run))}, whole)
    for plural, tables in config.tables.items():
        for table in tables.values():
            written = {"plugin": table.plugin, **table.fields}
            for key, value in written.items():
                origin = table.origins.get(key, whole)
                merged.add({plural: {table.name: {key: value}}}, origin)
    return _loaded(merged, config.files, settings)


def _loaded(merged: Merged, paths: Sequence[Path], settings: Sequence[str | Setting]) -> RunConfig:
    for each in settings:
        given = Setting(text=each) if isinstance(each, str) else each
        merged.add(setting(given.text), given.origin)
    refuse_secrets(merged)
    _refuse_unknown_tables(merged)
    tables = {plural: _tables(plural, merged) for plural in PLURALS.values()}
    return RunConfig(
        run=_run(merged, paths),
        tables=tables,
        files=tuple(paths),
        origins=merged.origins,
        arms=arm_tables(merged),
    )


def _run(merged: Merged, paths: Sequence[Path]) -> RunTable:
    files = ", ".join(str(path) for path in paths)
    by_key = merged.origins_in("run")
    source = {key: origin.label for key, origin in by_key.items()}
    source[""] = sources(merged.all_in("run")) or files or "the command line"
    try:
        run = structure(RunTable, merged.data.get("run", {}), where="[run]", source=source)
    except ConfigError as error:
        flags = {origin.label for origin in by_key.values() if origin.flag}
        # Who gave a flag knows its key already; what is wrong with the value was said.
        by_flag = dict(error.facts).get("written in") in flags
        raise attrs.evolve(error, way_on="correct it there") if by_flag else error from error
    if run.label:
        return run
    return _labelled(run, paths[0].stem if paths else "run")


def _labelled(run: RunTable, stem: str) -> RunTable:
    try:
        return attrs.evolve(run, label=stem)
    except ValueError:
        raise ConfigError(
            problem=f"a run can't be called “{stem}”, as its config file is",
            way_on='write label = "…" in [run], or rename the file: letters, digits, `.`, `_`, `-`',
        ) from None


def _refuse_unknown_tables(merged: Merged) -> None:
    for name, value in merged.data.items():
        if name in _TABLES and isinstance(value, Mapping):
            continue
        written = sources(merged.all_in(name))
        near = nearest(name, _TABLES)
        if not isinstance(value, Mapping):
            known = {field.name for field in attrs.fields(RunTable)}
            raise ConfigError(
                problem=f"“{name}” stands outside every table",
                facts=(("written in", written),),
                way_on="write it below [run]" if name in known else "write it below its table",
            )
        raise ConfigError(
            problem=f"a run config has no table [{name}]",
            facts=(
                ("written in", written),
                ("tables", ", ".join(_TABLES)),
                *((("nearest", near),) if near else ()),
            ),
            way_on="rename the table, or take it out",
        )


def _tables(plural: str, merged: Merged) -> Mapping[str, Table]:
    group = cast("Mapping[str, object]", merged.data.get(plural, {}))
    return {name: _table(plural, name, value, merged) for name, value in group.items()}


def _table(plural: str, name: str, value: object, merged: Merged) -> Table:
    source = sources(merged.all_in(plural, name))
    written = (("written in", source),)
    if not isinstance(value, Mapping):
        raise ConfigError(
            problem=f"[{plural}] {name}: expected a table, got {got(value)}",
            facts=written,
            way_on=f"write [{plural}.{name}], and its keys below it",
        )
    if plural == "solvers" and name in CONTROL_ARMS:
        raise ConfigError(
            problem=f"[solvers.{name}] can't be configured: “{name}” is a control arm of the engine",
            facts=written,
            way_on="give the table another name",
        )
    if plural == "meters" and name in RESERVED:
        raise ConfigError(
            problem=f"[meters.{name}] can't be configured: “{name}” leaves the choice to the machine",
            facts=written,
            way_on="give the table another name",
        )
    plugin = value.get("plugin", name)
    if not isinstance(plugin, str):
        raise ConfigError(
            problem=f"[{plural}.{name}] plugin: expected text, got {got(plugin)}",
            facts=written,
            way_on="write the name of a plugin; `fairtrial plugins list` shows what is installed",
        )
    fields = {key: each for key, each in value.items() if key != "plugin"}
    return Table(
        kind=plural,
        name=name,
        plugin=plugin,
        fields=fields,
        origins=merged.origins_in(plural, name),
        source=source,
    )
