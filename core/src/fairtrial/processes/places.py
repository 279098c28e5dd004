"""The private directories of one workspace."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath

import structlog
from attrs import frozen

from fairtrial.processes.leftovers import PREFIX, claim, sweep
from fairtrial.processes.removal import remove_tree


@frozen(kw_only=True)
class Places:
    """
    Directories that belong to one workspace alone, readable by the user alone.

    Attributes:
        top: The directory that holds the others.
        root: Where programs work.
        home: Their HOME, beside the root, so that a tool's own files are not part of the work.
        tmp: Their TMPDIR.
    """

    top: Path
    root: Path
    home: Path
    tmp: Path

    def folder(self, cwd: PurePosixPath) -> Path:
        """
        Returns the directory below the root in which a program shall start.

        Raises:
            ValueError: It leads out of the root.
            FileNotFoundError: It isn't there.
        """
        if cwd == PurePosixPath():
            return self.root
        real = Path(os.path.realpath(self.root / cwd))
        if not real.is_relative_to(self.root):
            raise ValueError(f"“{cwd}” leads out of the workspace")
        if not real.is_dir():
            raise FileNotFoundError(2, "no such directory in the workspace", str(cwd))
        return real


@contextmanager
def private_places(*, keep: bool = False) -> Iterator[Places]:
    """
    Makes the directories and removes them with all that is in them.

    The first call of a process also removes what a harness that was killed left behind.

    Args:
        keep: Whether to leave them where they are, for a look at what happened.
    """
    _sweep_once()
    # The real path: a program that asks for its directory must see the name it was given.
    top = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
    places = Places(top=top, root=top / "work", home=top / "home", tmp=top / "tmp")
    claimed = None if keep else claim(top)
    try:
        for folder in (places.root, places.home, places.tmp):
            folder.mkdir(mode=0o700)
        yield places
    finally:
        if not keep and not remove_tree(top):
            structlog.get_logger().warning("directory not removed", path=str(top))
        if claimed is not None:
            os.close(claimed)


@cache
def _sweep_once() -> int:
    return sweep()
