"""The harness's side of the nursery: starts it when it is first needed, and asks it for wardens."""

import atexit
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

from fairtrial.api.errors import SandboxDied

_LEAVE_S = 8.0
_HANDLE = 3
_MOST_IDLE = 8
_LOADER = {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}


class Link:
    """
    A nursery, its socket and its lock; safe to use from several threads.

    Attributes:
        pid: The nursery's process id; 0 before the first request.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._idle: list[tuple[socket.socket, int]] = []
        self.pid = 0
        self._owner = 0

    def warden(self) -> socket.socket:
        """
        Returns the socket of a warden that waits for its order: an idle one, or a new one.

        Raises:
            SandboxDied: No nursery can be started here.
        """
        with self._lock:
            if self._idle and self._alive():
                control, pid = self._idle.pop()
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
                return control
        return self._request(b"w")

    def give_back(self, control: socket.socket, pid: int) -> None:
        """
        Keeps a warden whose tree is dead for the next program.

        A fork that is saved: half of what starting a program costs.
        """
        with self._lock:
            if len(self._idle) < _MOST_IDLE and self._owner == os.getpid():
                self._idle.append((control, pid))
                return
        control.close()

    def forget_idle(self) -> None:
        """Lets the idle wardens go, which end at once."""
        with self._lock:
            self._release()

    def sweep(self, timeout_s: float = _LEAVE_S) -> int | None:
        """
        Has the orphans of killed wardens ended.

        Returns:
            How many could not be ended; None where the nursery does not answer.
        """
        try:
            with self._request(b"s") as reply:
                reply.settimeout(timeout_s)
                words = reply.recv(64).split()
        except (OSError, SandboxDied):
            return None
        return int(words[1]) if words else None

    def close(self) -> None:
        """Ends the nursery and everything under it; the next request starts a new one."""
        with self._lock:
            self._drop()

    def _request(self, letter: bytes) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            for _ in range(2):
                try:
                    with self._lock:
                        nursery = self._connected()
                        # A program may have stopped it; this costs nothing where none did.
                        os.kill(self.pid, signal.SIGCONT)
                        socket.send_fds(nursery, [letter], [theirs.fileno()])
                except OSError:
                    # It was killed; one more is started, and its orphans are init's now.
                    self.close()
                else:
                    return ours
        ours.close()
        raise SandboxDied(
            problem="the process that starts programs can't be started",
            facts=(("interpreter", sys.executable),),
            way_on="look for what kills it, or for a limit on processes (`ulimit -u`)",
        )

    def _connected(self) -> socket.socket:
        # After a fork the socket would be shared with the parent: a child gets its own.
        if self._socket is None or self._owner != os.getpid():
            if self._owner != os.getpid():
                self._socket = None
                self._release()
            self._socket, self.pid = _hatch()
            self._owner = os.getpid()
            atexit.unregister(self.close)
            atexit.register(self.close)
        return self._socket

    def _alive(self) -> bool:
        """Whether the nursery runs; without it, what its wardens lose would be nobody's."""
        if self._socket is None or self._owner != os.getpid():
            return False
        with suppress(ChildProcessError):
            if os.waitpid(self.pid, os.WNOHANG) == (0, 0):
                return True
        # It is waited for, so its number may be a stranger's from now on.
        self._socket.close()
        self._socket = None
        self._release()
        return False

    def _release(self) -> None:
        for control, _ in self._idle:
            control.close()
        self._idle.clear()

    def _drop(self) -> None:
        if self._socket is None or self._owner != os.getpid():
            return
        self._release()
        with self._socket as link, suppress(OSError):
            os.kill(self.pid, signal.SIGCONT)
            link.shutdown(socket.SHUT_WR)
            link.settimeout(_LEAVE_S)
            # Its end of the socket is closed by its death, which is what is waited for.
            link.recv(1)
        self._socket = None
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


def _hatch() -> tuple[socket.socket, int]:
    """Starts a nursery; returns its socket and its process id."""
    ours, theirs = socket.socketpair()
    folder = str(Path(__file__).parents[2])
    code = (
        f"import sys; sys.path.append({folder!r}); "
        f"from fairtrial.processes.nursery import main; main({_HANDLE})"
    )
    with theirs:
        # 3 may be the socket's own number, which dup2 would leave closed at exec.
        source = os.dup(theirs.fileno()) if theirs.fileno() == _HANDLE else theirs.fileno()
        actions = [
            *((os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(3)),
            (os.POSIX_SPAWN_DUP2, source, _HANDLE),
        ]
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-B", "-c", code],
            {name: os.environ[name] for name in _LOADER & os.environ.keys()},
            file_actions=actions,
        )
        if source != theirs.fileno():
            os.close(source)
    return ours, pid


LINK = Link()
"""The one nursery of this harness process; nothing is started before the first request."""
