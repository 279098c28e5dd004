"""A patch as people read it: a unified diff, and its size in lines."""

import difflib
import itertools
from collections.abc import Callable, Iterator

from fairtrial.api import Change, Patch

LONGEST = 2 * 2**20
"""Bytes of a file above which its lines are not compared, only counted as changed."""

Before = Callable[[str], bytes | None]
"""Gives the bytes that stood at a path before, or None."""


def unified(patch: Patch, before: Before) -> bytes:
    """
    Renders a patch as a unified diff that `git apply` takes, where it holds only text.

    Files that are not UTF-8 are named, not shown; `tree.json` beside it holds every byte.
    """
    return b"".join(_file(change, before) for change in patch.changes)


def line_counts(patch: Patch, before: Before) -> tuple[int, int]:
    """Counts the lines of text that a patch adds and removes, as `git diff --numstat` does."""
    added = removed = 0
    for change in patch.changes:
        for line in _body(_lines(before(str(change.path))), _lines(change.after)):
            added += line.startswith(b"+")
            removed += line.startswith(b"-")
    return added, removed


def _file(change: Change, before: Before) -> bytes:
    path = str(change.path)
    old, new = before(path), change.after
    if change.link is not None:
        new = change.link.encode(errors="surrogateescape")
    mode = b"120000" if change.link is not None else b"100%o" % change.mode
    name = path.encode(errors="surrogateescape")
    head = b"diff --git a/%s b/%s\n" % (name, name)
    if old is None:
        head += b"new file mode %s\n" % mode
    elif new is None:
        head += b"deleted file mode 100644\n"
    sides = _lines(old), _lines(new)
    if None in sides:
        return head + b"Binary files differ\n"
    body = b"".join(_body(*sides))
    if not body:
        return head
    sources = (
        b"--- %s\n" % (b"/dev/null" if old is None else b"a/" + name),
        b"+++ %s\n" % (b"/dev/null" if new is None else b"b/" + name),
    )
    return head + b"".join(sources) + body


def _lines(content: bytes | None) -> list[bytes] | None:
    """Splits text at line feeds only; None for what is not text, or too long to compare."""
    if content is None:
        return []
    if len(content) > LONGEST or b"\0" in content:
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    lines = content.split(b"\n")
    tail = lines.pop()
    return [line + b"\n" for line in lines] + ([tail] if tail else [])


def _body(old: list[bytes] | None, new: list[bytes] | None) -> Iterator[bytes]:
    if old is None or new is None:
        return
    rows = difflib.diff_bytes(difflib.unified_diff, old, new)
    for row in itertools.islice(rows, 2, None):  # the first two name the files
        yield row if row.endswith(b"\n") else row + b"\n\\ No newline at end of file\n"
