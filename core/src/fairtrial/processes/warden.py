"""
The warden: a small process that starts one program and outlives everything it starts.

It makes itself the parent of every orphan below it, so that `waitpid` saying “no child left” is
the proof that the whole tree is dead, double forks and new sessions included. It talks to the
harness over a socket that the program never sees; when the harness goes away, even by SIGKILL,
the socket ends and the warden ends the tree.

What it says, one line each: `ready`; `started PID WARDEN`, or `failed STAGE ERRNO`; and at the end
`ended OWN STATUS WALL SURVIVORS CPU` (whether the program had ended by itself, its wait status, its
seconds, how many processes could not be ended, and the microseconds of CPU time that all of them
used, -1 where that is not known).
"""

import contextlib
import marshal
import os
import resource
import select
import signal
import socket
import time

from fairtrial.processes import descent

KILL_S = 5.0
"""Seconds after which a tree that does not die is given up and reported."""
END = signal.SIGUSR1
"""What the nursery sends its wardens when it is closed, to have them end their trees."""
HARDENED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
"""Signals that the nursery and its wardens ignore: they end when their sockets do."""

_LENGTH = 8
_TRIES = 50


class Order:
    """What to start, as the harness sent it; see `fairtrial.processes.job.Job`."""

    __slots__ = ("argv", "cwd", "env", "limits", "name", "program", "status")

    def __init__(self, parts: dict[str, object]) -> None:
        for name in self.__slots__:
            setattr(self, name, parts[name])

    argv: list[bytes]
    cwd: bytes
    env: dict[bytes, bytes]
    limits: list[tuple[int, int]]
    name: bytes
    program: bytes
    status: bytes


class Wakeup:
    """A descriptor that becomes readable when a child changes its state, or at `END`."""

    def __init__(self) -> None:
        self._ended = False
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        for number in (signal.SIGCHLD, END):
            signal.signal(number, _nothing)
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)

    def fileno(self) -> int:
        """Returns the descriptor to wait on."""
        return self._read

    def clear(self) -> bool:
        """Forgets the signals so far; returns whether `END` was ever among them."""
        with contextlib.suppress(BlockingIOError):
            while numbers := os.read(self._read, 4096):
                self._ended |= END in numbers
        return self._ended


class Warden:
    """The state of one warden: its socket, the program it started, and when."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._wakeup = Wakeup()
        self._main = 0
        self._status: int | None = None
        self._start_s = 0.0
        self._end_s = 0.0
        self._past_us = 0

    def serve(self) -> None:
        """Serves one order after the other, until the harness wants no more."""
        while (received := self._next_order()) and self._serve(*received):
            # Idle, it stands in nobody's directory and bears nobody's name.
            os.chdir("/")
            descent.rename(b"ft idle")

    def _next_order(self) -> "tuple[Order, list[int]] | None":
        while not self._wakeup.clear():
            asked = self._wait().get(self._control.fileno(), 0)
            if asked & select.POLLHUP:
                return None  # The harness is gone: what it had still asked for is not begun.
            if asked:
                return _receive(self._control)
        return None

    def _wait(self) -> dict[int, int]:
        """Waits for the harness, or for a signal; returns what is ready, and in which way."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        return dict(poll.poll())

    def _serve(self, order: Order, handles: list[int]) -> bool:
        """Starts a program, waits for its end or for a request to end it, ends the rest."""
        self._say("ready")
        descent.rename(order.name)
        adopted = descent.adopt_orphans()
        self._begin()
        try:
            self._main = launch(order, handles)
        except LaunchError as error:
            self._say(f"failed {error.stage} {error.number}")
            return False
        for handle in handles:
            os.close(handle)
        self._say(f"started {self._main} {os.getpid()}")
        own = self._watch()
        survivors = self._end_all(adopted=adopted)
        status = -1 if self._status is None else self._status
        wall_s = (time.monotonic() if self._status is None else self._end_s) - self._start_s
        cpu_us = self._cpu_us() if adopted and not survivors else -1
        self._say(f"ended {int(own)} {status} {wall_s:.6f} {survivors} {cpu_us}")
        return adopted and not survivors and not order.limits

    def _begin(self) -> None:
        self._main, self._status = 0, None
        self._start_s = time.monotonic()

    def _watch(self) -> bool:
        while self._reap() and self._status is None:
            ready = self._wait()
            if self._wakeup.clear() or self._control.fileno() in ready:
                break
        self._reap()
        return self._status is not None

    def _reap(self) -> bool:
        """Collects the dead; False once no child is left, living or dead."""
        try:
            while True:
                pid, status = self._collect()
                if pid == 0:
                    return True
                if pid == self._main:
                    self._status, self._end_s = status, time.monotonic()
        except ChildProcessError:
            return False

    def _collect(self) -> tuple[int, int]:
        """Waits for one that is dead already; 0 as its number where none is."""
        if not hasattr(os, "waitid"):  # macOS, before Python 3.13
            return os.waitpid(-1, os.WNOHANG)
        ended: os.waitid_result | None = os.waitid(
            os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT
        )
        if ended is None:
            return 0, 0
        if ended.si_pid == self._main:
            # As long as it is not waited for, its number stands for no other group.
            descent.kill_group(self._main)
        return os.waitpid(ended.si_pid, 0)

    def _end_all(self, *, adopted: bool) -> int:
        """Kills in rounds until `waitpid` knows of no child; returns how many are left."""
        deadline = time.monotonic() + KILL_S
        pause_s = 0.001
        if self._status is None or not adopted:
            descent.kill_group(self._main)
        while self._reap():
            found = descent.kill_below(os.getpid()) if adopted else 0
            if time.monotonic() > deadline:
                return max(found, 1)
            select.select([self._wakeup], [], [], pause_s)
            self._wakeup.clear()
            # What is still there after a round of killing may be faster than the listing.
            found += descent.hunt(_TRIES) if adopted and self._reap() else 0
            pause_s = 0.0 if found else min(pause_s * 1.5 + 0.001, 0.05)
        return 0

    def _cpu_us(self) -> int:
        """Returns what the tree used that was collected last, killed ones and orphans included."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        past_us, self._past_us = self._past_us, round((used.ru_utime + used.ru_stime) * 1e6)
        return self._past_us - past_us

    def _say(self, line: str) -> None:
        # The harness may be gone; the killing went on regardless.
        with contextlib.suppress(OSError):
            self._control.sendall(line.encode() + b"\n")


class LaunchError(Exception):
    """The program could not be started."""

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(stage, number)
        self.stage = stage
        self.number = number


def launch(order: Order, handles: list[int]) -> int:
    """
    Starts a program in a session of its own and returns its process id.

    The place and the limits are set on the caller and inherited, since `posix_spawn`, which is
    twice as fast as a second fork, can't set them.

    Args:
        order: What to start.
        handles: What becomes its stdin, stdout and stderr.

    Raises:
        LaunchError: With the stage (`chdir`, `limit`, `exec`) and the error number.
    """
    stage = "chdir"
    try:
        os.chdir(order.cwd)
        stage = "limit"
        for what, most in order.limits:
            _, hard = resource.getrlimit(what)
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (least, least))
        stage = "exec"
        return os.posix_spawn(
            order.program,
            order.argv,
            order.env,
            file_actions=_descriptors(order, handles),
            setsid=True,
            setsigmask=(),
            setsigdef=(*HARDENED, signal.SIGXFSZ),
        )
    except OSError as error:
        raise LaunchError(stage, error.errno or 0) from error


def _descriptors(order: Order, handles: list[int]) -> list[tuple[object, ...]]:
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_DUP2, handle, target) for target, handle in enumerate(handles)
    ]
    if order.status:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        actions.append((os.POSIX_SPAWN_OPEN, len(handles), order.status, flags, 0o600))
    return actions


def _receive(control: socket.socket) -> tuple[Order, list[int]] | None:
    """Returns the next order and its three descriptors; None where the harness is gone."""
    head, handles, _, _ = socket.recv_fds(control, _LENGTH, 3)
    for handle in handles:
        os.set_inheritable(handle, False)
    head += _exactly(control, _LENGTH - len(head)) if head else b""
    body = _exactly(control, int.from_bytes(head, "big")) if head else b""
    if not body:
        return None
    return Order(marshal.loads(body)), handles  # noqa: S302 - written by the harness, over a private socket


def _exactly(control: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        piece = control.recv(size - len(parts))
        if not piece:
            return b""
        parts += piece
    return bytes(parts)


def _nothing(_number: int, _frame: object) -> None:
    """Lets a signal wake a wait without doing anything."""
