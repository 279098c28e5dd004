"""What a reply tells of itself, read from a copy of its bytes while they pass."""

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping

from attrs import define, field

from fairtrial_gateway_proxy.counts import Counts, counts
from fairtrial_gateway_proxy.routes import Api

LARGEST_BYTES = 64 * 1024 * 1024
"""A single event, or a plain reply, beyond this is passed on and no longer read."""

_GZIP_OR_ZLIB = 47
_BORDER = re.compile(rb"\r\n\r\n|\n\n|\r\r")
# Longest border, and a border may begin in one chunk and end in the next.
_OVERLAP = 3
_MARK = b'"usage'
_OVER = {f"response.{how}" for how in ("completed", "incomplete", "failed", "cancelled")}


@define(kw_only=True)
class Reader:
    """
    Reads one reply.

    Attributes:
        api: The reply's form.
        streamed: Whether it is a stream of events.
        coding: Its `content-encoding`.
        model: The model that it names; empty until it does.
        response: The id of the message that it tells; empty until it does.
        complete: Whether the reply told its final usage.
        readable: Whether its bytes can be read at all.
    """

    api: Api
    streamed: bool
    coding: str = ""
    model: str = ""
    response: str = ""
    complete: bool = False
    readable: bool = True
    _told: dict[str, dict[str, object]] = field(factory=dict)
    _buffer: bytearray = field(factory=bytearray)
    _unpacker: "zlib._Decompress | None" = None

    def __attrs_post_init__(self) -> None:
        """Makes ready for its coding."""
        if self.coding in {"gzip", "x-gzip", "deflate"}:
            self._unpacker = zlib.decompressobj(wbits=_GZIP_OR_ZLIB)
        elif self.coding not in {"", "identity"}:
            self.readable = False

    def feed(self, chunk: bytes) -> None:
        """Reads on; what can't be read is passed over, never raised."""
        if not self.readable:
            return
        try:
            data = chunk if self._unpacker is None else self._unpacker.decompress(chunk)
        except zlib.error:
            self.readable = False
            return
        begin = max(0, len(self._buffer) - _OVERLAP)
        self._buffer += data
        if self.streamed:
            self._take_events(begin)
        if len(self._buffer) > LARGEST_BYTES:
            self._buffer.clear()
            self.readable = False

    def finish(self) -> None:
        """Reads what is left at the end of the reply."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        if not self.readable or not rest:
            return
        if self.streamed:
            self._event(rest)
        else:
            self._document(_json(rest))

    def counts(self) -> Counts | None:
        """Returns what was told so far; None where nothing was."""
        if not self._told:
            return None
        # One reply tells one message; were it several, each one's last word counts.
        told = dict(list(self._told.values())[-1])
        if not self.complete:
            # A total so far doesn't show that nothing more would have come.
            told.pop("totalTokenCount", None)
        return counts(self.api, told)

    def _take_events(self, begin: int) -> None:
        """Reads the whole events of the buffer; parses only those that speak of usage."""
        end = _last_border(self._buffer, begin)
        if end == 0:
            return
        if self._buffer.find(_MARK, 0, end) >= 0:
            for event in _BORDER.split(bytes(self._buffer[:end])):
                if _MARK in event:
                    self._event(event)
        del self._buffer[:end]

    def _event(self, event: bytes) -> None:
        lines = re.split(rb"\r\n|\n|\r", event)
        data = b"\n".join(
            line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")
        )
        if data:
            self._document(_json(data))

    def _document(self, document: object) -> None:
        if isinstance(document, list):
            for one in document:
                self._document(one)
        elif isinstance(document, Mapping):
            for message, usage, final in _usages(self.api, document, plain=not self.streamed):
                self._keep(message, usage, final=final)

    def _keep(
        self, message: Mapping[str, object], usage: Mapping[str, object], *, final: bool
    ) -> None:
        """Merges: counts in a stream are cumulative, so that the last word on each one counts."""
        self.model = _text(message, "model", "modelVersion") or self.model
        self.response = _text(message, "id", "responseId") or self.response
        told = self._told.setdefault(self.response, {})
        told.update({key: value for key, value in usage.items() if value is not None})
        tier = message.get("service_tier")
        if isinstance(tier, str):
            told.setdefault("service_tier", tier)
        self.complete = self.complete or final


def _last_border(buffer: bytearray, begin: int) -> int:
    """Returns where the last whole event ends; 0 where none does."""
    found = buffer.rfind(b"\n\n", begin)
    end = found + 2 if found >= 0 else 0
    # Nearly every stream does without carriage returns, and one look tells.
    if buffer.find(b"\r", begin) >= 0:
        for border in (b"\r\n\r\n", b"\r\r"):
            found = buffer.rfind(border, begin)
            end = max(end, found + len(border) if found >= 0 else 0)
    return end


def _usages(
    api: Api, document: Mapping[str, object], *, plain: bool
) -> Iterator[tuple[Mapping[str, object], Mapping[str, object], bool]]:
    """Yields, of one JSON document, what names the message, its usage, and whether it is final."""
    message = document
    if api is Api.GEMINI:
        usage, plain = document.get("usageMetadata"), False
    else:
        inner = document.get("message") if api is Api.MESSAGES else document.get("response")
        message = inner if isinstance(inner, Mapping) else document
        usage = message.get("usage")
    if isinstance(usage, Mapping):
        yield message, usage, plain or _FINAL[api](document)


def _ends_gemini(event: Mapping[str, object]) -> bool:
    ended = any(_text(one, "finishReason") for one in _list(event.get("candidates")))
    return ended or "promptFeedback" in event


def _ends_chat(event: Mapping[str, object]) -> bool:
    # Some servers tell usage so far with every piece; the last one has no choices, or their end.
    choices = _list(event.get("choices"))
    return not choices or any(_text(one, "finish_reason") for one in choices)


_FINAL: Mapping[Api, Callable[[Mapping[str, object]], bool]] = {
    Api.MESSAGES: lambda event: event.get("type") == "message_delta",
    Api.CHAT: _ends_chat,
    Api.RESPONSES: lambda event: event.get("type") in _OVER,
    Api.GEMINI: _ends_gemini,
}
"""Whether an event of a stream that tells usage tells it for the last time."""


def _text(document: object, *keys: str) -> str:
    found = document if isinstance(document, Mapping) else {}
    return next((str(found[key]) for key in keys if isinstance(found.get(key), str)), "")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _json(data: bytes) -> object:
    try:
        document: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return document
