"""The JSON Schema of a run config, for editors; it covers the plugins that are installed here."""

from collections.abc import Mapping
from typing import cast

from fairtrial.api.errors import PluginError
from fairtrial.config import RunTable
from fairtrial.config.document import field_docs, summary
from fairtrial.registry.discover import Installed, scan
from fairtrial.registry.kinds import KINDS, Kind
from fairtrial.registry.load import load
from fairtrial.serial import shape

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, object]


def schema() -> Schema:
    """
    Returns the schema of run.toml.

    A plugin that can't be loaded leaves the keys of its tables open; `fairtrial plugins check`
    says what is wrong with it.
    """
    installed = scan()
    return {
        "$schema": DIALECT,
        "title": "fairtrial run config",
        "type": "object",
        "properties": {
            "run": {**shape(RunTable, field_docs(RunTable)), "description": summary(RunTable)},
            **{kind.plural: _tables(kind, installed) for kind in KINDS.values()},
            "arms": _arms(),
        },
        "additionalProperties": False,
    }


def _arms() -> Schema:
    arm = {
        "type": "object",
        "properties": {
            "run": {"type": "object", "properties": {"timeout_s": {"type": "number"}}},
            "solvers": {"type": "object", "additionalProperties": {"type": "object"}},
        },
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "description": "Two arms of one run: the keys that each of them overrides.",
        "additionalProperties": arm,
    }


def _tables(kind: Kind, installed: Installed) -> Schema:
    shapes = plugin_shapes(kind.noun, installed)
    named = [
        {
            "if": {"properties": {"plugin": {"const": name}}, "required": ["plugin"]},
            "then": each,
        }
        for name, each in shapes.items()
    ]
    table: Schema = {
        "type": "object",
        "properties": {"plugin": {"type": "string", "examples": list(shapes)}},
        **({"allOf": named} if named else {}),
    }
    # A table that names no plugin is of the plugin that it is called after.
    own = {
        name: {"if": {"required": ["plugin"]}, "then": table, "else": each}
        for name, each in shapes.items()
    }
    return {"type": "object", "properties": own, "additionalProperties": table}


def plugin_shapes(kind: str, installed: Installed) -> Mapping[str, Schema]:
    """Returns the schema of each plugin's table, by name; those that can't be loaded left out."""
    found: dict[str, Schema] = {}
    for name in dict.fromkeys(each.name for each in installed.of(kind)):
        try:
            cls = load(kind, name, asked_in="the schema", installed=installed)
        except PluginError:
            continue
        table = shape(cls, field_docs(cls))
        keys = {**cast("Schema", table["properties"]), "plugin": {"const": name}}
        found[name] = {**table, "properties": keys, "description": summary(cls)}
    return found
