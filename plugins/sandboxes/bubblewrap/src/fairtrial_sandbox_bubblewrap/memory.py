"""A limit on the memory of all programs of a workspace together, where control groups allow it."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen

MOUNTED = Path("/sys/fs/cgroup")
_PATIENCE_S = 1.0


@frozen(kw_only=True)
class Group:
    """
    One control group, made for one workspace.

    Attributes:
        path: Its directory.
        limit: The file that takes the limit, in bytes.
        kills: The file that counts what the kernel killed.
    """

    path: Path
    limit: str
    kills: str

    def entering(self) -> list[str]:
        """Returns what starts a program in the group: a shell that enters it and goes away."""
        enter = 'echo $$ > "$0" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.path / "cgroup.procs")]

    @property
    def starved(self) -> bool:
        """Whether the kernel killed something in it for want of memory."""
        return (self._told(self.kills, "oom_kill") or 0) > 0

    def cpu_us(self) -> int | None:
        """Returns the CPU microseconds of all that was ever in it; None in version 1."""
        return self._told("cpu.stat", "usage_usec")

    def _told(self, file: str, wanted: str) -> int | None:
        with suppress(OSError, ValueError):
            for line in (self.path / file).read_text(encoding="ascii").splitlines():
                name, value = line.split()
                if name == wanted:
                    return int(value)
        return None

    def set_up(self, memory_mb: int) -> bool:
        """Makes the group and sets its limit; False where that is not allowed here."""
        try:
            self.path.mkdir()
            (self.path / self.limit).write_text(str(memory_mb << 20), encoding="ascii")
        except OSError:
            self.remove()
            return False
        for name in ("memory.swap.max", "memory.memsw.limit_in_bytes"):
            value = "0" if name == "memory.swap.max" else str(memory_mb << 20)
            with suppress(OSError):
                if (self.path / name).exists():
                    (self.path / name).write_text(value, encoding="ascii")
        return True

    def remove(self) -> None:
        """Removes the group; the kernel needs a moment to see that it is empty."""
        until = time.monotonic() + _PATIENCE_S
        while self.path.is_dir():
            with suppress(OSError):
                self.path.rmdir()
                return
            if time.monotonic() > until:
                return
            time.sleep(0.005)


@contextmanager
def limited(memory_mb: int | None, mounted: Path = MOUNTED) -> Iterator[Group | None]:
    """
    Makes a group with a limit and removes it; None where no limit is asked for, or none can be.

    Args:
        memory_mb: The limit, in MiB.
        mounted: Where the control groups are.
    """
    group = None if memory_mb is None else next(_allowed(memory_mb, mounted), None)
    try:
        yield group
    finally:
        if group is not None:
            group.remove()


def _allowed(memory_mb: int, mounted: Path) -> Iterator[Group]:
    name = f"fairtrial-{os.getpid()}-{secrets.token_hex(4)}"
    for group in _candidates(name, mounted, _own_groups()):
        if group.set_up(memory_mb):
            yield group


def _candidates(name: str, mounted: Path, own: dict[str, str]) -> Iterator[Group]:
    """Yields groups that might be made: with version 1 of control groups, then with version 2."""
    if "memory" in own:
        top = mounted / "memory"
        for parent in _upwards(top, own["memory"]):
            yield Group(
                path=parent / name, limit="memory.limit_in_bytes", kills="memory.oom_control"
            )
    if "" in own:
        for parent in _upwards(mounted, own[""]):
            if _hands_down_memory(parent):
                yield Group(path=parent / name, limit="memory.max", kills="memory.events")


def _own_groups() -> dict[str, str]:
    """Returns the caller's own groups, by controller; `` for version 2 (`cgroups(7)`)."""
    groups: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            groups |= dict.fromkeys(controllers.split(","), path)
    return groups


def _upwards(top: Path, own: str) -> Iterator[Path]:
    place = top / own.lstrip("/")
    for parent in (place, *place.parents):
        if parent.is_dir() and os.access(parent, os.W_OK):
            yield parent
        if parent == top:
            return


def _hands_down_memory(parent: Path) -> bool:
    try:
        return "memory" in (parent / "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False
