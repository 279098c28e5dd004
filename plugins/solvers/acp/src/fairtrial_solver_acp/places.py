"""Paths that an agent names, held inside of the workspace."""

import os
from pathlib import Path, PurePosixPath

from fairtrial.api import Workspace

LARGEST_BYTES = 32 * 1024 * 1024
"""A longer file is not handed out."""


class Outside(ValueError):
    """A path that leads out of the workspace, or to what is no plain file."""


def within(workspace: Workspace, named: str) -> Path:
    """
    Returns a path as the harness sees it.

    Args:
        workspace: Where it must lie, links followed.
        named: As the agent sees it; a relative one begins at the workspace.

    Raises:
        Outside: It doesn't lie there.
    """
    path = PurePosixPath(named)
    if path.is_absolute():
        if not path.is_relative_to(workspace.inside):
            raise Outside(f"“{named}” is not in the workspace")
        path = path.relative_to(workspace.inside)
    real = Path(os.path.realpath(workspace.root / path))
    if not real.is_relative_to(os.path.realpath(workspace.root)):
        raise Outside(f"“{named}” leads out of the workspace")
    return real


def read_text(workspace: Workspace, named: str, line: int | None, limit: int | None) -> str:
    """
    Returns a file's text, or some of its lines.

    Args:
        workspace: Where it lies.
        named: As the agent sees it.
        line: The first line that is wanted, 1-based.
        limit: How many.

    Raises:
        Outside: It isn't there, is no plain file, or is too long.
    """
    path = within(workspace, named)
    if not path.is_file() or path.stat().st_size > LARGEST_BYTES:
        raise Outside(f"“{named}” is no file that can be read")
    text = path.read_bytes().decode(errors="replace")  # every line end as it is
    if line is None and limit is None:
        return text
    first = max(line or 1, 1) - 1
    rows = text.splitlines(keepends=True)[first:]
    return "".join(rows if limit is None else rows[:limit])


def write_text(workspace: Workspace, named: str, text: str) -> None:
    """
    Writes a file; folders on the way are made.

    Raises:
        Outside: It doesn't lie in the workspace, or what is there is no plain file.
    """
    path = within(workspace, named)
    if path.exists() and not path.is_file():
        raise Outside(f"“{named}” is no plain file")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="replace"))
