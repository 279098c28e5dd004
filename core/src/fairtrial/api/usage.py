"""Tokens and dollars, with where each figure came from."""

import enum

from attrs import field, frozen
from attrs.validators import ge, optional


class CostSource(enum.StrEnum):
    """Where a dollar figure came from, strongest first."""

    METERED = "metered"
    """Read on the wire by a gateway."""
    PRICED = "priced"
    """Tokens times a dated price table."""
    REPORTED = "reported"
    """Said by the agent of itself."""
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class Usage:
    """
    Tokens of one model in disjoint buckets; None means not known, never 0.

    The whole prompt is `input_uncached + cache_read + cache_write_5m + cache_write_1h`, whatever
    the provider's own convention is.

    Attributes:
        model: The model's name as the provider spells it.
        input_uncached: Prompt tokens billed at the full rate.
        cache_read: Prompt tokens read from a cache.
        cache_write_5m: Prompt tokens written to a cache that lives five minutes.
        cache_write_1h: Prompt tokens written to a cache that lives an hour.
        output: Generated tokens, reasoning included.
        reasoning: The part of `output` that was reasoning.
        cost_usd: Dollars for all of it.
        cost_source: Where `cost_usd` came from.
    """

    model: str | None = None
    input_uncached: int | None = field(default=None, validator=optional(ge(0)))
    cache_read: int | None = field(default=None, validator=optional(ge(0)))
    cache_write_5m: int | None = field(default=None, validator=optional(ge(0)))
    cache_write_1h: int | None = field(default=None, validator=optional(ge(0)))
    output: int | None = field(default=None, validator=optional(ge(0)))
    reasoning: int | None = field(default=None, validator=optional(ge(0)))
    cost_usd: float | None = field(default=None, validator=optional(ge(0)))
    cost_source: CostSource = CostSource.UNKNOWN
