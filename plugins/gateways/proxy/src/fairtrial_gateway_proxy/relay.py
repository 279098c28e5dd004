"""Requests passed on and replies passed back, byte for byte, a copy read on the way."""

import asyncio
import io
import itertools
import time
from collections.abc import Mapping

import aiohttp
from aiohttp import web
from attrs import asdict, define, field, frozen
from multidict import CIMultiDict
from yarl import URL

from fairtrial_gateway_proxy import refusals
from fairtrial_gateway_proxy.copying import HUNG_UP, Copy, begun, broken
from fairtrial_gateway_proxy.prices import Prices
from fairtrial_gateway_proxy.reading import Reader
from fairtrial_gateway_proxy.refusals import Refusal
from fairtrial_gateway_proxy.request import Asked, forwarded, read, target
from fairtrial_gateway_proxy.routes import Api, Route, route
from fairtrial_gateway_proxy.session import Log, ProxySession

_FAILED = 400
_LARGE = 1 << 20


@frozen(kw_only=True)
class Terms:
    """
    What the relay is told to do.

    Attributes:
        upstreams: Each provider's address.
        keys: Headers that bear each provider's key.
        variables: The variable that each provider's missing key should be in.
        prices: What tokens cost.
        log: Where each request is written down.
        log_prompts: Whether with its body.
        timeout_s: Seconds of silence after which a provider is given up.
        drain_s: Seconds for which a reply is read on after its agent hung up.
    """

    upstreams: Mapping[str, str]
    keys: Mapping[str, Mapping[str, str]] = field(repr=False)
    variables: Mapping[str, str]
    prices: Prices
    log: Log
    log_prompts: bool
    timeout_s: float
    drain_s: float


@frozen(kw_only=True)
class Onward:
    """A request as the provider gets it."""

    method: str
    url: URL
    headers: CIMultiDict[str] = field(repr=False)
    data: bytes = field(repr=False)


@define(kw_only=True)
class Exchange:
    """
    One costly request under way.

    Attributes:
        number: Its number.
        session: Whose it is.
        provider: Where it goes.
        asked: What it asks.
        api: Its form.
        size: Bytes of its body.
        began: When, by the monotonic clock.
    """

    number: int
    session: ProxySession
    provider: str
    asked: Asked
    api: Api
    size: int
    began: float = field(factory=time.monotonic)


@define(kw_only=True, eq=False)
class Relay:
    """
    Serves all sessions of a run; lives in one event loop.

    Attributes:
        terms: What it is told to do.
        sessions: Open ones, by their secret.
    """

    terms: Terms
    sessions: dict[str, ProxySession] = field(factory=dict, repr=False)
    _client: aiohttp.ClientSession
    _numbers: "itertools.count[int]" = field(factory=itertools.count)
    _ended: asyncio.Condition = field(factory=asyncio.Condition)
    _under_way: dict[str, set["asyncio.Task[object]"]] = field(factory=dict, repr=False)

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answers one request."""
        parts = [*request.raw_path.partition("?")[0].split("/", 3), "", "", ""]
        secret, provider, path = parts[1], parts[2], f"/{parts[3]}"
        session = self.sessions.get(secret)
        if session is None or provider not in self.terms.upstreams:
            return _refused(refusals.NOT_SERVED, provider)
        way = route(provider, request.method, path)
        if way is None:
            return _refused(refusals.NOT_SERVED, provider)
        if provider in self.terms.variables:
            return _refused(refusals.keyless(self.terms.variables[provider]), provider)
        task = asyncio.current_task()
        tasks = self._under_way.setdefault(secret, set())
        if task is not None:
            tasks.add(task)
        try:
            return await self._pass(request, session, provider, way, path)
        finally:
            if task is not None:
                tasks.discard(task)

    async def close(self, session: ProxySession) -> None:
        """Refuses what comes from now on, and waits for what is under way, for a while."""
        self.sessions.pop(session.secret, None)
        tasks = self._under_way.pop(session.secret, set())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self.terms.drain_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=self.terms.drain_s)

    async def _pass(
        self,
        request: web.BaseRequest,
        session: ProxySession,
        provider: str,
        way: Route,
        path: str,
    ) -> web.StreamResponse:
        await _go_on(request)
        data = await request.read()
        onward = Onward(
            method=request.method,
            url=target(self.terms.upstreams[provider], path, request.raw_path.partition("?")[2]),
            headers=forwarded(request.headers.items(), self.terms.keys.get(provider, {})),
            data=data,
        )
        if way.api is None:
            return await self._free(request, provider, onward)
        asked = read(way.api, data, way.model, request.headers.get("content-encoding", ""))
        if asked is None:
            return _refused(refusals.NO_JSON, provider)
        exchange = Exchange(
            number=next(self._numbers),
            session=session,
            provider=provider,
            api=way.api,
            asked=asked,
            size=len(data),
        )
        return await self._guarded(request, exchange, onward)

    async def _guarded(
        self, request: web.BaseRequest, exchange: Exchange, onward: Onward
    ) -> web.StreamResponse:
        """Lets a costly request through if it can be paid for."""
        refusal = await self._admitted(exchange)
        if refusal is not None:
            self._note(exchange, status=refusal.status, refused=refusal.message)
            return _refused(refusal, exchange.provider)
        try:
            if request.transport is None:
                # Its agent hung up while it waited: nobody would read what the reply costs.
                self._note(exchange, cut=HUNG_UP)
                return broken(request)
            return await self._metered(request, exchange, onward)
        finally:
            exchange.session.account.drop(exchange.number)
            async with self._ended:
                self._ended.notify_all()

    async def _admitted(self, exchange: Exchange) -> Refusal | None:
        account = exchange.session.account
        asked = exchange.asked
        # No token is shorter than a byte.
        most = self._dearest(exchange, asked.model, exchange.size, asked.output_tokens)
        if most is None:
            return refusals.unpriced(asked.model)
        async with self._ended:
            while (spent := account.admit(exchange.number, most)) is None:
                await self._ended.wait()
        return refusals.spent(exchange.provider, spent) if spent else None

    async def _free(
        self, request: web.BaseRequest, provider: str, onward: Onward
    ) -> web.StreamResponse:
        try:
            async with await self._send(onward) as reply:
                response = await begun(request, reply)
                async for piece in reply.content.iter_any():
                    await response.write(piece)
                await response.write_eof()
                return response
        except aiohttp.ClientConnectorError:
            return _refused(refusals.UNREACHABLE, provider)
        except (aiohttp.ClientError, OSError):
            return broken(request)

    async def _metered(
        self, request: web.BaseRequest, exchange: Exchange, onward: Onward
    ) -> web.StreamResponse:
        try:
            reply = await self._send(onward)
        except TimeoutError:
            return self._unreached(exchange, refusals.SILENT)
        except (aiohttp.ClientError, OSError):
            return self._unreached(exchange, refusals.UNREACHABLE)
        async with reply:
            reader = Reader(
                api=exchange.api,
                streamed=reply.content_type == "text/event-stream",
                coding=reply.headers.get("content-encoding", "").strip().lower(),
            )
            return await self._copied(request, exchange, reply, reader)

    async def _copied(
        self,
        request: web.BaseRequest,
        exchange: Exchange,
        reply: aiohttp.ClientResponse,
        reader: Reader,
    ) -> web.StreamResponse:
        """Passes a reply back, and settles it before the agent can see its end."""
        copy = Copy(request=request, reply=reply, reader=reader, drain_s=self.terms.drain_s)
        try:
            await copy.pass_on()
        finally:
            self._settle(exchange, reply.status, copy)
        return await copy.end()

    def _settle(self, exchange: Exchange, status: int, copy: Copy) -> None:
        reader = copy.reader
        told = reader.counts()
        if status >= _FAILED and told is None:
            self._note(exchange, status=status)
            return
        model = reader.model or exchange.asked.model

        def likely_usd() -> float:
            # Few tokens are shorter than three bytes, and an event has more than four for each.
            return self._dearest(exchange, model, exchange.size // 3, copy.passed // 4) or 0.0

        cost = exchange.session.account.settle(
            exchange.number,
            provider=exchange.provider,
            model=model.removeprefix("models/"),
            counts=told if reader.complete else None,
            partly=told,
            else_usd=likely_usd,
        )
        tokens = {} if told is None else asdict(told)
        self._note(exchange, status=status, tells=model, cost_usd=cost, cut=copy.cut, **tokens)

    def _dearest(
        self, exchange: Exchange, model: str, prompt_tokens: int, output_tokens: int
    ) -> float | None:
        """Returns the most that tokens may cost; 0 without a budget, for which alone it counts."""
        if not exchange.session.account.limited:
            return 0.0
        prices = self.terms.prices
        return prices.dearest_usd(exchange.provider, model, prompt_tokens, output_tokens)

    async def _send(self, onward: Onward) -> aiohttp.ClientResponse:
        return await self._client.request(
            onward.method,
            onward.url,
            headers=onward.headers,
            # aiohttp warns of a large body that isn't a file.
            data=io.BytesIO(onward.data) if len(onward.data) > _LARGE else onward.data or None,
            allow_redirects=False,
        )

    def _unreached(self, exchange: Exchange, refusal: Refusal) -> web.Response:
        self._note(exchange, status=refusal.status, refused=refusal.message)
        return _refused(refusal, exchange.provider)

    def _note(self, exchange: Exchange, **facts: object) -> None:
        if self.terms.log.path is None:
            return
        prompt = {"body": exchange.asked.body} if self.terms.log_prompts else {}
        self.terms.log.write(
            {
                "label": exchange.session.label,
                "api": exchange.api.value,
                "model": exchange.asked.model,
                "took_s": round(time.monotonic() - exchange.began, 4),
                **facts,
                **prompt,
            }
        )


def _refused(refusal: Refusal, provider: str) -> web.Response:
    body = refusal.body(provider)
    return web.Response(status=refusal.status, headers=CIMultiDict(refusal.headers), body=body)


async def _go_on(request: web.BaseRequest) -> None:
    """Tells a client that asks first to send its body."""
    if request.headers.get("expect", "").lower() == "100-continue" and request.transport:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
