"""
The way to the model from inside a sandbox that has no network: an address that leads to a socket.

A sandbox shows the relay's file and the gateway's socket, and starts its programs by `relay_argv`.
The relay listens on the sandbox's own loopback address, leaves a process behind that copies what
comes to the socket and back, and becomes the program. It runs as a script, in whatever `python3`
the sandbox has, so it imports nothing of ours.
"""

import errno
import os
import socket
import sys
import threading
from collections.abc import Sequence
from typing import NamedTuple

PORT = 4180
"""Where the model is found inside, on 127.0.0.1."""
MODEL_URL = f"http://127.0.0.1:{PORT}"
"""The model's address inside; programs find it in the variable `FAIRTRIAL_MODEL_URL`."""
MODEL_URL_NAME = "FAIRTRIAL_MODEL_URL"
MODEL_SOCKET = "/run/fairtrial/model.sock"
"""Where the gateway's socket is shown inside."""


class Shown(NamedTuple):
    """A file, and its name inside a sandbox."""

    source: str
    inside: str


RELAY = Shown(os.path.abspath(__file__), "/run/fairtrial/relay.py")  # noqa: PTH100 - pathlib costs a start 10 ms
"""This file, which a sandbox must show."""

_CHUNK = 1 << 16


def relay_argv(python: str = "python3") -> list[str]:
    """
    Returns what comes before a program's own command line.

    Args:
        python: An interpreter, as the sandbox finds it; 3.6 or newer.
    """
    return [python, "-I", "-S", RELAY.inside]


def _serve(listener: socket.socket) -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=_connect, args=(client,), daemon=True).start()


def _connect(client: socket.socket) -> None:
    with client, socket.socket(socket.AF_UNIX) as model:
        try:
            model.connect(MODEL_SOCKET)
        except OSError:
            return
        back = threading.Thread(target=_copy, args=(model, client), daemon=True)
        back.start()
        _copy(client, model)
        back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while True:
            data = source.recv(_CHUNK)
            if not data:
                break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # One side is gone: the other must not wait for it.
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


def main(argv: Sequence[str]) -> None:
    """Sees to it that a relay listens, then becomes the program."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", PORT))
        listener.listen(64)
    except OSError as error:
        # A sandbox in which several programs run needs one relay alone.
        if error.errno != errno.EADDRINUSE:
            raise
    else:
        _leave_behind(listener)
    listener.close()
    os.execvp(argv[0], list(argv))  # noqa: S606 - the sandbox's caller chose the program


def _leave_behind(listener: socket.socket) -> None:
    """Serves in a process that is nobody's child, so that no program waits for it."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            quiet = os.open(os.devnull, os.O_RDWR)
            for handle in range(3):
                os.dup2(quiet, handle)
            _serve(listener)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
