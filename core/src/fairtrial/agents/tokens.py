"""
Tokens in disjoint buckets, out of three conventions of telling them.

Anthropic counts cached tokens apart from the input; OpenAI and Google count them in it. OpenAI
counts reasoning in the output; Google counts it apart. What is not told is None, never 0, except
for what a provider doesn't have at all.
"""

from collections.abc import Iterable, Mapping

from attrs import define, field

from fairtrial.agents.picking import count, table
from fairtrial.api import CostSource, ModelUsage, Usage

_MOST_CALLS = 20_000
"""Calls of the model of which each is remembered; older ones are folded into the sum."""


def from_anthropic(told: object, model: str | None = None) -> Usage:
    """
    Returns the buckets of a `usage` object of the Messages API.

    Where the two lives of cache writes aren't told apart, all are five-minute ones: that is what
    the API does unless it is told otherwise.
    """
    written = count(told, "cache_creation_input_tokens")
    hour = count(told, "cache_creation", "ephemeral_1h_input_tokens")
    short = count(told, "cache_creation", "ephemeral_5m_input_tokens")
    return Usage(
        model=model,
        input_uncached=count(told, "input_tokens"),
        cache_read=count(told, "cache_read_input_tokens"),
        cache_write_5m=_rest(written, hour or 0) if short is None else short,
        cache_write_1h=hour if hour is not None or written is None else 0,
        output=count(told, "output_tokens"),
        reasoning=count(told, "output_tokens_details", "thinking_tokens"),
    )


def from_openai(told: object, model: str | None = None) -> Usage:
    """Returns the buckets of a usage that counts cached tokens in the input, as Codex tells it."""
    read = count(told, "cached_input_tokens")
    written = count(told, "cache_write_input_tokens")
    return Usage(
        model=model,
        input_uncached=_rest(count(told, "input_tokens"), (read or 0) + (written or 0)),
        cache_read=read,
        cache_write_5m=written or 0,
        cache_write_1h=0,
        output=count(told, "output_tokens"),
        reasoning=count(told, "reasoning_output_tokens"),
    )


def from_google(prompt: int | None, cached: int | None, output: int | None) -> Usage:
    """
    Returns the buckets of a prompt that includes its cached part.

    Args:
        prompt: Prompt tokens, cached ones included.
        cached: The cached ones.
        output: All that was generated, thoughts included.
    """
    return Usage(
        input_uncached=_rest(prompt, cached or 0),
        cache_read=cached,
        cache_write_5m=0,
        cache_write_1h=0,
        output=output,
    )


def added(left: Usage, right: Usage) -> Usage:
    """Returns the sum of two usages of one model; a bucket that either doesn't know is unknown."""
    costs = (left.cost_usd, right.cost_usd)
    cost = None if costs[0] is None or costs[1] is None else costs[0] + costs[1]
    return Usage(
        model=left.model,
        input_uncached=_sum(left.input_uncached, right.input_uncached),
        cache_read=_sum(left.cache_read, right.cache_read),
        cache_write_5m=_sum(left.cache_write_5m, right.cache_write_5m),
        cache_write_1h=_sum(left.cache_write_1h, right.cache_write_1h),
        output=_sum(left.output, right.output),
        reasoning=_sum(left.reasoning, right.reasoning),
        cost_usd=cost,
        cost_source=left.cost_source if cost is not None else CostSource.UNKNOWN,
    )


def merged(usages: Iterable[Usage]) -> tuple[Usage, ...]:
    """Returns one entry a model, summed, in the order in which the models came."""
    found: dict[str | None, Usage] = {}
    for usage in usages:
        known = found.get(usage.model)
        found[usage.model] = usage if known is None else added(known, usage)
    return tuple(found.values())


def by_model(usages: Iterable[Usage]) -> Mapping[str, ModelUsage] | None:
    """Returns usages as the end of a turn carries them; None where nothing is known."""
    found = {
        usage.model or "": ModelUsage(
            input_tokens=usage.input_uncached,
            output_tokens=usage.output,
            cache_read_tokens=usage.cache_read,
            cache_write_tokens=_sum(usage.cache_write_5m, usage.cache_write_1h),
        )
        for usage in usages
    }
    return found or None


@define
class Tokens:
    """
    Tokens by call of the model, each call counted once however often it is told.

    An agent may repeat a call's usage for each part of its message, in several files, and with
    figures that grow; what is told last is right.
    """

    _calls: dict[str, Usage] = field(factory=dict)
    _folded: dict[str | None, Usage] = field(factory=dict)

    def tell(self, call: str, usage: Usage) -> None:
        """Takes what is told of one call, by its id; a later telling replaces an earlier one."""
        if usage == Usage(model=usage.model):
            return
        self._calls[call] = usage
        if len(self._calls) > _MOST_CALLS:
            oldest = self._calls.pop(next(iter(self._calls)))
            known = self._folded.get(oldest.model)
            self._folded[oldest.model] = oldest if known is None else added(known, oldest)

    def __bool__(self) -> bool:
        """Whether anything was told."""
        return bool(self._calls or self._folded)

    def __len__(self) -> int:
        """How many calls are remembered one by one."""
        return len(self._calls)

    def usages(self) -> tuple[Usage, ...]:
        """Returns the sums by model."""
        return merged((*self._folded.values(), *self._calls.values()))


def nothing(told: object) -> bool:
    """Whether an object of figures tells none above 0, as that of a run that never called."""
    return not any(isinstance(value, int) and value > 0 for value in table(told).values())


def _rest(whole: int | None, part: int) -> int | None:
    return None if whole is None else max(0, whole - part)


def _sum(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right
