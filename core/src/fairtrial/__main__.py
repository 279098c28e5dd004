"""The program: what `fairtrial` and `python -m fairtrial` start."""

import os
import sys
import threading
import time

from fairtrial.cli.app import main

PATIENCE_S = 5.0
"""Seconds that threads of plugins may take to end once the command has."""


def command() -> int:
    """
    Runs the command line of this process; returns the exit code.

    A plugin may leave a thread that never ends, which Python would wait for. All that the command
    had to say is said and kept by then, so that it is waited for a few seconds only.
    """
    code = main()
    if _lingering():
        threading.Thread(target=_leave, args=(code,), daemon=True).start()
    return code


def _lingering() -> list[str]:
    own = threading.main_thread()
    return [each.name for each in threading.enumerate() if each is not own and not each.daemon]


def _leave(code: int) -> None:
    time.sleep(PATIENCE_S)
    names = _lingering()
    if not names:
        return
    sys.stderr.write(f"left behind: threads that did not end ({', '.join(names)})\n")
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(command())
