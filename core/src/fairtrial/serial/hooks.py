"""The strict converter: one hook for each kind of type that a config can hold."""

import base64
import binascii
import enum
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from types import NoneType
from typing import cast, get_args

import attrs
from cattrs import Converter
from cattrs.errors import BaseValidationError, IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, override

from fairtrial.serial.context import current
from fairtrial.serial.faults import Mismatch
from fairtrial.serial.forms import (
    RUNS,
    is_enum,
    is_fixed_run,
    is_interface,
    is_literal,
    is_mapping,
    is_run,
    is_union,
    origin,
)
from fairtrial.serial.wording import expected, nearest

Hook = Callable[[object, object], object]


def _text(value: object, wanted: type) -> object:
    if issubclass(wanted, enum.Enum):
        return _member(value, wanted)
    if not isinstance(value, str):
        raise Mismatch(expected(wanted), value)
    if "\0" in value:
        # No path, argument or variable can hold it; it would be refused much later.
        raise Mismatch(f"{expected(wanted)} without the character NUL", value)
    return value


def _whole(value: object, wanted: type) -> object:
    if issubclass(wanted, enum.Enum):
        return _member(value, wanted)
    if type(value) is not int:
        raise Mismatch(expected(wanted), value)
    return value


def _number(value: object, wanted: type) -> object:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Mismatch(expected(wanted), value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Mismatch("a finite number", value)
    return number


def _truth(value: object, wanted: type) -> object:
    if not isinstance(value, bool):
        raise Mismatch(expected(wanted), value)
    return value


def _bytes(value: object, wanted: type) -> object:
    if not isinstance(value, str):
        raise Mismatch(expected(wanted), value)
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error:
        raise Mismatch(expected(wanted), value) from None


def _path(value: object, wanted: type) -> object:
    if not isinstance(value, str) or "\0" in value:
        raise Mismatch(expected(wanted), value)
    if issubclass(wanted, Path):
        return current().absolute(Path(value).expanduser() if value[:2] == "~/" else Path(value))
    return PurePosixPath(value)


def _member(value: object, wanted: type[enum.Enum]) -> object:
    for member in wanted:
        if type(value) in (type(member.value), wanted) and member.value == value:
            return member
    names = [str(member.value) for member in wanted]
    raise Mismatch(expected(wanted), value, nearest=nearest(str(value), names))


def _literal(value: object, wanted: object) -> object:
    for choice in get_args(wanted):
        if type(choice) is type(value) and choice == value:
            return value
    names = [str(choice) for choice in get_args(wanted)]
    raise Mismatch(expected(wanted), value, nearest=nearest(str(value), names))


def _union(value: object, wanted: object) -> object:
    """Takes the first part that the value fits; a fault inside a part that fits is its own."""
    parts = get_args(wanted)
    if value is None and NoneType in parts:
        return None
    parts = tuple(part for part in parts if part is not NoneType)
    if len(parts) == 1:
        return converter.structure(value, parts[0])
    inside: list[Exception] = []
    for part in parts:
        try:
            return converter.structure(value, part)
        except Mismatch:
            continue
        except BaseValidationError as error:
            inside.append(error)
    if len(inside) == 1:
        raise inside[0]
    raise Mismatch(expected(wanted), value)


def _interface(value: object, wanted: type) -> object:
    if not isinstance(value, str):
        raise Mismatch(expected(wanted), value)
    context = current()
    if context.resolve is None:
        msg = f"a field of the type {wanted.__name__} needs a registry to be filled from"
        raise LookupError(msg)
    return context.resolve(wanted, value, context.key)


def _run(value: object, wanted: object) -> object:
    """Builds a tuple, list or set; text is never taken for a row of letters."""
    if not isinstance(value, list | tuple):
        raise Mismatch(expected(wanted), value)
    parts = get_args(wanted)
    if is_fixed_run(wanted):
        if len(parts) != len(value):
            raise Mismatch(f"a list of {len(parts)}", value)
        return tuple(_each(enumerate(value), parts))
    part = parts[0] if parts else object
    return RUNS[origin(wanted)](_each(enumerate(value), [part] * len(value)))


def _mapping(value: object, wanted: object) -> object:
    if not isinstance(value, Mapping):
        raise Mismatch(expected(wanted), value)
    part = get_args(wanted)[1] if get_args(wanted) else object
    return dict(zip(value, _each(value.items(), [part] * len(value)), strict=True))


def _each(items: Iterable[tuple[object, object]], wanted: Sequence[object]) -> list[object]:
    """Builds every item, and only then complains, so that all faults are told at once."""
    built: list[object] = []
    errors: list[Exception] = []
    for (key, value), part in zip(items, wanted, strict=True):
        try:
            built.append(converter.structure(value, part))  # type: ignore[arg-type]  # any form of a type
        except Exception as error:  # noqa: BLE001 - sorted out in faults_of, which raises what is none
            error.add_note(IterableValidationNote("", cast("int | str", key), object))
            errors.append(error)
    if errors:
        raise IterableValidationError("", errors, object)
    return built


def _table(cls: type, converter: Converter) -> Hook:
    return _checked(make_dict_structure_fn(attrs.resolve_types(cls), converter))


def _checked(build: Callable[..., object]) -> Hook:
    def hook(value: object, wanted: object) -> object:
        if not isinstance(value, Mapping):
            raise Mismatch("a table", value)
        return build(value, wanted)

    return hook


@lru_cache(maxsize=256)
def structurer(cls: type) -> Hook:
    """Returns what builds an object of a class from a table, noting each key it works on."""
    keyed = {
        field.name: override(struct_hook=_keyed(field.name))
        for field in attrs.fields(attrs.resolve_types(cls))
    }
    return _checked(make_dict_structure_fn(cls, converter, **keyed))  # type: ignore[arg-type]  # fields only


def _keyed(name: str) -> Hook:
    def hook(value: object, wanted: object) -> object:
        current().key = name
        return converter.structure(value, wanted)  # type: ignore[arg-type]  # any form of a type

    return hook


def _make() -> Converter:
    strict = Converter(forbid_extra_keys=True, detailed_validation=True)
    for cls, hook in ((str, _text), (int, _whole), (float, _number), (bool, _truth)):
        strict.register_structure_hook(cls, hook)
    strict.register_structure_hook(bytes, _bytes)
    strict.register_structure_hook(PurePath, _path)
    strict.register_structure_hook(Path, _path)
    strict.register_structure_hook_factory(attrs.has, _table)
    for matches, hook in (
        (lambda wanted: wanted is object, lambda value, _: value),
        (is_enum, _member),
        (is_literal, _literal),
        (is_union, _union),
        (is_run, _run),
        (is_mapping, _mapping),
        (is_interface, _interface),
    ):
        strict.register_structure_hook_func(matches, hook)
    return strict


converter = _make()
