"""
The nursery: one small process beside the harness, from which all wardens are forked.

Forking a bare interpreter takes about a millisecond, starting one takes twenty; and the harness,
which has threads, must not fork at all. The nursery is the parent of every warden and, should a
program kill its own warden, of the orphans: those it kills at once. It ends when its socket does.

One request is one byte and one descriptor: `w` forks a warden that serves the socket passed along;
`s` sweeps orphans, and answers on that socket how many could not be ended.
"""

import contextlib
import gc
import os
import resource
import select
import signal
import socket
import sys
import time

from fairtrial.processes import descent
from fairtrial.processes.warden import END, HARDENED, KILL_S, Wakeup, Warden

_MOST_HANDLES = 4096


class Nursery:
    """The state of the nursery process: its socket and its living wardens."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._wakeup = Wakeup()
        self._wardens: set[int] = set()

    def serve(self) -> None:
        """Answers requests until the harness is gone, then waits for the wardens to end."""
        poll = select.poll()
        poll.register(self._requests, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        open_ = True
        while open_:
            ready = dict(poll.poll())
            self._wakeup.clear()
            if self._reap():
                self._sweep()
            asked = ready.get(self._requests.fileno(), 0)
            if asked & select.POLLHUP:
                break  # What a harness that is gone had still asked for is not begun.
            if asked:
                open_ = self._answer()
        self._leave()

    def _answer(self) -> bool:
        try:
            request, handles, _, _ = socket.recv_fds(self._requests, 1, 1)
        except OSError:
            return False
        for handle in handles:
            with socket.socket(fileno=handle) as reply:
                reply.set_inheritable(False)
                if request == b"w":
                    self._fork(reply)
                else:
                    self._reap()
                    self._tell(reply, self._sweep())
        return bool(request)

    def _fork(self, control: socket.socket) -> None:
        try:
            pid = os.fork()
        except OSError:
            return  # The closing of the socket tells the harness.
        if pid:
            self._wardens.add(pid)
            return
        code = 1
        try:
            self._requests.close()
            Warden(control).serve()
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> bool:
        """Collects the dead; True if one of them was an orphan, or a warden that was killed."""
        strange = False
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                strange |= pid not in self._wardens or status != 0
                self._wardens.discard(pid)
        return strange

    def _sweep(self) -> int:
        """Kills all that descends from the nursery and from no living warden."""
        deadline = time.monotonic() + KILL_S
        while left := descent.kill_below(os.getpid(), self._wardens):
            select.select([self._wakeup], [], [], 0.002)
            self._wakeup.clear()
            self._reap()
            if time.monotonic() > deadline:
                break
        return left

    def _tell(self, reply: socket.socket, left: int) -> None:
        with contextlib.suppress(OSError):
            reply.sendall(f"swept {left}\n".encode())

    def _leave(self) -> None:
        deadline = time.monotonic() + KILL_S + 1
        self._reap()
        for warden in self._wardens:
            os.kill(warden, END)
        while self._wardens and time.monotonic() < deadline:
            select.select([self._wakeup], [], [], 0.5)
            self._wakeup.clear()
            self._reap()
        self._wardens.clear()
        self._sweep()


def main(handle: int) -> None:
    """Runs the nursery on an inherited socket; returns when the other end is closed."""
    os.set_inheritable(handle, False)
    os.closerange(handle + 1, _MOST_HANDLES)
    os.setsid()
    os.chdir("/")
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in HARDENED:
        signal.signal(number, signal.SIG_IGN)
    descent.adopt_orphans()
    descent.hide_memory()
    descent.rename(b"fairtrial-nurse")
    gc.disable()
    gc.freeze()
    with socket.socket(fileno=handle) as requests:
        Nursery(requests).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
