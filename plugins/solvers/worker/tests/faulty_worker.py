"""Workers that break the protocol, each in one way: faulty_worker.py SOCKET WAY."""

import json
import os
import signal
import socket
import sys
import time

NEVER_S = 60


def line(**message: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def event(**fields: object) -> bytes:
    return line(method="event", params={"event": fields})


HELLO = line(id=1, result={"version": "1.0", "worker": {"name": "faulty", "version": "0"}})
AT_ONCE = {
    "version": line(id=1, error={"code": -32001, "message": "2.0"}),
    "claims": line(id=1, result={"version": "7.0", "worker": {"name": "faulty"}}),
    "early": line(method="finish", params={"ending": "finished"}),
    "mute-at-once": b"",
}
THEN = {
    "mute": b"",
    "dies": line(id=2, result={}),
    "refuses": line(id=2, error={"code": 1, "message": "no seat is free"}),
    "endless": b"x" * (5 * 2**20),
    "no-json": b"Traceback (most recent call last):\n",
    "no-rpc": b'{"method": "finish"}\n',
    "binary": b"\xff\xfe\x00\n",
    "ending": line(method="finish", params={"ending": "excellent"}),
    "twice": line(
        method="finish",
        params={"ending": "finished", "usage": [{"model": "m", "output": 3}] * 2},
    ),
    "untyped": event(text="hello"),
    "mistyped": event(type="assistant_text", text=5),
    "cut-event": event(type="tool_call"),
    "nothing-asked": line(id=9, method="ask", params={"questions": []}),
    "unnumbered": line(method="ask", params={"questions": [{"text": "?"}]}),
    "stray-reply": line(id=99, result={}),
}


def main() -> None:
    place, way = sys.argv[1:]
    if way == "exits":
        raise SystemExit("no licence")
    if way == "never-listens":
        time.sleep(NEVER_S)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen(1)
        connection, _ = listener.accept()
        stream = connection.makefile("rb")
        stream.readline()
        connection.sendall(AT_ONCE.get(way, HELLO))
        if way in THEN:
            stream.readline()
            connection.sendall(THEN[way])
        if way == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(NEVER_S)


if __name__ == "__main__":
    main()
