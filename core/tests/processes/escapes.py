"""
Ways in which a program tries to outlive its end; run as `escapes.py TOKEN TRICK…`.

The token is in the command line of every process, so that a test can find those that got away.
Each lives for a minute at most by itself, so that a failed test leaves nothing for long.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

MINUTE_S = 60.0


def linger() -> None:
    time.sleep(MINUTE_S)
    os._exit(0)


def child(body: Callable[[], None]) -> None:
    if os.fork() == 0:
        try:
            body()
        finally:
            os._exit(0)


def double_fork() -> None:
    child(lambda: child(linger))


def new_session() -> None:
    def body() -> None:
        os.setsid()
        child(linger)

    child(body)


def holds_the_pipe() -> None:
    def body() -> None:
        os.setsid()
        for _ in range(int(MINUTE_S * 10)):
            os.write(1, b"still here\n")
            time.sleep(0.1)

    child(body)


def ignores_signals() -> None:
    def body() -> None:
        for number in set(range(1, 32)) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
            signal.signal(number, signal.SIG_IGN)
        linger()

    child(body)


def bomb() -> None:
    def body(depth: int = 5) -> None:
        for _ in range(2):
            if depth:
                child(lambda: body(depth - 1))
        linger()

    child(body)


def comet(*, escape_group: bool = True) -> None:
    def body() -> None:
        # It is never seen in a list of processes, so it leaves a sign of life that can be.
        beat = os.open("beat", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        end = time.monotonic() + MINUTE_S
        while time.monotonic() < end:
            os.write(beat, b".")
            if os.fork():
                os._exit(0)
            if escape_group:
                os.setsid()

    child(body)


def comet_in_its_group() -> None:
    comet(escape_group=False)


def stopped() -> None:
    def body() -> None:
        os.kill(os.getpid(), signal.SIGSTOP)
        linger()

    child(body)


def bare_environment() -> None:
    def body() -> None:
        os.chdir("/")
        code = "import time; time.sleep(60)"
        os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})

    child(body)


def layers() -> None:
    def body(depth: int = 12) -> None:
        os.setsid()
        if depth:
            child(lambda: body(depth - 1))
        if depth % 3:
            os._exit(0)
        linger()

    child(body)


def stops_the_warden() -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    linger()


def kills_the_warden() -> None:
    double_fork()
    new_session()
    os.kill(os.getppid(), signal.SIGKILL)
    linger()


def kills_warden_and_nursery() -> None:
    double_fork()
    new_session()
    warden = os.getppid()
    nursery = int(Path(f"/proc/{warden}/stat").read_bytes().rpartition(b")")[2].split()[1])
    os.kill(nursery, signal.SIGKILL)
    os.kill(warden, signal.SIGKILL)
    linger()


if __name__ == "__main__":
    for trick in sys.argv[2:]:
        globals()[trick]()
    os.write(1, b"done\n")
