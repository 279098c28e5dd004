"""The checks of a plugin's packaging, and of what importing it does."""

import importlib.metadata
import json
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fairtrial.api import Finished
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.conformance.promise import promise, same
from fairtrial.registry import KINDS

IMPORT_TIMEOUT_S = 60.0

PROBE = """
import json, os, sys, threading
seen = []
def hook(event, args):
    if event == "open":
        path, mode, flags = args
        writes = isinstance(mode, str) and any(c in mode for c in "wax+")
        writes = writes or (mode is None and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR))
        if writes and path != os.devnull and not isinstance(path, int):
            seen.append(f"writes {path!r}")
    elif event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.system", "os.mkdir", "os.remove"):
        seen.append(event)
    elif event == "socket.connect":
        seen.append(f"connects to {args[1]!r}")
sys.path[:] = json.loads(sys.argv[1])
sys.dont_write_bytecode = True
sys.addaudithook(hook)
__import__(sys.argv[2])
if threading.active_count() > 1:
    seen.append("leaves a thread")
sys.stderr.write("".join(line + "\\n" for line in seen))
"""


def resolves(kind: str, name: str, cls: type) -> None:
    """The entry point of that name leads to the class, from one well-named, typed distribution."""
    group = KINDS[kind].group
    found = [one for one in importlib.metadata.entry_points(group=group) if one.name == name]
    same(1, len(found), f"the group {group} must have one entry point “{name}”, but the number is")
    promise(found[0].load() is cls, f"{found[0].value} is not {cls.__module__}:{cls.__name__}")
    distribution = found[0].dist
    promise(distribution is not None, f"no distribution owns the entry point “{name}”")
    bound = any(
        need.startswith("fairtrial-core")
        for need in (distribution and distribution.requires) or ()
    )
    own = distribution is not None and distribution.name == "fairtrial-core"
    promise(bound or own, "the distribution doesn't require fairtrial-core")
    is_typed(cls)


def is_typed(cls: type) -> None:
    """The package holds the file `py.typed`, so that its annotations count for its users."""
    package = cls.__module__.partition(".")[0]
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    promise(places, f"{package} is a lone module; a package can say that it is typed")
    typed = any((Path(place) / "py.typed").is_file() for place in places or ())
    promise(typed, f"{package} has no py.typed")


def imports_idly(cls: type) -> None:
    """A fresh interpreter that imports the plugin's module does nothing else."""
    done = _imported_alone(cls.__module__)
    told = done.stderr.decode(errors="replace").strip()
    same(0, done.code, f"importing {cls.__module__} fails ({told[-300:]}); its exit code")
    promise(not done.stdout, f"importing {cls.__module__} prints {done.stdout[:100]!r}")
    promise(not told, f"importing {cls.__module__} does work: {told[:300]}")


@cache
def _imported_alone(module: str) -> Finished:
    """Imports a module in an interpreter of its own; once a process, since it stays the same."""
    argv = [sys.executable, "-I", "-B", "-c", PROBE, json.dumps(sys.path), module]
    with open_local("import") as room:
        return room.run(argv, timeout_s=IMPORT_TIMEOUT_S)
