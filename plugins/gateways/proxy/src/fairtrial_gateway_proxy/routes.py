"""Which requests are let through: to which provider, and whether they cost something."""

import enum
import re
from collections.abc import Mapping

from attrs import frozen

PROVIDERS: Mapping[str, str] = {
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "openai": "https://api.openai.com",
}
"""Each provider, and where it serves."""


class Api(enum.Enum):
    """The form of a request that costs something."""

    MESSAGES = "anthropic messages"
    CHAT = "openai chat completions"
    RESPONSES = "openai responses"
    GEMINI = "gemini generateContent"


_COSTLY = (
    ("anthropic", re.compile(r"/v1/messages"), Api.MESSAGES),
    ("openai", re.compile(r"(?:/v1)?/chat/completions"), Api.CHAT),
    ("openai", re.compile(r"(?:/v1)?/responses(?:/compact)?"), Api.RESPONSES),
    (
        "google",
        re.compile(r"/v1(?:beta|alpha)?/models/(?P<model>[^/:]+):(?:g|streamG)enerateContent"),
        Api.GEMINI,
    ),
)
# What agents ask besides and no provider bills. Whatever is on neither list is refused: a path
# that costs something and isn't metered would lead around the budget.
_FREE = (
    ("anthropic", "HEAD", re.compile(r"/?")),
    ("anthropic", "GET", re.compile(r"/v1/models(?:/[^/]+)?")),
    ("anthropic", "POST", re.compile(r"/v1/messages/count_tokens")),
    ("openai", "GET", re.compile(r"(?:/v1)?/models(?:/[^/]+)?")),
    ("openai", "POST", re.compile(r"(?:/v1)?/responses/input_tokens")),
    ("google", "GET", re.compile(r"/v1(?:beta|alpha)?/models(?:/[^/:]+)?")),
    ("google", "POST", re.compile(r"/v1(?:beta|alpha)?/models/[^/:]+:countTokens")),
)


@frozen(kw_only=True)
class Route:
    """
    Where a request goes.

    Attributes:
        api: Its form; None where it is free.
        model: The model, where the path names it.
    """

    api: Api | None
    model: str = ""


def route(provider: str, method: str, path: str) -> Route | None:
    """Returns the way of a request; None where it isn't let through."""
    for owner, pattern, api in _COSTLY:
        if owner == provider and method == "POST" and (found := pattern.fullmatch(path)):
            return Route(api=api, model=found.groupdict().get("model") or "")
    for owner, verb, pattern in _FREE:
        if owner == provider and verb == method and pattern.fullmatch(path):
            return Route(api=None)
    return None
