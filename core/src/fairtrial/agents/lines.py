"""
JSON objects out of lines that may be cut, torn, run together or mixed with other output.

Command lines print one object a line until something else prints into the same stream; what is
whole among the rest is kept.
"""

import json
from collections.abc import Iterator
from typing import cast

import orjson

_TRIES = 32
"""Places of one broken line at which an object is looked for; bounds the work on rubbish."""
_DECODER = json.JSONDecoder()
_OPENING = '{"'


def objects(line: str) -> Iterator[dict[str, object]]:
    """Yields the whole JSON objects of one line, in order."""
    if "{" not in line:
        return
    try:
        document = orjson.loads(line)
    except ValueError:
        yield from _salvaged(line)
        return
    if isinstance(document, dict):
        yield cast("dict[str, object]", document)


def _salvaged(line: str) -> Iterator[dict[str, object]]:
    start = line.find(_OPENING)
    for _ in range(_TRIES):
        if start < 0:
            return
        try:
            document, end = _DECODER.raw_decode(line, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            # An object inside of a torn one is a part of it, not an event: events have a type.
            if "type" in document:
                yield cast("dict[str, object]", document)
        start = line.find(_OPENING, end)
