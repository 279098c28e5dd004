"""Figures as plain JSON values."""

import enum
import math
from collections.abc import Mapping, Sequence

from attrs import fields, has

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def plain(value: object) -> Json:
    """
    Returns a figure as JSON values, keys in the order of its fields.

    What is not finite becomes None, since JSON has no word for it.

    Raises:
        TypeError: It holds something that is no figure.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _compound(value)


def _compound(value: object) -> Json:
    kind = type(value)
    if has(kind):
        return {field.name: plain(getattr(value, field.name)) for field in fields(kind)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [plain(item) for item in value]
    msg = f"{type(value).__name__} is no figure"
    raise TypeError(msg)
