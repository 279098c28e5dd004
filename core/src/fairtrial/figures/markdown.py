"""
Markdown that also reads well as plain text: aligned tables, and cells that can't break out.

Whatever comes from an agent, a task or a log goes through `safe` or `cell`, so that no control
sequence reaches a terminal and no text forges a row.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from fairtrial.redaction import visible

_MARKUP = re.compile(r"[\\`|<\[]")
_BACKTICKS = re.compile("`+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def safe(text: str, *, limit: int = 0) -> str:
    """
    Returns text on one line, with nothing in it that a terminal would obey.

    Control characters are shown as their pictures (`␛`), other invisible ones as U+FFFD.

    Args:
        text: Any text.
        limit: Most characters, the cut marked by `…`; 0 for no limit.
    """
    line = text
    if not text.isprintable():
        joined = " ".join(text.split()) if any(mark in text for mark in "\t\r\n") else text
        line = "".join(visible(character) for character in joined)
    if limit and len(line) > limit:
        line = line[: limit - 1] + "…"
    return line


def cell(text: str, *, limit: int = 0) -> str:
    """Returns text for a cell of a Markdown table: `safe`, and markup made literal."""
    line = safe(text, limit=limit)
    return _MARKUP.sub(r"\\\g<0>", line)


def code(text: str, *, limit: int = 0) -> str:
    """Returns text as a code span, `safe` and as it is; where it holds backticks, within more."""
    line = safe(text, limit=limit)
    if not line.strip():
        return f"“{line}”"
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(line)), default=0))
    blank = " " * (line[0] in "` " or line[-1] in "` ")
    return f"{fence}{blank}{line}{blank}{fence}"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: str = "") -> str:
    """
    Returns a Markdown table whose columns are aligned.

    Args:
        headings: One a column.
        rows: Cells, already made safe.
        right: One letter a column, `r` for right-aligned; shorter or empty means left.
    """
    widths = [
        max(3, *(width(row[column]) for row in (headings, *rows)))
        for column in range(len(headings))
    ]
    sides = [mark == "r" for mark in right.ljust(len(headings), "l")]
    rule = [
        "-" * (size - 1) + (":" if side else "-") for size, side in zip(widths, sides, strict=True)
    ]
    lines = [_line(row, widths, sides) for row in (headings, rule, *rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int], sides: Sequence[bool]) -> str:
    padded = []
    for text, size, side in zip(cells, widths, sides, strict=True):
        blank = " " * (size - width(text))
        padded.append(blank + text if side else text + blank)
    return f"| {' | '.join(padded)} |"


def width(text: str) -> int:
    """Returns how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return len(text) + sum(map(_beyond_one, _BEYOND_ASCII.findall(text)))


@cache
def _beyond_one(character: str) -> int:
    if unicodedata.combining(character):
        return -1
    return 1 if unicodedata.east_asian_width(character) in "WF" else 0
