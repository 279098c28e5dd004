"""
Records as JSON lines: written canonically, read fast.

A reader of a later or an earlier version finds fields that it doesn't know, or lacks some that
have a default; both are fine. Fields at their default are not written.
"""

import base64
import gc
import json
import operator
from collections.abc import Iterable
from pathlib import Path, PurePath, PurePosixPath
from typing import SupportsIndex, TypeVar, cast

import orjson
from attrs import validators
from cattrs import Converter

from fairtrial.api.trajectory import Event
from fairtrial.serial.readers import Hook, install

T = TypeVar("T")

_RARELY = 200_000
"""New objects after which the collector looks again, once there are many that live long."""

MANY = 1_000
"""Records above which what was read is taken out of the cycle collector's sight."""


def unstructure(value: object) -> object:
    """
    Returns plain JSON data (dict, list, str, int, float, bool, None), defaults left out.

    Bytes become base64, paths and enums their text, sets sorted lists.
    """
    return _converter.unstructure(value)


def dumps(value: object) -> str:
    """
    Returns one canonical line of JSON, without a line end: equal values give equal text.

    Keys are sorted and all but ASCII is escaped, so that no reader takes a character of the text
    for a line end, and a file name that is no UTF-8 survives.

    Raises:
        ValueError: A number is not finite, which JSON can't say.
        TypeError: Something in it is no data at all.
    """
    plain = unstructure(value)
    return json.dumps(
        plain, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_number
    )


def _number(value: object) -> object:
    """Returns a number of another library's type, such as one of numpy's, as Python's own."""
    item = getattr(value, "item", None)
    if callable(item):
        return item()
    if isinstance(value, SupportsIndex):
        return operator.index(value)
    msg = f"{type(value).__name__} can't be written as JSON: {value!r:.60}"
    raise TypeError(msg)


def loads(cls: type[T], text: str | bytes) -> T:
    """
    Reads what `dumps` wrote; unknown fields are passed over.

    Types of numbers and texts are not looked at: this is for fairtrial's own records.

    Raises:
        ValueError: The text is not JSON, or not of that form.
    """
    return _read(_reader(cls), cls, text)


def loads_many(
    cls: type[T], lines: Iterable[str | bytes], *, passed_over: list[int] | None = None
) -> list[T]:
    """
    Reads many lines, as `loads` does, with the cycle collector and attrs' validators at rest.

    Records hold no cycles; left on, the collector walks all that was read again and again and
    doubles the time. They were validated when they were made.

    Args:
        cls: What each line holds.
        lines: The lines.
        passed_over: Takes the 1-based number of each line that can't be read, which is then left
            out; without it, such a line raises.

    Raises:
        ValueError: A line can't be read; the message starts with its 1-based number.
    """
    reader = _reader(cls)
    records: list[T] = []
    was_on = gc.isenabled()
    gc.disable()
    try:
        with validators.disabled():
            for number, line in enumerate(lines, start=1):
                try:
                    records.append(_read(reader, cls, line))
                except ValueError as error:
                    if passed_over is not None:
                        passed_over.append(number)
                        continue
                    msg = f"line {number}: {error}"
                    raise ValueError(msg) from error
    finally:
        if len(records) > MANY:
            # They live long: the collector need not walk them again with each new generation.
            gc.freeze()
            gc.set_threshold(_RARELY)
        if was_on:
            gc.enable()
    return records


def load_event(text: str | bytes) -> Event:
    """
    Reads one line of a trajectory; a type that is not known becomes an `OtherEvent`.

    Raises:
        ValueError: The text is not JSON, or lacks a field of its type.
    """
    return cast("Event", loads(cast("type[object]", Event), text))


def load_numbered(text: str | bytes) -> tuple[int | None, Event]:
    """
    Reads one line of a trajectory, and its number (`seq`); None where it has none.

    Raises:
        ValueError: The text is not JSON, or lacks a field of its type.
    """
    read = _reader(Event)

    def numbered(data: object, wanted: object) -> object:
        number = cast("dict[str, object]", data).get("seq")
        return number if type(number) is int else None, read(data, wanted)

    return cast("tuple[int | None, Event]", _read(numbered, cast("type[object]", Event), text))


def _reader(cls: object) -> Hook:
    return cast("Hook", _converter.get_structure_hook(cls))


def _read(reader: Hook, cls: type[T], text: str | bytes) -> T:
    try:
        return cast("T", reader(_parsed(text), cls))
    except KeyError as error:
        msg = f"the field “{error.args[0]}” is missing"
        raise ValueError(msg) from error
    except (TypeError, AttributeError, RecursionError) as error:
        msg = f"not a record of the kind {getattr(cls, '__name__', cls)}: {error}"
        raise ValueError(msg) from error


def _parsed(text: str | bytes) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        # orjson refuses half of a surrogate pair, which is how a name that is no UTF-8 is kept.
        return json.loads(text)


def _make() -> Converter:
    converter = Converter(
        detailed_validation=False,
        omit_if_default=True,
        unstruct_collection_overrides={tuple: list, frozenset: sorted, set: sorted},
    )
    converter.register_structure_hook(bytes, lambda value, _: base64.b64decode(value))
    converter.register_unstructure_hook(bytes, lambda value: base64.b64encode(value).decode())
    for path in (Path, PurePosixPath):
        converter.register_structure_hook(path, lambda value, wanted: wanted(value))
    converter.register_unstructure_hook(PurePath, str)
    install(converter)
    return converter


_converter = _make()
