"""What a program says of itself in a JSON result: tokens, dollars, model, version."""

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from attrs import field, fields, frozen
from attrs.validators import matches_re
from fairtrial.agents.picking import MOST
from fairtrial.api import CostSource, Usage

LARGEST_BYTES = 64 * 1024 * 1024
"""A longer result is not read."""


def _pointer() -> str:
    # A pointer is empty or begins with a slash (RFC 6901, section 3); empty here means not asked.
    value: str = field(default="", validator=matches_re(r"(?:/(?:[^~]|~[01])*)?"))
    return value


@frozen(kw_only=True)
class Pointers:
    """
    Where in the JSON result the figures stand, as JSON pointers (RFC 6901), such as `/usage/cost`.

    What is not pointed at, or not there, is not known; it is never taken for 0.

    Attributes:
        cost: Dollars.
        input_tokens: Prompt tokens.
        output_tokens: Generated tokens.
        cache_read: Prompt tokens read from a cache.
        cache_write: Prompt tokens written to a cache.
        model: The model's name.
        version: The program's version.
        submission: Where it delivered: `branch:NAME`, or a pull request's address.
        input_includes_cache: Whether `input_tokens` counts the cached tokens too, as OpenAI and
            Google do and Anthropic doesn't.
    """

    cost: str = _pointer()
    input_tokens: str = _pointer()
    output_tokens: str = _pointer()
    cache_read: str = _pointer()
    cache_write: str = _pointer()
    model: str = _pointer()
    version: str = _pointer()
    submission: str = _pointer()
    input_includes_cache: bool = False

    def __bool__(self) -> bool:
        """Whether anything is pointed at."""
        return any(getattr(self, part.name) for part in fields(Pointers) if part.type is str)


def find(document: object, pointer: str) -> object:
    """
    Returns what a JSON pointer leads to (RFC 6901, section 4); None where nothing is.

    Args:
        document: A decoded JSON document.
        pointer: The pointer; an empty one asks for nothing.
    """
    if not pointer:
        return None
    for token in pointer[1:].split("/"):
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict):
            document = document.get(key)
        elif isinstance(document, list) and key.isdecimal() and str(int(key)) == key:
            document = document[int(key)] if int(key) < len(document) else None
        else:
            return None
    return document


def usage(document: object, pointers: Pointers) -> Usage:
    """Returns the tokens and dollars that a result tells, each None where it doesn't."""
    cost = _amount(find(document, pointers.cost))
    read = _count(find(document, pointers.cache_read))
    write = _count(find(document, pointers.cache_write))
    return Usage(
        model=_name(find(document, pointers.model)),
        input_uncached=_uncached(
            _count(find(document, pointers.input_tokens)), pointers, read, write
        ),
        cache_read=read,
        cache_write_5m=write,
        output=_count(find(document, pointers.output_tokens)),
        cost_usd=cost,
        cost_source=CostSource.UNKNOWN if cost is None else CostSource.REPORTED,
    )


def version(document: object, pointers: Pointers) -> str | None:
    """Returns the version that a result tells."""
    return _name(find(document, pointers.version))


def submission(document: object, pointers: Pointers) -> str | None:
    """Returns where a result says that the work was delivered."""
    return _name(find(document, pointers.submission))


def decode(text: bytes, *, last_line: bool = False) -> object:
    """
    Returns a JSON document; None where there is none, or one that can't be read.

    Args:
        text: The bytes; what is not UTF-8 is replaced.
        last_line: Whether only the last line that isn't blank counts.
    """
    if last_line:
        text = text.rstrip().rpartition(b"\n")[2]
    try:
        document: object = json.loads(text.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return document


def read_private(path: Path, within: Sequence[Path]) -> bytes | None:
    """
    Reads a file that a program left; None unless it is a plain file inside one of the directories.

    A link that leads elsewhere, a pipe that would never end, or a file of gigabytes is not read.
    """
    real = Path(os.path.realpath(path))
    if not any(real.is_relative_to(os.path.realpath(folder)) for folder in within):
        return None
    try:
        handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_BYTES:
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(LARGEST_BYTES)


def _uncached(
    prompt: int | None, pointers: Pointers, read: int | None, write: int | None
) -> int | None:
    if prompt is None or not pointers.input_includes_cache:
        return prompt
    parts = ((pointers.cache_read, read), (pointers.cache_write, write))
    if any(pointer and count is None for pointer, count in parts):
        return None
    rest = prompt - (read or 0) - (write or 0)
    return rest if rest >= 0 else None


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MOST else None


def _count(value: object) -> int | None:
    amount = _amount(value)
    return int(amount) if amount is not None and amount == int(amount) else None


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
