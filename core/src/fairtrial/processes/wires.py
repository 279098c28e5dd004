"""The wires to one program: its warden's socket and its pipes; how they are laid and cut."""

import errno
import os
import signal
import socket
import sys
import threading
from contextlib import suppress

from attrs import define, field

from fairtrial.api.errors import SandboxDied
from fairtrial.processes.descent import PROVABLE
from fairtrial.processes.job import Job
from fairtrial.processes.link import LINK

_START_S = 30.0


@define
class Wires:
    """
    What connects the harness with one running program.

    Attributes:
        control: The warden's socket: one byte asks it to end the tree, its end is the answer.
        out: The reading end of stdout.
        err: The reading end of stderr.
        stdin: The writing end of stdin; None where the program reads `/dev/null`.
        pid: The program's process id.
        warden: The warden's process id.
        limited: Whether the program has limits, which its warden then has for ever.
    """

    control: socket.socket
    out: int
    err: int
    stdin: int | None
    pid: int
    warden: int
    limited: bool
    _asked: bool = False
    _control_lock: threading.Lock = field(factory=threading.Lock)
    _stdin_lock: threading.Lock = field(factory=threading.Lock)

    def ask_to_end(self) -> None:
        """Has the warden kill the tree; one that is gone is noticed elsewhere."""
        with self._control_lock, suppress(OSError):
            self._asked = True
            self.control.send(b"k")
            # The program may have stopped its warden.
            os.kill(self.warden, signal.SIGCONT)

    def kill_warden(self) -> None:
        """Kills a warden that does not answer; the nursery then ends what it leaves."""
        with suppress(ProcessLookupError):
            os.kill(self.warden, signal.SIGKILL)

    def offer(self, data: memoryview) -> int:
        """Writes what stdin takes at once; returns how many bytes need no further offer."""
        try:
            return 0 if self.stdin is None else os.write(self.stdin, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return sys.maxsize

    def write(self, data: bytes) -> None:
        """Writes all of it to stdin, waiting as long as the program makes it wait."""
        with self._stdin_lock:
            rest = memoryview(data)
            try:
                while rest and self.stdin is not None:
                    rest = rest[os.write(self.stdin, rest) :]
            except OSError as error:
                # Whoever no longer reads may do so; it is not the writer's failure.
                if error.errno not in {errno.EPIPE, errno.EBADF}:
                    raise

    def close_stdin(self) -> None:
        """Lets the program read the end of its stdin; may be called twice."""
        with self._stdin_lock:
            if self.stdin is not None:
                os.close(self.stdin)
                self.stdin = None

    def cut(self, *, clean: bool) -> None:
        """
        Closes everything that is still open.

        Args:
            clean: Whether the warden said that the whole tree is dead, and may serve again.
        """
        with self._control_lock:
            if clean and PROVABLE and not self._asked and not self.limited:
                # The number stays with the socket that is handed on, and not with this one.
                LINK.give_back(socket.socket(fileno=self.control.detach()), self.warden)
            self.control.close()
        self.close_stdin()
        os.close(self.out)
        os.close(self.err)


def lay(job: Job, *, stdin: bool) -> Wires:
    """
    Starts a program and returns the wires to it.

    Raises:
        SandboxDied: The warden, or the place in which the program should start, is gone.
        FileNotFoundError: The program isn't there.
        OSError: It can't be run, such as for want of permission, with `filename` set.
        ValueError: Its arguments hold a NUL.
    """
    order = job.encode()
    theirs: list[int] = []
    ours: list[int] = []
    try:
        theirs.append(_stdin(ours) if stdin else os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        for _ in range(2):
            read, write = os.pipe()
            ours.append(read)
            theirs.append(write)
        control, pid, warden = _started(order, theirs, job)
    except BaseException:
        for handle in ours:
            os.close(handle)
        raise
    finally:
        for handle in theirs:
            os.close(handle)
    out, err = ours[-2:]
    return Wires(
        control, out, err, ours[0] if stdin else None, pid, warden, bool(job.limits.pairs())
    )


def _stdin(ours: list[int]) -> int:
    read, write = os.pipe()
    ours.append(write)
    return read


def _started(order: bytes, handles: list[int], job: Job) -> tuple[socket.socket, int, int]:
    for _ in range(3):
        control = LINK.warden()
        words = _order(control, order, handles)
        if words[:1] == ["started"]:
            control.setblocking(False)
            return control, int(words[1]), int(words[2])
        control.close()
        if words[:1] == ["failed"]:
            raise _failure(words[1], int(words[2]), job)
        if words:
            break
        # Nothing was started: an idle warden had died, or the nursery with the request in hand.
        LINK.forget_idle()
    LINK.sweep()
    raise SandboxDied(
        problem=f"the process that should start “{job.argv[0]}” died",
        way_on="look for what kills it, such as the kernel's out-of-memory killer",
    )


def _order(control: socket.socket, order: bytes, handles: list[int]) -> list[str]:
    """Returns the words of the warden's answer; `ready` alone, or nothing, if it died."""
    control.settimeout(_START_S)
    words: list[str] = []
    with suppress(OSError):
        sent = socket.send_fds(control, [order], handles)
        control.sendall(memoryview(order)[sent:])
    with suppress(OSError):
        words = _answer(control)
        words = _answer(control) or words
    return words


def _answer(control: socket.socket) -> list[str]:
    line = b""
    # One byte at a time: what follows the line belongs to whoever reads the socket next.
    while not line.endswith(b"\n"):
        byte = control.recv(1)
        if not byte:
            return []
        line += byte
    return line.decode().split()


def _failure(stage: str, number: int, job: Job) -> Exception:
    if stage == "exec":
        return OSError(number, os.strerror(number), job.argv[0])
    if stage == "chdir":
        return SandboxDied(
            problem=f"“{job.argv[0]}” can't start in its directory",
            facts=(("directory", str(job.cwd)), ("because", os.strerror(number))),
            way_on="something removed it, or took the right to enter it, while it was in use",
        )
    return SandboxDied(
        problem=f"“{job.argv[0]}” can't be started",
        facts=(("at", stage), ("because", os.strerror(number))),
        way_on="look at this machine's limits (`ulimit -a`)",
    )
