"""Paths against globs, in one meaning everywhere."""

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, patterns: Iterable[str]) -> bool:
    """
    Says whether a path, relative and with forward slashes, matches any of the globs.

    A glob without a slash matches a name at any depth, of a file or of a directory above it; one
    with a slash matches from the root, and everything below what it matches. `**` stands for any
    number of directories. Case is ignored, since `Conftest.py` is `conftest.py` on some disks.
    """
    folded = path.casefold()
    return any(_compiled(pattern).match(folded) for pattern in patterns)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    folded = pattern.casefold().removeprefix("./").rstrip("/")
    start = "" if "/" in folded else "(?:.*/)?"
    body = "".join(_piece(token) for token in re.findall(r"\*\*/|\*\*|\*|\?|\[[^]]+\]|.", folded))
    return re.compile(f"{start}{body.removeprefix('/')}(?:/.*)?\\Z", re.DOTALL)


def _piece(token: str) -> str:
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if token in fixed:
        return fixed[token]
    if token.startswith("[") and len(token) > 1:
        return f"[^{token[2:]}" if token[1] == "!" else token
    return re.escape(token)
