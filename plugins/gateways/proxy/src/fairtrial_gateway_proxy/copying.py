"""A reply on its way back: unbuffered, byte for byte, read on the way."""

import asyncio

import aiohttp
from aiohttp import web
from attrs import define

from fairtrial_gateway_proxy.reading import Reader
from fairtrial_gateway_proxy.request import returned

HUNG_UP = "the agent hung up"
_PIECE = 1 << 16
"""Bytes that are passed on at once, at most, so that many streams hold little memory."""


@define(kw_only=True)
class Copy:
    """
    One reply that is passed back.

    A stream goes out as it comes in. Of a plain reply the last piece is held until the end is
    known, so that whoever has read all of it finds it metered.

    Attributes:
        request: The agent's request.
        reply: The provider's reply.
        reader: Reads its usage.
        drain_s: Seconds for which it is read on after the agent hung up: the provider bills what
            it generates, whoever listens.
        passed: Bytes that came.
        cut: Why the reply ended early; empty for a whole one.
    """

    request: web.BaseRequest
    reply: aiohttp.ClientResponse
    reader: Reader
    drain_s: float
    passed: int = 0
    cut: str = ""
    _response: web.StreamResponse | None = None
    _held: bytes = b""

    async def pass_on(self) -> None:
        """Passes on all but the end; sees to it that the reader has read what there was."""
        try:
            await self._pass()
            if self.cut:
                await asyncio.wait_for(self._drain(), self.drain_s)
        except TimeoutError:
            self.cut = self.cut or "the provider fell silent"
        except (aiohttp.ClientError, OSError):
            self.cut = "the provider broke off"
        except asyncio.CancelledError:
            self.cut = self.cut or "the session was closed"
            raise
        finally:
            self.reader.finish()

    async def end(self) -> web.StreamResponse:
        """Passes on the end; a reply that was cut off ends for the agent as it did here."""
        if self.cut or self._response is None:
            return broken(self.request, self._response)
        try:
            await self._response.write_eof(self._held)
        except ConnectionError:
            self.cut = HUNG_UP
        return self._response

    async def _pass(self) -> None:
        hold = not self.reader.streamed
        try:
            self._response = await begun(self.request, self.reply)
        except ConnectionError:
            self.cut = HUNG_UP
            return
        async for piece in self.reply.content.iter_chunked(_PIECE):
            self._read(piece)
            out, self._held = (self._held, piece) if hold else (piece, b"")
            if not out:
                continue
            try:
                await self._response.write(out)
            except ConnectionError:
                self.cut = HUNG_UP
                return

    async def _drain(self) -> None:
        async for piece in self.reply.content.iter_chunked(_PIECE):
            self._read(piece)

    def _read(self, piece: bytes) -> None:
        self.passed += len(piece)
        self.reader.feed(piece)


async def begun(request: web.BaseRequest, reply: aiohttp.ClientResponse) -> web.StreamResponse:
    """Returns a reply to the agent that has the provider's status and headers, and no body yet."""
    response = web.StreamResponse(
        status=reply.status, reason=reply.reason, headers=returned(reply.headers.items())
    )
    await response.prepare(request)
    return response


def broken(
    request: web.BaseRequest, response: web.StreamResponse | None = None
) -> web.StreamResponse:
    """Breaks the agent's connection, so that it can't take what it got for the whole."""
    if request.transport is not None:
        request.transport.abort()
    return response or web.Response(status=502)
