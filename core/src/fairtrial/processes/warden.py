"""
The warden: a small process that starts one program and outlives everything it starts.

It makes itself the parent of every orphan below it, so that `waitpid` saying “no child left” is
the proof that the whole tree is dead, double forks and new sessions included. It talks to the
harness over a socket that the program never sees; when the harness goes away, even by SIGKILL,
the socket ends and the warden ends the tree.

What it says, one line each: `ready`; `started PID WARDEN`, or `failed STAGE ERRNO`; and at the end
`ended OWN STATUS WALL SURVIVORS` (whether the program had ended by itself, its wait status, its
seconds, and how many processes could not be ended).
"""

import contextlib
import marshal
import os
import resource
import select
import signal
import socket
import sys
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

    __slots__ = ("argv", "cwd", "env", "limits", "name", "program")

    def __init__(self, parts: dict[str, object]) -> None:
        for name in self.__slots__:
            setattr(self, name, parts[name])

    argv: list[bytes]
    cwd: bytes
    env: dict[bytes, bytes]
    limits: list[tuple[int, int]]
    name: bytes
    program: bytes


class Wakeup:
    """A descriptor that becomes readable when a child changes its state, or at `END`."""

    def __init__(self) -> None:
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
        """Forgets the signals so far; returns whether `END` was among them."""
        ended = False
        with contextlib.suppress(BlockingIOError):
            while numbers := os.read(self._read, 4096):
                ended |= END in numbers
        return ended


class Warden:
    """The state of one warden: its socket, the program it started, and when."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._wakeup = Wakeup()
        self._main = 0
        self._status: int | None = None
        self._start_s = 0.0
        self._end_s = 0.0

    def serve(self) -> None:
        """Starts the program, waits for its end or for an order to end it, ends the rest."""
        self._say("ready")
        order, handles = _receive(self._control)
        descent.rename(order.name)
        adopted = descent.adopt_orphans()
        self._start_s = time.monotonic()
        try:
            self._main = launch(order, handles)
        except LaunchError as error:
            self._say(f"failed {error.stage} {error.number}")
            return
        for handle in handles:
            os.close(handle)
        self._say(f"started {self._main} {os.getpid()}")
        own = self._watch()
        survivors = self._end_all(adopted=adopted)
        status = -1 if self._status is None else self._status
        wall_s = (self._end_s or time.monotonic()) - self._start_s
        self._say(f"ended {int(own)} {status} {wall_s:.6f} {survivors}")

    def _watch(self) -> bool:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        while self._reap() and self._status is None:
            ready = {handle for handle, _ in poll.poll()}
            if self._wakeup.clear() or self._control.fileno() in ready:
                break
        self._reap()
        return self._status is not None

    def _reap(self) -> bool:
        """Collects the dead; False once no child is left, living or dead."""
        try:
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid == self._main:
                    # As long as it is not waited for, its number stands for no other group.
                    descent.kill_group(self._main)
                    self._end_s = time.monotonic()
                pid, status = os.waitpid(ended.si_pid, 0)
                if pid == self._main:
                    self._status = status
        except ChildProcessError:
            return False
        return True

    def _end_all(self, *, adopted: bool) -> int:
        """Kills in rounds until `waitpid` knows of no child; returns how many are left."""
        deadline = time.monotonic() + KILL_S
        pause_s = 0.001
        if self._status is None:
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
            file_actions=[
                (os.POSIX_SPAWN_DUP2, handle, target) for target, handle in enumerate(handles)
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=(*HARDENED, signal.SIGXFSZ),
        )
    except OSError as error:
        raise LaunchError(stage, error.errno or 0) from error


def _receive(control: socket.socket) -> tuple[Order, list[int]]:
    head, handles, _, _ = socket.recv_fds(control, _LENGTH, 3)
    for handle in handles:
        os.set_inheritable(handle, False)
    head += _exactly(control, _LENGTH - len(head)) if head else b""
    body = _exactly(control, int.from_bytes(head, "big")) if head else b""
    if not body:
        sys.exit(0)
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
