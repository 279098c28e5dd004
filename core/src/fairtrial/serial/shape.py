"""The shape of an attrs class as a JSON Schema, for editors and for the check of a plugin."""

import enum
from collections.abc import Mapping
from pathlib import PurePath
from types import NoneType
from typing import cast, get_args

import attrs

from fairtrial.serial.forms import (
    is_enum,
    is_fixed_run,
    is_interface,
    is_literal,
    is_mapping,
    is_run,
    is_union,
)
from fairtrial.serial.records import unstructure

_SIMPLE: dict[object, dict[str, object]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    NoneType: {"type": "null"},
    object: {},
}


class NotPlain(Exception):
    """A field's type can't stand in a config."""


def shape(cls: type, descriptions: Mapping[str, str] | None = None) -> dict[str, object]:
    """
    Returns the JSON Schema (draft 2020-12) of a table that `structure` turns into the class.

    Args:
        cls: An attrs class.
        descriptions: What each field means, by name.

    Raises:
        NotPlain: A field is of a type that no config can hold; the message names both.
    """
    try:
        fields = [field for field in attrs.fields(attrs.resolve_types(cls)) if field.init]
    except (NameError, TypeError, AttributeError) as error:
        msg = f"a type that it names can't be found: {error}"
        raise NotPlain(msg) from error
    properties = {field.name: _field(field, descriptions or {}) for field in fields}
    required = [field.name for field in fields if field.default is attrs.NOTHING]
    table: dict[str, object] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return {**table, "required": required} if required else table


def _field(field: "attrs.Attribute[object]", descriptions: Mapping[str, str]) -> dict[str, object]:
    schema = dict(_type(field.type, field.name))
    if field.name in descriptions:
        schema["description"] = descriptions[field.name]
    default = default_of(field)
    if default is not None:
        schema["default"] = unstructure(default)
    return schema


def default_of(field: "attrs.Attribute[object]") -> object:
    """Returns a field's default; None where it has none, or one that only an instance knows."""
    default: object = field.default
    factory = getattr(default, "factory", None)
    if factory is not None:
        return None if getattr(default, "takes_self", False) else factory()
    return None if default is attrs.NOTHING else default


def _type(wanted: object, name: str) -> Mapping[str, object]:
    parts = get_args(wanted)
    if wanted in _SIMPLE:
        return _SIMPLE[wanted]
    if is_union(wanted):
        return {"anyOf": [_type(part, name) for part in parts]}
    if is_fixed_run(wanted):
        each = [_type(part, name) for part in parts]
        return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
    if is_run(wanted):
        return {"type": "array", "items": _type(parts[0] if parts else object, name)}
    if is_mapping(wanted):
        part = parts[1] if parts else object
        return {"type": "object", "additionalProperties": _type(part, name)}
    return _class(wanted, name)


def _class(wanted: object, name: str) -> Mapping[str, object]:
    if is_interface(wanted):
        return {"type": "string"}
    if is_literal(wanted):
        return {"enum": list(get_args(wanted))}
    if is_enum(wanted):
        return {"enum": [member.value for member in cast("type[enum.Enum]", wanted)]}
    if isinstance(wanted, type) and issubclass(wanted, PurePath):
        return {"type": "string"}
    if isinstance(wanted, type) and attrs.has(wanted):
        return shape(wanted)
    spelt = getattr(wanted, "__name__", str(wanted))
    msg = f"its field `{name}` is of the type {spelt}, which no config can hold"
    raise NotPlain(msg)
