"""One connection to a worker: JSON-RPC 2.0 (jsonrpc.org/specification), one message a line."""

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import BinaryIO, cast

from attrs import define, field

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes; a longer line is rubbish."""
_CHUNK = 64 * 1024
_SHOWN = 120
_SEND_S = 10.0
_LONGEST_WAIT_S = 86_400.0
"""Less than the least number of seconds that a system can't be told to wait."""

Message = Mapping[str, object]


class Rubbish(Exception):
    """What came is no message of the protocol; holds the reason."""


class Gone(Exception):
    """The other side has closed the connection, or takes nothing any more."""


@define(kw_only=True, eq=False)
class Wire:
    """
    Sends and receives messages.

    Attributes:
        connection: A connected stream socket.
        log: Where every line that comes is kept.
        clean: Takes secrets out of a text.
        heard_at: When something came last, by the monotonic clock.
        asked: Ids of the requests that were sent.
    """

    connection: socket.socket
    log: BinaryIO
    clean: Callable[[str], str]
    heard_at: float = field(factory=time.monotonic)
    asked: list[int] = field(factory=list, init=False)
    _rest: bytearray = field(factory=bytearray, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def request(self, method: str, params: Mapping[str, object]) -> int:
        """
        Sends a request; returns its id.

        Raises:
            Gone: Nobody takes it.
        """
        number = len(self.asked) + 1
        self.asked.append(number)
        self._send({"id": number, "method": method, "params": params})
        return number

    def reply(self, to: object, result: Mapping[str, object]) -> None:
        """
        Answers a request.

        Raises:
            Gone: Nobody takes it.
        """
        self._send({"id": to, "result": result})

    def refuse(self, to: object, code: int, message: str) -> None:
        """
        Answers a request with an error.

        Raises:
            Gone: Nobody takes it.
        """
        self._send({"id": to, "error": {"code": code, "message": message}})

    def receive(self, timeout_s: float) -> Message | None:
        """
        Returns the next message; None where none came in time.

        Raises:
            Gone: The connection is closed.
            Rubbish: What came is no message.
        """
        until = time.monotonic() + max(timeout_s, 0.0)
        while (end := self._rest.find(b"\n")) < 0:
            if len(self._rest) > LONGEST_LINE:
                raise Rubbish(f"a line of more than {LONGEST_LINE} bytes")
            if not self._fill(until - time.monotonic()):
                return None
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        self.heard_at = time.monotonic()
        text = self.clean(line.decode(errors="replace"))
        self.log.write(text.encode() + b"\n")
        self.log.flush()
        return _message(text)

    def close(self) -> None:
        """Closes the connection; whoever waits for a message is told that it is gone."""
        with self._lock:
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                # The other side was quicker.
                return

    def _fill(self, left_s: float) -> bool:
        if left_s <= 0:
            return False
        self.connection.settimeout(min(left_s, _LONGEST_WAIT_S))
        try:
            data = self.connection.recv(_CHUNK)
        except TimeoutError:
            return False
        except OSError as error:
            raise Gone(str(error)) from error
        if not data:
            raise Gone("it closed the connection")
        self._rest += data
        return True

    def _send(self, message: Mapping[str, object]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        self.connection.settimeout(_SEND_S)
        try:
            self.connection.sendall(text.encode(errors="replace") + b"\n")
        except OSError as error:
            raise Gone(str(error) or "it takes no message") from error


def _message(text: str) -> Message:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Rubbish(f"no JSON: {text[:_SHOWN]}") from None
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        raise Rubbish(f"no JSON-RPC 2.0: {text[:_SHOWN]}")
    if not isinstance(found.get("method"), str) and not _is_reply(found):
        raise Rubbish(f"neither a request nor a reply: {text[:_SHOWN]}")
    return cast("Message", found)


def _is_reply(found: Mapping[str, object]) -> bool:
    return "id" in found and ("result" in found or isinstance(found.get("error"), dict))
