"""A config as it takes effect, as TOML that could be run again, each key with where it came from."""

from collections.abc import Iterator, Mapping

import attrs

from fairtrial.config.schema import ArmTable, RunConfig, Table
from fairtrial.config.toml import value_text
from fairtrial.serial import unstructure
from fairtrial.serial.wording import key_text


def describe(config: RunConfig) -> str:
    """Returns the text that `--print-config` prints."""
    return "\n".join(_lines(config)) + "\n"


def _lines(config: RunConfig) -> Iterator[str]:
    yield "# Beside each key stands who wrote it; its relative paths start from that file's folder."
    yield "[run]"
    for field in attrs.fields(type(config.run)):
        value = getattr(config.run, field.name)
        if value is None:
            yield f"# {field.name} is not set"
        else:
            yield _line(("run", field.name), unstructure(value), config)
    for tables in config.tables.values():
        for table in tables.values():
            yield ""
            yield from _table(table, config)
    for arm in config.arms:
        yield ""
        yield f"[arms.{key_text([arm.name])}]"
        yield from _arm(arm, config)


def _table(table: Table, config: RunConfig) -> Iterator[str]:
    yield f"[{table.kind}.{key_text([table.name])}]"
    yield _line((table.kind, table.name, "plugin"), table.plugin, config)
    for key, value in table.fields.items():
        yield from _entries((table.kind, table.name, key), value, config)


def _arm(arm: ArmTable, config: RunConfig) -> Iterator[str]:
    place = ("arms", arm.name)
    for key, value in arm.run.items():
        yield from _entries((*place, "run", key), value, config)
    for name, table in arm.solvers.items():
        if table.plugin:
            yield _line((*place, "solvers", name, "plugin"), table.plugin, config)
        for key, value in table.fields.items():
            yield from _entries((*place, "solvers", name, key), value, config)


def _entries(place: tuple[str, ...], value: object, config: RunConfig) -> Iterator[str]:
    """Writes a table inside a table as dotted keys, so that each has its own line."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _entries((*place, key), inner, config)
    else:
        yield _line(place, value, config)


def _line(place: tuple[str, ...], value: object, config: RunConfig) -> str:
    depth = 1 if place[0] == "run" else 2
    origin = config.origins.get(place)
    label = origin.label if origin else "default"
    return f"{key_text(place[depth:])} = {value_text(value)}  # {_on_one_line(label)}"


def _on_one_line(label: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in label)
