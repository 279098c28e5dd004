"""The forms of type that a field can have, told apart in one place."""

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import UnionType
from typing import Literal, Union, get_args, get_origin

RUNS: dict[object, Callable[[Iterable[object]], object]] = {
    tuple: tuple,
    list: list,
    Sequence: tuple,
    frozenset: frozenset,
    set: set,
    AbstractSet: frozenset,
}
"""Types of many values in a row, and what such a value is made of."""


def origin(wanted: object) -> object:
    """Returns `tuple` for `tuple[int, ...]`, and what has no parameters as it is."""
    found: object = get_origin(wanted)
    return wanted if found is None else found


def is_union(wanted: object) -> bool:
    """Whether it is one of several types."""
    return origin(wanted) in (Union, UnionType)


def is_literal(wanted: object) -> bool:
    """Whether it is one of several values."""
    return origin(wanted) is Literal


def is_enum(wanted: object) -> bool:
    """Whether it is an enumeration."""
    return isinstance(wanted, type) and issubclass(wanted, enum.Enum)


def is_run(wanted: object) -> bool:
    """Whether it is a tuple, a list or a set."""
    return origin(wanted) in RUNS


def is_fixed_run(wanted: object) -> bool:
    """Whether it is a tuple with a type for each place."""
    parts = get_args(wanted)
    return origin(wanted) is tuple and bool(parts) and parts[1:] != (Ellipsis,)


def is_mapping(wanted: object) -> bool:
    """Whether it is a table with free keys."""
    return origin(wanted) in (Mapping, dict)


def is_interface(wanted: object) -> bool:
    """Whether it is a protocol, so that the name of a table stands in its place."""
    return bool(getattr(wanted, "_is_protocol", False))
