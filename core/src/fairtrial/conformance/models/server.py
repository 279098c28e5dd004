"""The server itself: one thread a connection, on loopback or on a UNIX socket."""

import socket
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.conformance.models.handler import Handler
from fairtrial.conformance.models.plot import Plot
from fairtrial.conformance.models.reply import counter
from fairtrial.conformance.models.script import Script
from fairtrial.conformance.models.seen import Seen


class _Server(ThreadingHTTPServer):
    """Binds without asking a name server what this machine is called."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, address: tuple[str, int] | str, scripted: "ScriptedModelServer") -> None:
        self.scripted = scripted
        if isinstance(address, str):
            self.address_family = socket.AF_UNIX
        # The stubs know no UNIX sockets; the class takes whatever its family does.
        super().__init__(address, _handler(scripted, unix=isinstance(address, str)))  # type: ignore[arg-type]  # see above

    def server_bind(self) -> None:
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "127.0.0.1", 0

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing: clients that hang up are a part of what is tested."""


class ScriptedModelServer:
    """
    Serves a script, from `start` (or `with`) to `close`.

    Attributes:
        script: What is served.
        seen: What was asked so far, in the order in which it came.
    """

    def __init__(
        self, script: Script | None = None, *, socket_path: Path | None = None, port: int = 0
    ) -> None:
        self.script = script or Script()
        self.seen: list[Seen] = []
        self.plot = Plot(self.script)
        self.closing = threading.Event()
        self._numbers = counter()
        self._lock = threading.Lock()
        self._socket_path = socket_path
        self._port = port
        self._server: _Server | None = None

    @property
    def url(self) -> str:
        """Its address, `http://127.0.0.1:PORT`; on a UNIX socket, with no host that means much."""
        if self._socket_path is not None:
            return "http://localhost"
        if self._server is None:
            return ""
        return f"http://127.0.0.1:{self._server.socket.getsockname()[1]}"

    def start(self) -> Self:
        """Begins to serve, in a thread of its own."""
        path = self._socket_path
        address = ("127.0.0.1", self._port) if path is None else str(path)
        self._server = _Server(address, self)
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.02,), name="scripted-model", daemon=True).start()
        return self

    def close(self) -> None:
        """Ends; what stalls is let go. May be called twice."""
        self.closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        if self._socket_path is not None:
            self._socket_path.unlink(missing_ok=True)

    def requests(self, api: str = "") -> Iterator[Seen]:
        """Yields what was asked for a reply, of one form or of all."""
        return (one for one in list(self.seen) if one.api and api in {"", one.api})

    def next_number(self) -> int:
        """Returns the number of the next reply."""
        with self._lock:
            return next(self._numbers)

    def __enter__(self) -> Self:
        """Begins to serve."""
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends."""
        self.close()


def _handler(scripted: ScriptedModelServer, *, unix: bool) -> type[Handler]:
    # The socket option that turns Nagle's algorithm off is TCP's own.
    return type(
        "_Handler", (Handler,), {"scripted": scripted, "disable_nagle_algorithm": not unix}
    )
