"""Writes the few shapes of TOML that a plugin's table can have."""

import json
from collections.abc import Mapping, Sequence

from fairtrial.conformance.promise import Broken, show


def render(table: Mapping[str, object]) -> str:
    """
    Returns a table as TOML, inner tables inline.

    Raises:
        Broken: A value has no form in TOML, such as None.
    """
    return "".join(f"{_string(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{_string(key)} = {_value(one)}" for key, one in value.items()) + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    raise Broken(f"a field holds what TOML can't write: {show(value)}")


def _string(text: object) -> str:
    # a JSON string is a TOML basic string, but for DEL, which TOML wants escaped
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007f")
