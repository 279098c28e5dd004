import contextlib
import http.client
import json
import socket
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

import pytest
from attrs import field, frozen
from fairtrial.api import GatewaySession
from fairtrial.conformance.models import Script, ScriptedModelServer, Step
from fairtrial_gateway_proxy import ProxyGateway

MODELS = {
    "anthropic": "claude-opus-4-8",
    "chat": "gpt-5.4-mini",
    "responses": "gpt-5.4-mini",
    "gemini": "gemini-2.5-flash",
}
APIS = tuple(MODELS)


@frozen(kw_only=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.body)
        return found


@frozen(kw_only=True)
class Agent:
    """Asks as an agent does, by what its environment says."""

    environment: Mapping[str, str]
    headers: Mapping[str, str] = field(factory=dict)

    def target(self, api: str, *, stream: bool, model: str = "") -> tuple[str, bytes]:
        model = model or MODELS[api]
        base = {
            "anthropic": "ANTHROPIC_BASE_URL",
            "gemini": "GOOGLE_GEMINI_BASE_URL",
        }.get(api, "OPENAI_BASE_URL")
        path = {
            "anthropic": "/v1/messages?beta=true",
            "chat": "/chat/completions",
            "responses": "/responses",
            "gemini": f"/v1beta/models/{model}:generateContent",
        }[api]
        if api == "gemini" and stream:
            path = f"/v1beta/models/{model}:streamGenerateContent?alt=sse"
        body: dict[str, object] = {"model": model, "stream": stream, "max_tokens": 1000}
        if api == "gemini":
            body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
        elif api == "responses":
            body = {"model": model, "stream": stream, "input": "hi"}
        else:
            body["messages"] = [{"role": "user", "content": "hi"}]
        if api == "chat" and stream:
            body["stream_options"] = {"include_usage": True}
        return f"{self.environment[base]}{path}", json.dumps(body).encode()

    @contextlib.contextmanager
    def connected(
        self, address: str, data: bytes | None, method: str = "POST"
    ) -> Iterator[tuple[socket.socket, http.client.HTTPResponse]]:
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=10)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request(method, target, data, dict(self.headers))
        kept = connection.sock
        response = connection.getresponse()
        try:
            yield kept, response
        finally:
            response.close()
            connection.close()

    def fetch(self, address: str, data: bytes | None = None, method: str = "POST") -> Reply:
        with self.connected(address, data, method) as (_, response):
            return Reply(
                status=response.status,
                headers={name.lower(): value for name, value in response.getheaders()},
                body=response.read(),
            )

    def ask(self, api: str, *, stream: bool = False, model: str = "") -> Reply:
        return self.fetch(*self.target(api, stream=stream, model=model))


Opened = Callable[..., GatewaySession]


@frozen(kw_only=True)
class Bench:
    server: ScriptedModelServer
    gateway: ProxyGateway
    open: Opened

    def agent(self, session: GatewaySession, **headers: str) -> Agent:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Agent(environment=session.environment, headers=named)


Lay = Callable[..., Bench]


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Lays out a scripted server with a gateway before it."""
    with contextlib.ExitStack() as stack:

        def made(*steps: Step, **fields: object) -> Bench:
            script = Script(steps=steps) if steps else Script()
            server = stack.enter_context(ScriptedModelServer(script))
            upstreams = dict.fromkeys(("anthropic", "openai", "google"), server.url)
            settings: dict[str, object] = {"upstreams": upstreams, "drain_s": 1.0, **fields}
            gateway = ProxyGateway(**settings)  # type: ignore[arg-type]  # fields of a test's

            def opened(budget_usd: float | None = None) -> GatewaySession:
                session = gateway.open("add × cheap × 1", budget_usd)
                stack.callback(session.close)
                return session

            return Bench(server=server, gateway=gateway, open=opened)

        yield made
