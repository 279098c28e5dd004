"""
Sees what a plugin's Python code does to the machine: files written, children, connections.

Built on audit hooks (PEP 578). Such a hook can't be taken out again, so one is set at first use
and does nothing but look at a list while nobody watches.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from attrs import define, field

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
TREE_EVENTS = frozenset(
    {
        "os.chmod",
        "os.link",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.symlink",
        "os.truncate",
        "os.utime",
        "shutil.rmtree",
    }
)
CHILD_EVENTS = frozenset(
    {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
)
LINK_EVENTS = frozenset({"os.link", "os.symlink"})
LOOK_EVENTS = frozenset({"os.listdir", "os.scandir", "glob.glob"})


@define
class Seen:
    """What was seen while a watch was on."""

    written: list[Path] = field(factory=list)
    """Paths that were opened for writing, made, moved or removed."""
    read: list[Path] = field(factory=list)
    """Paths that were opened for reading, or directories that were listed."""
    children: list[str] = field(factory=list)
    """Programs that were started."""
    connected: list[str] = field(factory=list)
    """Addresses that were connected to."""

    def written_outside(self, *roots: Path) -> list[str]:
        """Returns the written paths that are below none of the roots."""
        real = [Path(os.path.realpath(root)) for root in roots]
        return [
            str(path)
            for path in self.written
            if not any(path == root or root in path.parents for root in real)
        ]


_watching: list[Seen] = []
_lock = threading.Lock()
_state = {"hooked": False}


@contextmanager
def watch() -> Iterator[Seen]:
    """Notes what is done inside the block, in any thread; the core's own doings are left out."""
    with _lock:
        if not _state["hooked"]:
            sys.addaudithook(_hook)
            _state["hooked"] = True
    seen = Seen()
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


def _hook(event: str, args: tuple[object, ...]) -> None:
    if not _watching or not _wanted(event) or _is_ours(sys._getframe(1)):  # noqa: SLF001  # no public way to the frame
        return
    for seen in _watching:
        _note(seen, event, args)


def _wanted(event: str) -> bool:
    return (
        event in ("open", "socket.connect")
        or event in TREE_EVENTS
        or event in CHILD_EVENTS
        or event in LOOK_EVENTS
    )


def _is_ours(frame: FrameType | None) -> bool:
    """Whether the core itself is at work here, on the plugin's behalf; or the import system."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("importlib."):
            return True
        if name.startswith("fairtrial.") and not name.startswith("fairtrial.conformance"):
            return True
        frame = frame.f_back
    return False


def _note(seen: Seen, event: str, args: tuple[object, ...]) -> None:
    if event in CHILD_EVENTS:
        seen.children.append(str(args[0] if args else event))
    elif event == "socket.connect":
        seen.connected.append(repr(args[1]))
    elif event in ("os.remove", "os.rmdir") and args[1] != -1:
        # Relative to an open folder: a part of `shutil.rmtree`, which was noted by its own event.
        return
    elif event == "open":
        path = _path(args[0])
        if path is not None:
            (seen.written if _opens_for_writing(args) else seen.read).append(path)
    # A link is written where it lies, wherever it leads.
    elif (path := _path(args[1 if event in LINK_EVENTS else 0])) is not None:
        (seen.read if event in LOOK_EVENTS else seen.written).append(path)


def _opens_for_writing(args: tuple[object, ...]) -> bool:
    mode, flags = args[1], args[2]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & WRITE_FLAGS)


def _path(value: object) -> Path | None:
    if not isinstance(value, str | bytes | os.PathLike):
        return None  # a descriptor that is open already
    path = Path(os.path.realpath(os.fsdecode(value)))
    return None if path == Path(os.devnull) else path
