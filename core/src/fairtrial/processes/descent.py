"""
Who descends from a process, and how to end all of them: read from `/proc`, killed in rounds.

Runs in the nursery and in its wardens, which a bare interpreter starts: only cheap modules of the
standard library are imported here, no attrs.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Collection, Iterator, Mapping

SET_CHILD_SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER` of `prctl(2)`."""
SET_DUMPABLE = 4
"""`PR_SET_DUMPABLE` of `prctl(2)`."""
SET_NAME = 15
"""`PR_SET_NAME` of `prctl(2)`."""

PROVABLE = sys.platform == "linux"
"""Whether death can be proved here: Linux has subreapers, so that no orphan gets away."""
_LAST_FEW = 8

# Loaded before the wardens are forked, since each of them needs it at once.
_LIBC = ctypes.CDLL(None)
_ZERO = ctypes.c_ulong(0)


class Kin:
    """One process as `/proc/<pid>/stat` tells it (see `proc_pid_stat(5)`)."""

    __slots__ = ("group", "living", "parent", "pid", "started")

    def __init__(self, stat: bytes) -> None:
        pid, _, rest = stat.partition(b" (")
        # The name in parentheses may itself hold spaces and parentheses, hence the last one.
        fields = rest[rest.rindex(b")") + 2 :].split()
        self.pid = int(pid)
        self.living = fields[0] not in b"ZX"
        self.parent = int(fields[1])
        self.group = int(fields[2])
        self.started = int(fields[19])


def adopt_orphans() -> bool:
    """Makes the caller the parent of every orphan below it; False where the system can't."""
    return PROVABLE and _prctl(SET_CHILD_SUBREAPER, ctypes.c_ulong(1))


def hide_memory() -> None:
    """Keeps processes of the same user from reading or tracing the caller, where possible."""
    if PROVABLE:
        _prctl(SET_DUMPABLE, ctypes.c_ulong(0))


def rename(name: bytes) -> None:
    """Names the caller for people (and for `pkill`); the kernel keeps 15 bytes."""
    if PROVABLE:
        _prctl(SET_NAME, ctypes.create_string_buffer(name[:15]))


def census() -> dict[int, Kin]:
    """Returns all processes of the machine, by process id; empty where there is no `/proc`."""
    return {kin.pid: kin for kin in _read_all()}


def below(root: int, people: Mapping[int, Kin], spare: Collection[int] = ()) -> list[Kin]:
    """
    Returns the descendants of a process, parents before children.

    Args:
        root: The process whose descendants are asked for; not itself among them.
        people: What `census` returned.
        spare: Process ids that are left out together with all that descends from them.
    """
    children: dict[int, list[Kin]] = {}
    for kin in people.values():
        children.setdefault(kin.parent, []).append(kin)
    found: list[Kin] = []
    queue = [root]
    while queue:
        young = [kin for kin in children.pop(queue.pop(), ()) if kin.pid not in spare]
        found += young
        queue += [kin.pid for kin in young]
    return found


def kill_below(root: int, spare: Collection[int] = ()) -> int:
    """
    Sends SIGKILL to each living descendant once, and to the groups they are in.

    Killing by group is atomic against `fork`: what forks faster than it can be listed dies too.

    Returns:
        How many were found alive.
    """
    victims = [kin for kin in below(root, census(), spare) if kin.living]
    groups = {kin.group for kin in victims} - {os.getpgrp(), 0, 1}
    # A process can only join a group of its own session, so these groups hold no stranger.
    for group in groups:
        kill_group(group)
    for kin in victims:
        _kill_exactly(kin, direct=kin.parent == root)
    return len(victims)


def hunt(tries: int) -> int:
    """
    Kills children of the caller among the processes that were started last.

    What forks, exits and starts a new session in each generation is gone before a list of all
    processes is read. Process ids are given out in order, so its next generation is among the
    last few; to ask whether one is a child takes a microsecond.

    Args:
        tries: How often to look, some ten microseconds each.

    Returns:
        How many were killed.
    """
    killed = 0
    for _ in range(tries):
        last = _newest()
        for pid in range(last, max(last - _LAST_FEW, 1), -1):
            if is_child(pid):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def is_child(pid: int) -> bool:
    """Tells whether a process is a living child of the caller; it is not waited for."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def kill_group(group: int) -> None:
    """Sends SIGKILL to a process group; one that is gone is fine."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _kill_exactly(kin: Kin, *, direct: bool) -> None:
    # A child that was not waited for keeps its number. A deeper one may be gone and its number
    # given to a stranger, so it is held by a descriptor and looked at again first.
    try:
        if direct or not hasattr(os, "pidfd_open"):
            os.kill(kin.pid, signal.SIGKILL)
            return
        handle = os.pidfd_open(kin.pid)
        try:
            if _read(kin.pid).started == kin.started:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return


def _newest() -> int:
    """Returns the process id that was given out last (`proc_loadavg(5)`, last field)."""
    handle = os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(os.read(handle, 256).split()[-1])
    finally:
        os.close(handle)


def _read_all() -> Iterator[Kin]:
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - pathlib takes 10 ms to import, in a process that starts in 20
    except OSError:
        return
    for name in names:
        if name.isdigit():
            try:
                yield _read(int(name))
            except (OSError, ValueError):
                continue


def _read(pid: int) -> Kin:
    handle = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return Kin(os.read(handle, 4096))
    finally:
        os.close(handle)


def _prctl(option: int, argument: object) -> bool:
    return bool(_LIBC.prctl(option, argument, _ZERO, _ZERO, _ZERO) == 0)
