"""One request of an agent: where it goes, what it asks, and what goes on with it."""

import json
import zlib
from collections.abc import Iterable, Mapping
from typing import TypeGuard

from attrs import frozen
from multidict import CIMultiDict
from yarl import URL

from fairtrial_gateway_proxy.routes import Api

# RFC 9110, section 7.6.1, and the keys, in whose place the gateway puts its own.
_HOP_BY_HOP = {
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "expect",
    "proxy-connection",
    "te",  # codespell:ignore te
    "trailer",
    "transfer-encoding",
    "upgrade",
}
_KEYS = {"authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"}
_KEY_QUERY = "key"
_READABLE = {"gzip", "deflate", "identity"}
_PACKED = {"gzip", "deflate"}
_GZIP_OR_ZLIB = 47
OUTPUT_TOKENS = 32_000
"""Taken for the most that a reply generates, where the request sets no limit."""
_MOST = 10**9
"""A limit above it is none: no model generates as much."""
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


@frozen(kw_only=True)
class Asked:
    """
    What the body of a costly request says.

    Attributes:
        model: The model.
        output_tokens: The most that the reply may generate.
        body: The decoded JSON.
    """

    model: str
    output_tokens: int
    body: Mapping[str, object]


def read(api: Api, data: bytes, model: str, coding: str = "") -> Asked | None:
    """Reads a body; None where it is no JSON object, or in a coding that can't be read here."""
    try:
        plain = zlib.decompress(data, wbits=_GZIP_OR_ZLIB) if coding in _PACKED else data
        body: object = json.loads(plain)
    except (ValueError, RecursionError, zlib.error):
        return None
    if not isinstance(body, Mapping):
        return None
    settings = body
    if api is Api.GEMINI:
        found = body.get("generationConfig") or body.get("generation_config")
        settings = found if isinstance(found, Mapping) else {}
        limits: tuple[str, ...] = ("maxOutputTokens", "max_output_tokens")
    else:
        limits = _LIMITS
    told = [limit for limit in map(settings.get, limits) if _is_limit(limit)]
    replies = settings.get("candidateCount") or body.get("n") or 1
    times = replies if _is_limit(replies) else 1
    return Asked(
        model=model or str(body.get("model", "")),
        output_tokens=(max(told) if told else OUTPUT_TOKENS) * times,
        body=body,
    )


def _is_limit(value: object) -> TypeGuard[int]:
    """Whether something limits a reply; what no provider takes limits nothing."""
    return type(value) is int and 0 < value <= _MOST


def forwarded(headers: Iterable[tuple[str, str]], key: Mapping[str, str]) -> CIMultiDict[str]:
    """Returns the headers for the provider: the agent's, without its keys, with the real one."""
    kept: CIMultiDict[str] = CIMultiDict()
    pairs = list(headers)
    dropped = _HOP_BY_HOP | _KEYS | _named(pairs) | {"host", "content-length"}
    for name, value in pairs:
        lower = name.lower()
        if lower == "accept-encoding":
            kept.add(name, _readable(value))
        elif lower not in dropped:
            kept.add(name, value)
    kept.update(key)
    return kept


def returned(headers: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    """Returns the headers for the agent: the provider's, but for those of the connection."""
    pairs = list(headers)
    dropped = _HOP_BY_HOP | _named(pairs) | {"set-cookie"}
    return CIMultiDict((name, value) for name, value in pairs if name.lower() not in dropped)


def target(upstream: str, path: str, query: str) -> URL:
    """Returns the address at the provider, every byte of path and query as it came."""
    kept = "&".join(part for part in query.split("&") if part.partition("=")[0] != _KEY_QUERY)
    return URL(f"{upstream.rstrip('/')}{path}{'?' if kept else ''}{kept}", encoded=True)


def _named(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Returns the headers that `Connection` names as its own."""
    values = (value for name, value in pairs if name.lower() == "connection")
    return {word.strip().lower() for value in values for word in value.split(",")}


def _readable(value: str) -> str:
    """Leaves out the codings that can't be read here; a reply in one of them can't be metered."""
    words = [word.strip() for word in value.split(",")]
    kept = [word for word in words if word.partition(";")[0].strip().lower() in _READABLE]
    return ", ".join(kept) or "identity"
