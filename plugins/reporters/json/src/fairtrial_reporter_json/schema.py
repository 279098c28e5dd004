"""The JSON Schema (2020-12) of an attrs class, as `fairtrial.figures.plain` writes it."""

import enum
import types
from collections.abc import Mapping
from typing import Union, get_args, get_origin, get_type_hints

from attrs import fields, has
from fairtrial.figures.plain import Json, properties

Schema = dict[str, Json]

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_WORDS: Mapping[object, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}


def schema_of(kind: type) -> Schema:
    """
    Returns the schema of documents of one class, each class in them a definition.

    Raises:
        TypeError: A field has a type that JSON has no form for.
    """
    found: dict[str, Schema] = {}
    root = _schema(kind, found)
    definitions: Schema = dict(sorted(found.items()))
    return {"$schema": DRAFT, "title": kind.__name__, **root, "$defs": definitions}


def _schema(kind: object, found: dict[str, Schema]) -> Schema:
    if kind in _WORDS:
        return {"type": _WORDS[kind]}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"type": "string", "enum": [str(member.value) for member in kind]}
    if isinstance(kind, type) and has(kind):
        return _defined(kind, found)
    return _generic(kind, found)


def _generic(kind: object, found: dict[str, Schema]) -> Schema:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(option, found) for option in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], found)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(arguments[1], found)}
    msg = f"no JSON form for {kind}"
    raise TypeError(msg)


def _defined(kind: type, found: dict[str, Schema]) -> Schema:
    name = kind.__name__
    if name not in found:
        found[name] = {}
        found[name] = _object(kind, found)
    return {"$ref": f"#/$defs/{name}"}


def _object(kind: type, found: dict[str, Schema]) -> Schema:
    hints = get_type_hints(kind)
    members = {field.name: _schema(hints[field.name], found) for field in fields(kind)}
    for name in properties(kind):
        getter = getattr(kind, name).fget
        members[name] = _schema(get_type_hints(getter)["return"], found)
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    return {
        "description": summary,
        "type": "object",
        "properties": dict(members),
        "required": list(members),
        "additionalProperties": False,
    }
