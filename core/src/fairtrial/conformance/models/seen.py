"""What the server was asked, kept for assertions, keys left out."""

import hashlib
from collections.abc import Iterable, Mapping

from attrs import frozen

SECRET_HEADERS = ("api-key", "authorization", "cookie", "x-api-key", "x-goog-api-key")
REDACTED = "[redacted]"


@frozen(kw_only=True)
class Seen:
    """
    One request.

    Attributes:
        method: Such as `POST`.
        path: As it was asked, the query without keys.
        headers: Lower-case names; the values of those that bear keys are left out.
        body: The decoded JSON; None where there was none.
        api: `anthropic`, `chat`, `responses` or `gemini`; empty where it is none of them.
        model: The model that was asked for.
        streamed: Whether a stream was asked for.
        step: Which step answered it; None where none did.
        keys: Digests of the keys that it bore.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object] | None
    api: str = ""
    model: str = ""
    streamed: bool = False
    step: int | None = None
    keys: frozenset[str] = frozenset()

    def bears(self, key: str) -> bool:
        """Whether the request bore a key."""
        return _digest(key) in self.keys


def redacted(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns headers by lower-case name, without the values that are keys."""
    return {
        name.lower(): REDACTED if name.lower() in SECRET_HEADERS else value
        for name, value in headers
    }


def keys_in(headers: Iterable[tuple[str, str]], query: Mapping[str, list[str]]) -> frozenset[str]:
    """Returns the digests of the keys that a request bears."""
    borne = [value for name, value in headers if name.lower() in SECRET_HEADERS]
    borne += query.get("key", [])
    return frozenset(_digest(value.removeprefix("Bearer ")) for value in borne)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
