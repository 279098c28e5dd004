"""
Globs of the interface, for the paths of a task.

A glob without a slash matches a name at any depth; one with a slash matches from the root, and
what lies below. `*` and `?` stop at a slash, `**` does not.
"""

import functools
import glob
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

_PIECES = re.compile(r"\*\*/|\*\*|\*|\?|\[[^]]+\]|.", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def exactly(path: PurePosixPath) -> str:
    """Returns the glob that matches one path, and what is below it, and nothing else."""
    text = glob.escape(str(path))
    return text if "/" in text else f"/{text}"


def matches(path: str, globs: Iterable[str]) -> bool:
    """Tells whether a path matches any of the globs."""
    return any(_pattern(one).fullmatch(path) for one in globs)


@functools.lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    anchored = "/" in text.rstrip("/")
    body = "".join(
        _WILD.get(piece) or (piece if len(piece) > 1 else re.escape(piece))
        for piece in _PIECES.findall(text.strip("/"))
    )
    return re.compile(("" if anchored else "(?:.*/)?") + body + "(?:/.*)?", re.DOTALL)
