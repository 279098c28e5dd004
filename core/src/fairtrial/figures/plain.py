"""Figures as plain JSON values."""

import enum
import math
from collections.abc import Mapping, Sequence
from functools import cache

from attrs import fields, has

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def plain(value: object) -> Json:
    """
    Returns a figure as JSON values.

    Keys stand in the order of the class's fields; what it works out (its properties) follows.

    What is not finite becomes None, since JSON has no word for it.

    Raises:
        TypeError: It holds something that is no figure.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _compound(value)


@cache
def _names(kind: type) -> tuple[str, ...]:
    own = fields(kind) if has(kind) else ()
    return (*(field.name for field in own), *properties(kind))


def properties(kind: type) -> tuple[str, ...]:
    """Returns the names of a class's public properties, in the order in which they are written."""
    return tuple(
        name
        for name, member in vars(kind).items()
        if isinstance(member, property) and not name.startswith("_")
    )


def _compound(value: object) -> Json:
    kind: type = type(value)
    if has(kind):
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [plain(item) for item in value]
    msg = f"{type(value).__name__} is no figure"
    raise TypeError(msg)
