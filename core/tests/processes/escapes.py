"""
Ways in which a program tries to outlive its end; run as `escapes.py TOKEN TRICK…`.

The token is in the command line of every process, so that a test can find those that got away.
Each lives for a minute at most by itself, so that a failed test leaves nothing for long.
"""

import os
import signal
import sys
import time

MINUTE_S = 60.0


def linger() -> None:
    time.sleep(MINUTE_S)
    os._exit(0)


def child(body):
    if os.fork() == 0:
        try:
            body()
        finally:
            os._exit(0)


def double_fork():
    child(lambda: child(linger))


def new_session():
    def body():
        os.setsid()
        child(linger)

    child(body)


def holds_the_pipe():
    def body():
        os.setsid()
        for _ in range(int(MINUTE_S * 10)):
            os.write(1, b"still here\n")
            time.sleep(0.1)

    child(body)


def ignores_signals():
    def body():
        for number in set(range(1, 32)) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
            signal.signal(number, signal.SIG_IGN)
        linger()

    child(body)


def bomb():
    def body(depth=5):
        for _ in range(2):
            if depth:
                child(lambda: body(depth - 1))
        linger()

    child(body)


def comet(escape_group=True):
    def body():
        end = time.monotonic() + MINUTE_S
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            if escape_group:
                os.setsid()

    child(body)


def comet_in_its_group():
    comet(escape_group=False)


def stopped():
    def body():
        os.kill(os.getpid(), signal.SIGSTOP)
        linger()

    child(body)


def bare_environment():
    def body():
        os.chdir("/")
        code = "import time; time.sleep(60)"
        os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})

    child(body)


def layers():
    def body(depth=12):
        os.setsid()
        if depth:
            child(lambda: body(depth - 1))
        if depth % 3:
            os._exit(0)
        linger()

    child(body)


def stops_the_warden():
    os.kill(os.getppid(), signal.SIGSTOP)
    linger()


def kills_the_warden():
    double_fork()
    new_session()
    os.kill(os.getppid(), signal.SIGKILL)
    linger()


def kills_warden_and_nursery():
    double_fork()
    new_session()
    warden = os.getppid()
    with open(f"/proc/{warden}/stat", "rb") as file:
        nursery = int(file.read().rpartition(b")")[2].split()[1])
    os.kill(nursery, signal.SIGKILL)
    os.kill(warden, signal.SIGKILL)
    linger()


if __name__ == "__main__":
    for trick in sys.argv[2:]:
        globals()[trick]()
    print("done", flush=True)
