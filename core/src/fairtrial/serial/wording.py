"""Values and types in the words of someone who writes TOML, not of someone who writes Python."""

import difflib
import enum
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from types import NoneType
from typing import get_args

import attrs

from fairtrial.serial.forms import is_interface, is_literal, is_union, origin

_LONGEST = 60
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    (str, "text"),
    ((int, float), "a number"),
)
_EXPECTED: dict[object, str] = {
    bool: "true or false",
    str: "text",
    int: "a whole number",
    float: "a number",
    bytes: "base64 text",
    NoneType: "nothing",
}


def got(value: object) -> str:
    """Returns a value as it would stand in TOML, with what it is."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    spelt = str(value).lower() if isinstance(value, bool) else str(value)
    spelt = spelt if len(spelt) <= _LONGEST else f"{spelt[:_LONGEST]}…"
    kind = next((kind for cls, kind in _KINDS if isinstance(value, cls)), "a date or time")
    return f"“{spelt}” ({kind})" if isinstance(value, str) else f"{spelt} ({kind})"


def expected(wanted: object) -> str:
    """Returns what a field of a type takes."""
    if wanted in _EXPECTED:
        return _EXPECTED[wanted]
    if is_literal(wanted):
        return one_of(get_args(wanted))
    if is_union(wanted):
        parts = [part for part in get_args(wanted) if part is not NoneType]
        return " or ".join(dict.fromkeys(expected(part) for part in parts))
    cls = origin(wanted)
    return _expected_class(cls) if isinstance(cls, type) else "another value"


def _expected_class(cls: type) -> str:
    if issubclass(cls, enum.Enum):
        return one_of(member.value for member in cls)
    if issubclass(cls, PurePath):
        return "a path, as text"
    if attrs.has(cls) or issubclass(cls, Mapping):
        return "a table"
    if is_interface(cls) and cls.__module__.startswith("fairtrial."):
        return f"the name of a {cls.__name__.lower()}, as text"
    return "a list"


def one_of(values: Iterable[object]) -> str:
    """Returns `one of “a”, “b”`."""
    return "one of " + ", ".join(f"“{value}”" for value in values)


def nearest(name: str, names: Iterable[str]) -> str:
    """Returns the name that was probably meant; empty where none is near."""
    folded = {each.casefold(): each for each in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def key_text(path: Iterable[str | int]) -> str:
    """Returns the place of a value as TOML spells it: `env."a b"`, `argv[0]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        spelt = part if _BARE_KEY.fullmatch(part) else json.dumps(part, ensure_ascii=False)
        text += f".{spelt}" if text else spelt
    return text
