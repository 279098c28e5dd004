"""Where the programs on a PATH are installed, so that they work though the user's home is hidden."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PARTS = {
    "python3": "lib/python3*",
    "python": "lib/python*",
    "node": "lib/node_modules",
    "go": "pkg/tool",
    "rustc": "lib/rustlib",
}
"""Programs that need what is installed beside them, and how such a place is told."""

_HOMES = ("RUSTUP_HOME", ".rustup")


@cache
def installations(path: str) -> tuple[Path, ...]:
    """
    Returns the directories that programs of a PATH need.

    Of the user's home that is the directories on the PATH themselves, and where interpreters and
    tool chains are installed; never the home itself, nor what holds it.
    """
    home = Path.home()
    found: list[Path] = []
    for folder in map(Path, path.split(":")):
        found += [folder, *_beside(folder)]
    rustup = Path(os.environ.get(_HOMES[0]) or home / _HOMES[1])
    found.append(rustup)
    return tuple(place for place in dict.fromkeys(found) if not home.is_relative_to(place))


def _beside(folder: Path) -> Iterator[Path]:
    for name, part in _PARTS.items():
        program = folder / name
        if program.is_file():
            prefix = Path(os.path.realpath(program)).parent.parent
            if any(prefix.glob(part)):
                yield prefix
