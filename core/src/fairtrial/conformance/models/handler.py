"""One connection: reads requests, finds their step, and writes, stalls, cuts or hangs up."""

import json
import socket
import time
import zlib
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

from fairtrial.conformance.models import anthropic, chat, gemini, responses
from fairtrial.conformance.models.asked import Api, Asked, form_of, read
from fairtrial.conformance.models.reply import Reply, compact, fitted
from fairtrial.conformance.models.script import Step
from fairtrial.conformance.models.seen import REDACTED, Seen, keys_in, redacted

if TYPE_CHECKING:
    from fairtrial.conformance.models.server import ScriptedModelServer

FORMS: Mapping[Api, ModuleType] = {
    "anthropic": anthropic,
    "chat": chat,
    "responses": responses,
    "gemini": gemini,
}
SESSION_HEADERS = ("x-claude-code-session-id", "session_id", "session-id", "conversation_id")
_GZIP = 31


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    scripted: ClassVar["ScriptedModelServer"]
    protocol_version = "HTTP/1.1"
    server_version = "scripted"
    sys_version = ""

    def log_message(self, *_: object) -> None:
        """Says nothing: the server keeps what it saw."""

    def do_HEAD(self) -> None:
        """Answers the question whether anyone is there."""
        self._keep(None)
        self._send(200, b"")

    def do_GET(self) -> None:
        """Answers side requests: the list of models, or nothing."""
        self._keep(None)
        if urlsplit(self.path).path.rstrip("/").endswith("/models"):
            self._json(200, {"object": "list", "data": [], "models": [], "has_more": False})
        elif urlsplit(self.path).path == "/":
            self._json(200, {})
        else:
            self._json(404, chat.error(404, "not served here"))

    def do_POST(self) -> None:
        """Answers with a step of the script."""
        body = self._body()
        path = urlsplit(self.path).path
        api, model = form_of(path)
        if api is None:
            self._keep(body)
            self._aside(path)
            return
        asked = read(api, body or {}, path, model)
        session = next((self.headers[one] for one in SESSION_HEADERS if one in self.headers), "")
        place, step = self.scripted.plot.step(asked, session)
        calls = fitted(step, asked)
        if calls is None and not step.fails:
            place, step, calls = None, self.scripted.script.aside, ()
        self._keep(body, asked, place)
        self._answer(asked, step, self._reply(asked, step, calls or ()))

    def _reply(self, asked: Asked, step: Step, calls: tuple[object, ...]) -> Reply:
        told = not step.no_usage and (asked.tells_usage or not asked.streamed)
        return Reply(
            number=self.scripted.next_number(),
            model=step.model or asked.model,
            step=step,
            calls=calls,  # type: ignore[arg-type]  # calls of the script
            usage=step.usage if told else None,
        )

    def _answer(self, asked: Asked, step: Step, reply: Reply) -> None:
        form = FORMS[asked.api]
        self._wait(step.stall_s)
        if step.hang_up:
            self._break()
        elif step.error is not None:
            headers = {}
            if step.retry_after_s is not None:
                headers["retry-after"] = str(step.retry_after_s)
            self._json(step.error, form.error(step.error, step.message), headers)
        elif asked.streamed:
            sse = asked.api != "gemini" or "alt=sse" in urlsplit(self.path).query
            self._stream(form.events(reply) if sse else gemini.array(reply), step, sse=sse)
        else:
            self._whole(compact(form.plain(reply)).encode(), step)

    def _whole(self, body: bytes, step: Step) -> None:
        """Sends a plain reply; a cut one is announced whole and sent by half."""
        zipped = step.compress and "gzip" in self.headers.get("accept-encoding", "")
        if zipped:
            packer = zlib.compressobj(wbits=_GZIP)
            body = packer.compress(body) + packer.flush()
        headers = {"content-encoding": "gzip"} if zipped else {}
        if step.cut_after is None:
            self._send(200, body, headers)
            return
        self._head(200, {**headers, "content-length": str(len(body))})
        self.wfile.write(body[: len(body) // 2])
        self._break()

    def _stream(self, events: Iterator[bytes], step: Step, *, sse: bool) -> None:
        zipped = step.compress and "gzip" in self.headers.get("accept-encoding", "")
        kind = "text/event-stream; charset=utf-8" if sse else "application/json"
        headers = {"content-type": kind, "transfer-encoding": "chunked"}
        if zipped:
            headers["content-encoding"] = "gzip"
        self._head(200, headers)
        packer = zlib.compressobj(wbits=_GZIP) if zipped else None
        for place, event in enumerate(events):
            if place == step.pause_after:
                self._wait(step.pause_s)
            if place == step.cut_after:
                self._break()
                return
            if packer is not None:
                self._chunks(packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH), 0)
            else:
                self._chunks(event, step.split_bytes)
        if packer is not None:
            self._chunks(packer.flush(), 0)
        self.wfile.write(b"0\r\n\r\n")

    def _chunks(self, data: bytes, size: int) -> None:
        for start in range(0, len(data), size or len(data)):
            part = data[start : start + (size or len(data))]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def _aside(self, path: str) -> None:
        """Answers what agents ask besides: how many tokens a prompt has, and telemetry."""
        if path.endswith("/count_tokens"):
            self._json(200, {"input_tokens": 10})
        elif path.endswith(":countTokens"):
            self._json(200, {"totalTokens": 10})
        else:
            self._json(404, chat.error(404, "not served here"))

    def _wait(self, seconds: float) -> None:
        """Is silent, until the server closes at the latest."""
        if seconds:
            self.scripted.closing.wait(seconds)

    def _break(self) -> None:
        """Breaks the connection off, so that the client can't take it for the reply's end."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _body(self) -> dict[str, object] | None:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            data = b"".join(self._incoming())
        else:
            data = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.headers.get("content-encoding") in {"gzip", "deflate"}:
            data = zlib.decompress(data, wbits=_GZIP + 16)
        try:
            body: object = json.loads(data)
        except ValueError:
            return None
        return body if isinstance(body, dict) else None

    def _incoming(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass

    def _keep(
        self,
        body: Mapping[str, object] | None,
        asked: Asked | None = None,
        step: int | None = None,
    ) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query, keep_blank_values=True)
        shown = {name: REDACTED if name == "key" else values[0] for name, values in query.items()}
        self.scripted.seen.append(
            Seen(
                method=self.command,
                path=f"{parts.path}?{urlencode(shown)}" if shown else parts.path,
                headers=redacted(self.headers.items()),
                body=body,
                api="" if asked is None else asked.api,
                model="" if asked is None else asked.model,
                streamed=asked is not None and asked.streamed,
                step=step,
                keys=keys_in(self.headers.items(), query),
            )
        )

    def _json(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, compact(body).encode(), headers)

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._head(status, {"content-length": str(len(body)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        if "content-type" not in headers:
            self.send_header("content-type", "application/json")
        self.send_header("request-id", f"req_{time.monotonic_ns():x}")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
