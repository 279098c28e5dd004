"""
Tokens of one reply in disjoint buckets, read from each provider's own form.

Anthropic's `input_tokens` leaves out what is cached; OpenAI's prompt counts it; Google's prompt
counts it too, and its candidates leave out the thoughts.
"""

from collections.abc import Callable, Mapping

from attrs import frozen

from fairtrial_gateway_proxy.routes import Api

Json = Mapping[str, object]

_MOST = 10**12
"""No reply has as many tokens; a count above it is nonsense."""


@frozen(kw_only=True)
class Counts:
    """
    Tokens of one reply; None means not told.

    Attributes:
        input_uncached: Prompt tokens at the full rate.
        cache_read: Prompt tokens read from a cache.
        cache_write_5m: Prompt tokens written to a cache for five minutes.
        cache_write_1h: Prompt tokens written to a cache for an hour.
        output: Generated tokens, reasoning included.
        reasoning: The part of it that was reasoning.
        searches: Web searches that the provider made, which it bills apart.
        tier: The provider's word for how the request was served; empty for the usual.
    """

    input_uncached: int | None = None
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    output: int | None = None
    reasoning: int | None = None
    searches: int = 0
    tier: str = ""

    @property
    def known(self) -> bool:
        """Whether both sides of the reply are told."""
        return self.input_uncached is not None and self.output is not None


def counts(api: Api, told: Json) -> Counts:
    """Reads the usage of a reply; what it leaves out of a cache or a search is none."""
    return _READERS[api](told)


def _anthropic(told: Json) -> Counts:
    written = _count(told, "cache_creation_input_tokens") or 0
    parts = _part(told, "cache_creation")
    long = _count(parts, "ephemeral_1h_input_tokens") or 0
    return Counts(
        input_uncached=_count(told, "input_tokens"),
        cache_read=_count(told, "cache_read_input_tokens") or 0,
        cache_write_5m=max(written - long, _count(parts, "ephemeral_5m_input_tokens") or 0),
        cache_write_1h=long,
        output=_count(told, "output_tokens"),
        reasoning=_count(_part(told, "output_tokens_details"), "thinking_tokens"),
        searches=_count(_part(told, "server_tool_use"), "web_search_requests") or 0,
        tier=_tier(told),
    )


def _openai(told: Json, prompt: str, completion: str) -> Counts:
    details = _part(told, f"{prompt}_details")
    read = _count(details, "cached_tokens") or 0
    written = (
        _count(details, "cache_write_tokens") or _count(told, "cache_write_input_tokens") or 0
    )
    whole = _count(told, prompt)
    return Counts(
        input_uncached=None if whole is None else max(0, whole - read - written),
        cache_read=read,
        cache_write_5m=written,
        output=_count(told, completion),
        reasoning=_count(_part(told, f"{completion}_details"), "reasoning_tokens"),
        tier=_tier(told),
    )


def _chat(told: Json) -> Counts:
    return _openai(told, "prompt_tokens", "completion_tokens")


def _responses(told: Json) -> Counts:
    return _openai(told, "input_tokens", "output_tokens")


def _google(told: Json) -> Counts:
    read = _count(told, "cachedContentTokenCount") or 0
    prompt = _count(told, "promptTokenCount")
    # What a tool of the provider's put into the prompt is billed as prompt.
    tools = _count(told, "toolUsePromptTokenCount") or 0
    thoughts = _count(told, "thoughtsTokenCount")
    made = [each for each in (_count(told, "candidatesTokenCount"), thoughts) if each is not None]
    return Counts(
        input_uncached=None if prompt is None else max(0, prompt - read) + tools,
        cache_read=read,
        output=sum(made) if made else _rest(_count(told, "totalTokenCount"), prompt, tools),
        reasoning=thoughts,
        tier=_tier(told),
    )


def _rest(whole: int | None, prompt: int | None, tools: int) -> int | None:
    """Returns what a total holds beside the prompt: Google leaves out a count that is none."""
    return None if whole is None or prompt is None else max(0, whole - prompt - tools)


_READERS: Mapping[Api, Callable[[Json], Counts]] = {
    Api.MESSAGES: _anthropic,
    Api.CHAT: _chat,
    Api.RESPONSES: _responses,
    Api.GEMINI: _google,
}


def _tier(told: Json) -> str:
    word = told.get("service_tier") or told.get("speed")
    usual = {"standard", "default", "auto"}
    return word if isinstance(word, str) and word not in usual else ""


def _count(told: Json, key: str) -> int | None:
    value = told.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MOST else None


def _part(told: Json, key: str) -> Json:
    value = told.get(key)
    return value if isinstance(value, Mapping) else {}
