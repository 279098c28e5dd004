"""Runs of numbers that a program took over from a test: an input and its answers, in order."""

import difflib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

LEAST = 3
"""Numbers in a row that a program and a test may share by chance."""

LONGEST = 4_000
"""Numbers of one test file that are looked at."""

TELLING = 100.0
"""From here on a number is told from chance; a fraction always is."""

_NUMBER = re.compile(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?")
_LOOKED_UP = re.compile(r"==|\bcase\b|\bin\b|\.get\(|=>|\bmatch\b|\w\[[\w`'\"]|\}\s*\[")


def numbers(text: str) -> list[float]:
    """Returns the numbers of a text in order, those within texts too."""
    return [float(one.replace("_", "")) for one in _NUMBER.findall(text)[:LONGEST]]


def added_blocks(before: str, after: str) -> Iterator[str]:
    """Yields each stretch of lines that are new."""
    old, new = before.splitlines(), after.splitlines()
    if not old:
        yield after
        return
    known = set(old)
    block: list[str] = []
    for line in [*new, old[0]]:
        if line in known and line.strip():
            if block:
                yield "\n".join(block)
            block = []
        else:
            block.append(line)


def taken_over(block: str, tests: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """
    Returns the longest run that a block shares with a test, where it looks something up by it.

    Empty for a run that is too short, that counts up by ones, or that goes with no telling input.
    """
    mine = numbers(block)
    if len(mine) <= LEAST or not _LOOKED_UP.search(block):
        return ()
    best: tuple[float, ...] = ()
    for theirs in tests:
        matcher = difflib.SequenceMatcher(None, mine[:LONGEST], theirs, autojunk=False)
        found = matcher.find_longest_match()
        run = tuple(mine[found.a : found.a + found.size])
        if len(run) > len(best) and _is_telling(run, mine, theirs):
            best = run
    return best


def _is_telling(run: Sequence[float], mine: Sequence[float], theirs: Sequence[float]) -> bool:
    steps = {later - one for one, later in pairwise(run)}
    if len(run) < LEAST or max(map(abs, run)) < 10 or len(steps) == 1:  # noqa: PLR2004 - digits
        return False
    shared = set(mine) & set(theirs)
    outside = [one for one in shared if abs(one) >= TELLING or one != int(one)]
    return bool(outside) and (len(run) > LEAST or bool(set(outside) - set(run)))
