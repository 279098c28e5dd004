"""Changed files, as text, before and after."""

from collections.abc import Iterator

from attrs import frozen
from fairtrial.api import Change, Evidence
from fairtrial.stacks import STACKS
from fairtrial.stacks.globs import matches

LARGEST = 2**20
"""Bytes; of a longer file, nothing is read: it is data."""

_ENDINGS = {
    "python": (".py", ".pyi"),
    "node": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    "rust": (".rs",),
    "go": (".go",),
}


@frozen(kw_only=True)
class File:
    """
    One changed file.

    Attributes:
        path: Relative to the workspace, with forward slashes.
        before: Its text; None where it was not there, was no text, or nobody looked.
        after: Its text; None where it is gone or is no text.
        new: Whether it was not there before; None where nobody looked.
        deleted: Whether it is gone.
        stack: The tool chain of its ending; empty for others.
        is_test: Whether a tool chain takes it for a test, or the task protects it.
        of_stack: Whether a tool chain takes it for a test, protected or not.
        open: Whether the task says that it may change, though a runner reads it.
    """

    path: str
    before: str | None
    after: str | None
    new: bool | None
    deleted: bool
    stack: str
    is_test: bool
    of_stack: bool
    open: bool

    @property
    def old_text(self) -> str:
        """What it held; empty where that is not known."""
        return self.before or ""

    @property
    def new_text(self) -> str:
        """What it holds; empty where it is gone."""
        return self.after or ""


def files_of(evidence: Evidence) -> tuple[File, ...]:
    """Returns all changed files, also those that were not let into the clean room, by path."""
    changes = [*evidence.patch.changes, *evidence.refused.changes]
    return tuple(_file(change, evidence) for change in sorted(changes, key=lambda c: str(c.path)))


def stack_of(path: str) -> str:
    """Returns the tool chain that a file's ending belongs to; empty for none."""
    return next((name for name, ends in _ENDINGS.items() if path.endswith(ends)), "")


def _test_globs(stack: str) -> Iterator[str]:
    known = [STACKS[stack]] if stack in STACKS else STACKS.values()
    for one in known:
        yield from (glob for glob in one.tests if glob != "conftest.py")


def _file(change: Change, evidence: Evidence) -> File:
    path, task = str(change.path), evidence.task
    looked = evidence.before is not None
    of_stack = matches(path, _test_globs(task.stack))
    original = None if evidence.before is None else evidence.before.get(path)
    return File(
        path=path,
        before=_text(original),
        after=_text(change.after),
        new=original is None if looked else None,
        deleted=change.deleted,
        stack=stack_of(path),
        is_test=of_stack or matches(path, task.protected),
        of_stack=of_stack,
        open=path in (task.allowed or ()) or matches(path, task.open_paths),
    )


def _text(content: bytes | None) -> str | None:
    if content is None or len(content) > LARGEST or b"\0" in content[:8_000]:
        return None
    return content.decode("utf-8", "replace")
