"""What the machine itself has: system, programs, places. Nothing is started to find out."""

import locale
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from fairtrial.cli.health import Health
from fairtrial.cli.streams import results

LEAST_FREE_GIB = 1.0
"""Below so much free disk, trees and logs of a run may not find room."""

_PROGRAMS = (
    ("git", "tasks whose tree comes from a git repository can't be made", "install git"),
    ("node", "tasks that use Node are infra, not run", "install Node.js 18 or newer"),
    ("npm", "tasks that need packages of Node are infra, not run", "it comes with Node.js"),
    ("cargo", "tasks that use Rust are infra, not run", "install Rust"),
    ("go", "tasks that use Go are infra, not run", "install Go"),
)


def system() -> Iterator[Health]:
    """Looks at the interpreter and the terminal."""
    yield Health(
        group="system",
        name="python",
        here=True,
        found=f"{platform.python_version()} ({sys.executable})",
        needed=True,
    )
    yield Health(
        group="system",
        name="platform",
        here=sys.platform in {"linux", "darwin"},
        found=f"{platform.system()} {platform.release()} {platform.machine()}",
        needed=True,
        way_on="use Linux or macOS",
    )
    encoding = results().encoding or "ascii"
    yield Health(
        group="system",
        name="locale",
        here=encoding.lower().replace("-", "") == "utf8",
        found=f"{locale.setlocale(locale.LC_CTYPE)}, {encoding}",
        weaker="dashes, arrows and quotes are shown by plain characters",
        way_on="set LC_ALL=C.UTF-8",
    )


def programs() -> Iterator[Health]:
    """Looks for the programs that some tasks need."""
    for name, weaker, way_on in _PROGRAMS:
        path = shutil.which(name)
        yield Health(
            group="program",
            name=name,
            here=path is not None,
            found=path or "not found on PATH",
            weaker=weaker,
            way_on=way_on,
        )


def places() -> Iterator[Health]:
    """Looks at the directories that runs write to."""
    chosen = os.environ.get("FAIRTRIAL_CACHE")
    cache = Path(chosen) if chosen else platformdirs.user_cache_path("fairtrial")
    yield _place(
        "cache",
        cache,
        weaker="sources, environments and proofs are made again for each run",
        way_on="set FAIRTRIAL_CACHE to a directory that can be written",
    )
    yield _place(
        "home",
        Path.home(),
        weaker="tools and caches that live there can't keep anything",
        way_on="set HOME, or FAIRTRIAL_CACHE, to a directory that can be written",
    )
    temporary = Path(tempfile.gettempdir())
    yield _place("temporary files", temporary, needed=True, way_on="set TMPDIR to such a place")
    yield _place("this directory", Path.cwd(), weaker="a run needs --out", way_on="use --out DIR")


def _place(
    name: str, path: Path, *, weaker: str = "", way_on: str = "", needed: bool = False
) -> Health:
    existing = next(place for place in (path, *path.parents) if place.exists())
    free_gib = shutil.disk_usage(existing).free / 2**30
    writable = _writable(existing)
    why = "" if writable else ", can't be written"
    if free_gib < LEAST_FREE_GIB:
        why += f", less than {LEAST_FREE_GIB:g} GiB free"
    return Health(
        group="place",
        name=name,
        here=not why,
        found=f"{path}, {free_gib:.1f} GiB free{why}",
        needed=needed,
        weaker=weaker,
        way_on=way_on,
    )


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: tried with one that never gets a name."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
