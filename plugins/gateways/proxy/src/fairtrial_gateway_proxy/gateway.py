"""The gateway `proxy`: a way to the models that meters what passes, and keeps a budget."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from attrs import Attribute, define, field, frozen
from attrs.validators import ge, gt
from fairtrial.api import Gateway, GatewaySession

from fairtrial_gateway_proxy.prices import TABLE, TABLE_DATE, Price
from fairtrial_gateway_proxy.routes import PROVIDERS

if TYPE_CHECKING:
    from fairtrial_gateway_proxy.server import Server

KEY_VARIABLES: Mapping[str, str] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY",
}
_KEY_HEADERS = {"anthropic": "x-api-key", "google": "x-goog-api-key"}
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def _providers(_: object, attribute: "Attribute[Mapping[str, str]]", value: object) -> None:
    for name in value if isinstance(value, Mapping) else ():
        if name not in PROVIDERS:
            known = ", ".join(PROVIDERS)
            raise ValueError(f"{attribute.name} names the provider “{name}”; known are {known}")


def _addresses(_: object, attribute: "Attribute[Mapping[str, str]]", value: object) -> None:
    for name, address in value.items() if isinstance(value, Mapping) else ():
        parts = urlsplit(str(address))
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(f"{attribute.name}.{name} is no address: “{address}”")
        if parts.username or parts.password or parts.query:
            raise ValueError(f"{attribute.name}.{name} may hold no name, password or query")


@define(kw_only=True)
class _Running:
    """What the sessions of one gateway share; made when the first one opens."""

    server: "Server | None" = None
    lock: threading.Lock = field(factory=threading.Lock)


@frozen(kw_only=True)
class ProxyGateway:
    """
    Stands between agents and their models: passes everything through, and counts.

    Each trial has a secret path on one proxy, which listens on a loopback port and on a UNIX
    socket. Agents get the secret in the place of a key; the proxy puts the real one in. It
    connects only to the providers' addresses, and lets through only what it can meter or what
    is free.
    """

    upstreams: Mapping[str, str] = field(factory=dict, validator=[_providers, _addresses])
    """Other addresses for `anthropic`, `openai` or `google` than the provider's own, without the
    `/v1` or `/v1beta` of its paths."""

    key_variables: Mapping[str, str] = field(factory=dict, validator=_providers)
    """Other names for the variables that hold the keys; by default `ANTHROPIC_API_KEY`,
    `OPENAI_API_KEY` and `GEMINI_API_KEY`. A server on this machine needs none."""

    prices: Mapping[str, Price] = field(factory=dict)
    """Your own prices by model, in dollars for a million tokens; they go before the table's."""

    timeout_s: float = field(default=600.0, validator=gt(0))
    """Seconds of silence after which a provider is given up."""

    drain_s: float = field(default=5.0, validator=ge(0))
    """Seconds for which a reply is read on after its agent hung up, so that it is metered whole."""

    log: Path | None = None
    """A file that gets a JSON line for each request: label, model, status, tokens and dollars."""

    log_prompts: bool = False
    """Whether the log holds what was asked, too; never a key."""

    trust_env: bool = False
    """Whether the providers are reached through the proxy that `HTTPS_PROXY` names."""

    price_table: ClassVar[str] = f"{TABLE}, published {TABLE_DATE}"
    """The table that prices come from, and its date."""

    _running: _Running = field(factory=_Running, init=False, eq=False, repr=False)

    def open(self, label: str, budget_usd: float | None, /) -> GatewaySession:
        """Opens a session; the keys are read from the environment with the first one."""
        with self._running.lock:
            server = self._running.server or self._made()
            self._running.server = server
        return server.open(label, budget_usd)

    def _made(self) -> "Server":
        # Asked for late: aiohttp takes a third of a second to import.
        from fairtrial_gateway_proxy.prices import Prices  # noqa: PLC0415  # see above
        from fairtrial_gateway_proxy.relay import Terms  # noqa: PLC0415  # see above
        from fairtrial_gateway_proxy.server import Server  # noqa: PLC0415  # see above
        from fairtrial_gateway_proxy.session import Log  # noqa: PLC0415  # see above

        log = Log(path=self.log)
        log.ready()
        upstreams = {**PROVIDERS, **self.upstreams}
        keys, missing = _keys({**KEY_VARIABLES, **self.key_variables}, upstreams)
        prices = Prices(own=self.prices, upstreams=upstreams)
        # Here, where the caller waits, and not in the loop, where every stream would.
        prices.load()
        terms = Terms(
            upstreams=upstreams,
            keys=keys,
            variables=missing,
            prices=prices,
            log=log,
            log_prompts=self.log_prompts,
            timeout_s=self.timeout_s,
            drain_s=self.drain_s,
        )
        return Server(terms=terms, trust_env=self.trust_env)


def _keys(
    variables: Mapping[str, str], upstreams: Mapping[str, str]
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Returns each provider's header with its key, and the variables that would be needed."""
    keys: dict[str, dict[str, str]] = {}
    missing: dict[str, str] = {}
    for provider, variable in variables.items():
        key = os.environ.get(variable, "").strip()
        if key:
            header = _KEY_HEADERS.get(provider, "authorization")
            keys[provider] = {header: f"Bearer {key}" if header == "authorization" else key}
        elif urlsplit(upstreams[provider]).hostname not in _LOOPBACK:
            missing[provider] = variable
    return keys, missing


_: type[Gateway] = ProxyGateway
