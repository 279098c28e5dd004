"""The small environment that programs of a sandbox get: an allow-list, never the user's own."""

import os
import sys
from functools import lru_cache
from pathlib import Path

from fairtrial.api.sandbox import Fence
from fairtrial.processes.places import Places

FIXED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""What is pinned, so that a check doesn't depend on who runs it and where."""

_TOOL_HOMES = {"RUSTUP_HOME": ".rustup"}


def environment(places: Places, fence: Fence) -> dict[str, str]:
    """Returns the whole environment of a workspace's programs, before what a caller adds."""
    return {
        **FIXED,
        **_tool_homes(),
        "HOME": str(places.home),
        "TMPDIR": str(places.tmp),
        **fence.variables,
        "PATH": ":".join([*map(str, fence.path), fence.variables.get("PATH") or search_path()]),
    }


def search_path() -> str:
    """
    Returns the PATH of programs in a workspace.

    The interpreter that runs the harness comes first, without its virtual environment, so that
    `python3` is the same for all programs and none of them can change the harness by `pip`. Then
    comes the user's own PATH, without relative directories, missing ones, the harness's
    environment, and shims, which need the home that they were installed in.
    """
    return _search_path(os.environ.get("PATH", os.defpath), sys.executable)


@lru_cache(maxsize=8)
def _search_path(given: str, interpreter: str) -> str:
    """Looks at each directory once: a run opens two workspaces a trial."""
    own = Path(interpreter).parent
    folders = [os.path.realpath(interpreter).rpartition("/")[0]]
    for folder in given.split(":"):
        path = Path(folder)
        if not path.is_absolute() or not path.is_dir() or path.name == "shims":
            continue
        if sys.prefix == sys.base_prefix or path != own:
            folders.append(folder)
    return ":".join(dict.fromkeys(folders))


def _tool_homes() -> dict[str, str]:
    """Returns where tools that look for their parts in the user's home have them; no secrets."""
    found = {}
    for name, folder in _TOOL_HOMES.items():
        place = Path(os.environ.get(name) or Path.home() / folder)
        if place.is_dir():
            found[name] = str(place)
    return found
