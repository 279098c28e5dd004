"""
Applying a unified diff to a tree, exactly or not at all.

The format is that of `diff -u` and of `git diff`. A hunk must match where it says, line for line:
no fuzz, no offset, and never the other way round, since a patch that is quietly reversed would
plant the fix in place of the bug.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from attrs import evolve, frozen

from fairtrial_suite_folder.tree import Leaf, Tree

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NO_END = b"\\ No newline at end of file"


class PatchRefused(Exception):
    """A patch that can't be applied exactly; its text says which file and line, and why."""


@frozen(kw_only=True)
class _Hunk:
    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@frozen(kw_only=True)
class _FilePatch:
    old: PurePosixPath | None
    new: PurePosixPath | None
    hunks: tuple[_Hunk, ...]


def apply(diff: bytes, tree: Tree) -> dict[PurePosixPath, Leaf]:
    """
    Returns the tree with a diff applied.

    Raises:
        PatchRefused: It holds no hunk, isn't well-formed, or doesn't match exactly.
    """
    patched = dict(tree)
    parts = list(_parse(diff))
    if not parts:
        msg = "it holds no change"
        raise PatchRefused(msg)
    for part in parts:
        _apply_one(part, patched)
    return dict(sorted(patched.items()))


def _apply_one(part: _FilePatch, tree: dict[PurePosixPath, Leaf]) -> None:
    leaf = Leaf()
    if part.old is None:
        if part.new in tree:
            msg = f"{part.new} is to be made, but is there already"
            raise PatchRefused(msg)
    else:
        found = tree.get(part.old)
        if found is None or found.link is not None:
            msg = f"{part.old} is not a file of the tree"
            raise PatchRefused(msg)
        leaf = found
    data = _patched(leaf.data, part)
    if part.old is not None:
        del tree[part.old]
    if part.new is not None:
        tree[part.new] = evolve(leaf, data=data)
    elif data:
        msg = f"{part.old} is to be deleted, but lines would be left"
        raise PatchRefused(msg)


def _patched(data: bytes, part: _FilePatch) -> bytes:
    lines = data.splitlines(keepends=True) if b"\r" not in data else _split(data)
    out: list[bytes] = []
    at = 0
    for hunk in part.hunks:
        begin = hunk.start - 1 if hunk.old else hunk.start
        if begin < at or tuple(lines[begin : begin + len(hunk.old)]) != hunk.old:
            msg = f"the hunk at line {hunk.start} of {part.old} does not match"
            raise PatchRefused(msg)
        out += lines[at:begin]
        out += hunk.new
        at = begin + len(hunk.old)
    return b"".join(out + lines[at:])


def _split(data: bytes) -> list[bytes]:
    """Splits at line feeds alone: a carriage return is a byte of its line."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _parse(diff: bytes) -> Iterator[_FilePatch]:
    lines = _split(diff)
    at = 0
    while at < len(lines):
        if lines[at].startswith((b"rename ", b"copy ", b"GIT binary patch", b"Binary files ")):
            msg = f"line {at + 1}: only changes of text are supported"
            raise PatchRefused(msg)
        if not (lines[at].startswith(b"--- ") and lines[at + 1 : at + 2]):
            at += 1
            continue
        old, new = _path(lines[at], at), _path(lines[at + 1], at + 1)
        hunks, at = _hunks(lines, at + 2)
        if not hunks or (old is None and new is None):
            msg = f"line {at + 1}: a file's header without a hunk"
            raise PatchRefused(msg)
        yield _FilePatch(old=old, new=new, hunks=hunks)


def _path(line: bytes, at: int) -> PurePosixPath | None:
    text = line[4:].split(b"\t")[0].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    if text == "/dev/null":
        return None
    path = PurePosixPath(*PurePosixPath(text).parts[1:])
    if line[:4] not in (b"--- ", b"+++ ") or not path.parts or ".." in path.parts:
        msg = f"line {at + 1}: “{text}” is not a path like a/… or b/…"
        raise PatchRefused(msg)
    return path


def _hunks(lines: list[bytes], at: int) -> tuple[tuple[_Hunk, ...], int]:
    hunks = []
    while at < len(lines) and (head := _HUNK.match(lines[at])):
        hunk, at = _hunk(lines, at + 1, head)
        hunks.append(hunk)
    # `-- ` begins the signature with which git ends a mail.
    after = lines[at] if at < len(lines) else b""
    if after[:1] in (b" ", b"-", b"+") and not after.startswith((b"--- ", b"-- \n")):
        msg = f"line {at + 1}: the hunk is longer than its header says"
        raise PatchRefused(msg)
    return tuple(hunks), at


def _hunk(lines: list[bytes], at: int, head: re.Match[bytes]) -> tuple[_Hunk, int]:
    want_old, want_new = int(head[2] or 1), int(head[4] or 1)
    old: list[bytes] = []
    new: list[bytes] = []
    while len(old) < want_old or len(new) < want_new:
        line = lines[at] if at < len(lines) else b""
        mark, body = line[:1], line[1:]
        if mark == b"\n":
            mark, body = b" ", b"\n"  # editors strip the space of an empty context line
        if mark not in (b" ", b"-", b"+") or not mark:
            msg = f"line {at + 1}: the hunk is shorter than its header says"
            raise PatchRefused(msg)
        at += 1
        if at < len(lines) and lines[at].startswith(_NO_END):
            body = body.removesuffix(b"\n")
            at += 1
        if mark != b"+":
            old.append(body)
        if mark != b"-":
            new.append(body)
    if (len(old), len(new)) != (want_old, want_new):
        msg = f"line {at}: the hunk is longer than its header says"
        raise PatchRefused(msg)
    return _Hunk(start=int(head[1]), old=tuple(old), new=tuple(new)), at
