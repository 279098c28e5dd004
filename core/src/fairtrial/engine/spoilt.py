"""
Programs that an attempt is known to have changed, kept over the end of a run.

A run in a new process would take what it finds for what ought to be there. What is kept is what the
file was like when the change was found; it no longer counts once it is another one.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import structlog
from platformdirs import user_cache_path

NAME = "changed-programs.json"


def remember(paths: Iterable[str]) -> None:
    """Keeps what these files are like now, with those that were kept before."""
    place = _place()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        kept = {**_read(place), **{path: _looks(path) for path in paths}}
        place.write_text(json.dumps(kept, indent=1, sort_keys=True), encoding="utf-8")
    except OSError as error:
        structlog.get_logger().warning("changed programs not kept", because=error.strerror)


def still() -> tuple[str, ...]:
    """Returns the files that are as an attempt has left them; forgets the others."""
    place = _place()
    kept = _read(place)
    if not kept:
        return ()
    left = {path: looks for path, looks in kept.items() if _looks(path) == looks}
    if not left:
        place.unlink(missing_ok=True)
    return tuple(sorted(left))


def _place() -> Path:
    root = os.environ.get("FAIRTRIAL_CACHE")
    return (Path(root) if root else user_cache_path("fairtrial")) / NAME


def _read(place: Path) -> dict[str, str]:
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _looks(path: str) -> str:
    try:
        status = os.lstat(path)
    except OSError:
        return "gone"
    return f"{status.st_dev} {status.st_ino} {status.st_size} {status.st_ctime_ns}"
