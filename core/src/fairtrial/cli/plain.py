"""Text for a terminal that lacks some of its characters: put plainly, tables aligned anew."""

import re
from itertools import groupby

from fairtrial.cli.streams import PLAIN
from fairtrial.figures.markdown import table

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")


def plain(text: str, encoding: str) -> str:
    """
    Returns text in what an encoding has, `->` for `→`; Markdown tables stay aligned.

    Args:
        text: Any text.
        encoding: The encoding of the stream that it goes to.
    """
    replaced = "".join(each if _has(encoding, each) else PLAIN.get(each, "?") for each in text)
    if replaced == text:
        return text
    blocks = groupby(replaced.splitlines(keepends=True), key=_is_row)
    return "".join(_aligned(list(lines)) if rows else "".join(lines) for rows, lines in blocks)


def _has(encoding: str, character: str) -> bool:
    if character.isascii():
        return True
    try:
        character.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_row(line: str) -> bool:
    return line.startswith("| ") and line.endswith(" |\n")


def _aligned(lines: list[str]) -> str:
    """Returns the rows of a table with new blanks; as they are where they are none."""
    rows = [[part.strip() for part in _BAR.split(line)[1:-1]] for line in lines]
    sound = len(rows) > 1 and len({len(row) for row in rows}) == 1
    if not sound or not all(_RULE.fullmatch(part) for part in rows[1]):
        return "".join(lines)
    right = "".join("r" if part.endswith(":") else "l" for part in rows[1])
    return table(rows[0], rows[2:], right=right)
