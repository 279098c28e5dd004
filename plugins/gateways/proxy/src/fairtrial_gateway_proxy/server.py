"""The proxy's own thread: an event loop that lives from the first session to the last."""

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiohttp
from aiohttp import web
from attrs import define, field

from fairtrial_gateway_proxy.account import Account
from fairtrial_gateway_proxy.relay import Relay, Terms
from fairtrial_gateway_proxy.session import ProxySession

T = TypeVar("T")
_CONNECT_S = 30.0
_READ_BYTES = 1 << 15
"""What is read ahead of a reply at most, so that many streams hold little memory."""
_SHUTDOWN_S = 0.05
_SOCKET_NAME = "model.sock"


@define(kw_only=True, eq=False)
class Server:
    """
    Listens on a loopback port and on a UNIX socket while at least one session is open.

    Attributes:
        terms: What the relay is told.
        trust_env: Whether `HTTPS_PROXY` and its like are followed.
    """

    terms: Terms
    trust_env: bool
    _lock: threading.Lock = field(factory=threading.Lock)
    _up: "_Up | None" = None

    def open(self, label: str, budget_usd: float | None) -> ProxySession:
        """Opens a session; the first one starts the server."""
        with self._lock:
            if self._up is None:
                self._up = _Up.start(self.terms, trust_env=self.trust_env)
            up = self._up
            session = ProxySession(
                address=up.address,
                socket=up.socket,
                account=Account(prices=self.terms.prices, budget_usd=budget_usd),
                label=label,
                missing=self.terms.variables,
                on_close=self._close,
            )
            up.relay.sessions[session.secret] = session
        return session

    def _close(self, session: ProxySession) -> None:
        up = self._up
        if up is None:
            return
        up.do(up.relay.close(session))
        with self._lock:
            if self._up is up and not up.relay.sessions:
                self._up = None
                up.stop()


@define(kw_only=True, eq=False)
class _Up:
    """A server that runs."""

    relay: Relay
    address: str
    socket: Path
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread
    server: web.Server
    client: aiohttp.ClientSession
    listeners: list[asyncio.Server]

    @classmethod
    def start(cls, terms: Terms, *, trust_env: bool) -> "_Up":
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="fairtrial-gateway", daemon=True)
        thread.start()
        up = _started(cls, loop, thread, terms, trust_env=trust_env)
        return asyncio.run_coroutine_threadsafe(up, loop).result()

    def do(self, work: "Coroutine[object, object, T]") -> T:
        """Does something in the loop, and waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def stop(self) -> None:
        """Ends the server, its connections, its thread, and removes its socket."""
        self.do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        shutil.rmtree(self.socket.parent, ignore_errors=True)

    async def _stop(self) -> None:
        for listener in self.listeners:
            listener.close()
        # 0 would mean to wait for ever, and an idle connection that is kept alive never ends.
        await self.server.shutdown(_SHUTDOWN_S)
        await self.client.close()
        # The transports of closed connections let go of their sockets one turn later.
        await asyncio.sleep(0)


async def _started(
    cls: type[_Up],
    loop: asyncio.AbstractEventLoop,
    thread: threading.Thread,
    terms: Terms,
    *,
    trust_env: bool,
) -> _Up:
    client = aiohttp.ClientSession(
        auto_decompress=False,
        connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        timeout=aiohttp.ClientTimeout(
            total=None, sock_connect=_CONNECT_S, sock_read=terms.timeout_s
        ),
        trust_env=trust_env,
        max_line_size=1 << 16,
        read_bufsize=_READ_BYTES,
        max_field_size=1 << 16,
    )
    relay = Relay(terms=terms, client=client)
    server = web.Server(
        relay.serve, request_factory=_request, access_log=None, auto_decompress=False
    )
    place = Path(tempfile.mkdtemp(prefix="fairtrial-gateway-"))
    socket = place / _SOCKET_NAME
    listeners = [
        await loop.create_server(server, "127.0.0.1", 0, backlog=512),
        await loop.create_unix_server(server, str(socket), backlog=512),
    ]
    # A sandbox's program may run as another user; the way in is the secret, not the socket.
    socket.chmod(0o666)
    port = listeners[0].sockets[0].getsockname()[1]
    return cls(
        relay=relay,
        address=f"http://127.0.0.1:{port}",
        socket=socket,
        loop=loop,
        thread=thread,
        server=server,
        client=client,
        listeners=listeners,
    )


def _request(*parts: object) -> web.BaseRequest:
    """Makes a request whose body may be of any size: a long history has megabytes."""
    make = partial(web.BaseRequest, client_max_size=0)
    return make(*parts, asyncio.get_running_loop())  # type: ignore[arg-type, call-arg]  # as aiohttp calls it
