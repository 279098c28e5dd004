"""
Globs of the interface against paths, in one meaning everywhere.

A glob without a slash matches a name at any depth, of a file or of a folder above it; one with a
slash matches from the root, and all that lies below what it matches. `*`, `?` and `[…]` stop at a
slash, `**` does not. Case is ignored, since `Conftest.py` is `conftest.py` on some disks.
"""

import functools
import glob
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_PIECES = re.compile(r"\*\*/|\*\*|\*|\?|\[[^]]+\]|.", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches(path: str, globs: Iterable[str]) -> bool:
    """Tells whether a path, relative and with forward slashes, matches any of the globs."""
    return _any_of(tuple(globs)).fullmatch(path.casefold()) is not None


def exactly(path: PurePosixPath) -> str:
    """Returns the glob that matches one path, and what is below it, and nothing else."""
    text = glob.escape(str(path))
    return text if "/" in text else f"/{text}"


@functools.lru_cache(maxsize=256)
def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    # `(?!)` matches nothing, as no glob at all does.
    return re.compile("|".join(map(_pattern, globs)) or "(?!)", re.DOTALL)


def _pattern(text: str) -> str:
    folded = text.casefold().removeprefix("./").rstrip("/")
    start = "" if "/" in folded else "(?:.*/)?"
    body = "".join(_piece(piece) for piece in _PIECES.findall(folded.removeprefix("/")))
    return f"{start}{body}(?:/.*)?"


def _piece(piece: str) -> str:
    if piece in _WILD:
        return _WILD[piece]
    if len(piece) == 1:
        return re.escape(piece)
    inverted = piece[1] == "!"
    # Only a hyphen keeps its meaning within brackets.
    inside = re.sub(r"[^\w-]", r"\\\g<0>", piece[2 if inverted else 1 : -1])
    return f"[^/{inside}]" if inverted else f"[{inside}]"
