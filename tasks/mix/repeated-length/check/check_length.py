"""Hidden check: equal lengths are one, different ones are refused, through a whole connection."""

import os
import sys

sys.path.insert(0, os.getcwd())

import h11


def receive(*lengths, body=b"x" * 12):
    connection = h11.Connection(h11.SERVER)
    lines = b"".join(b"Content-Length: " + length + b"\r\n" for length in lengths)
    connection.receive_data(b"POST /up HTTP/1.1\r\nHost: a.example\r\n" + lines + b"\r\n" + body)
    request = connection.next_event()
    return [v for n, v in request.headers if n == b"content-length"], bytes(connection.next_event().data)


for lengths in ((b"12",), (b"12", b"12"), (b"12, 12",), (b"12,12 ,12",), (b"12", b"12, 12", b"12")):
    got = receive(*lengths)
    if got != ([b"12"], b"x" * 12):
        sys.exit(f"{lengths}: {got}")

for lengths in ((b"12", b"13"), (b"12, 13",), (b"12", b"12, 13"), (b"12", b"12", b"11"), (b"12, x",), (b"12,",), (b"-1, -1",), (b"12", b"012")):
    try:
        got = receive(*lengths)
    except h11.RemoteProtocolError:
        continue
    sys.exit(f"{lengths} should be refused, gave {got}")

client = h11.Connection(h11.CLIENT)
sent = client.send(h11.Request(method="PUT", target="/", headers=[("Host", "a"), ("Content-Length", "4"), ("Content-Length", "4")]))
if sent.lower().count(b"content-length: 4") != 1:
    sys.exit(f"sent {sent!r}")
