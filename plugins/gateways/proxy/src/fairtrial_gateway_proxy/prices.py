"""
What a model's tokens cost: a table that is bundled, dated, and never guesses.

The table is that of the package genai-prices. It matches names by prefix and by parts, so that
`claude-opus-4-8-lookalike` would cost what `claude-opus-4-8` costs; here a name is known only if
the table names it, or names it but for the date of a release.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import field, frozen
from attrs.validators import ge, optional

from fairtrial_gateway_proxy.counts import Counts
from fairtrial_gateway_proxy.routes import PROVIDERS

if TYPE_CHECKING:
    from genai_prices.types import MatchLogic, ModelInfo, ModelPrice, Provider

TABLE = "genai-prices 0.2.3"
"""The table and its version; the distribution requires exactly this one."""
TABLE_DATE = "2026-11-10"
"""When that version was published."""

_MTOK = 1_000_000
# A release's date, as the providers write it after a name; and their word for the newest one.
_DATED = re.compile(r"(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-00\d|-latest)$")


@frozen(kw_only=True)
class Price:
    """
    What a model's tokens cost, in dollars for a million.

    A bucket without a price is not free: a reply that uses it has no known cost.

    Attributes:
        input: Prompt tokens at the full rate.
        output: Generated tokens.
        cache_read: Prompt tokens read from a cache.
        cache_write_5m: Prompt tokens written to a cache for five minutes.
        cache_write_1h: Prompt tokens written to a cache for an hour.
        dated: When this was the price, such as `2026-11-01`.
    """

    input: float = field(validator=ge(0))
    output: float = field(validator=ge(0))
    cache_read: float | None = field(default=None, validator=optional(ge(0)))
    cache_write_5m: float | None = field(default=None, validator=optional(ge(0)))
    cache_write_1h: float | None = field(default=None, validator=optional(ge(0)))
    dated: str = ""

    def cost_usd(self, counts: Counts) -> float | None:
        """Returns what a reply costs; None where a part of it has no price."""
        parts = (
            (counts.input_uncached, self.input),
            (counts.cache_read, self.cache_read),
            (counts.cache_write_5m, self.cache_write_5m),
            (counts.cache_write_1h, self.cache_write_1h),
            (counts.output, self.output),
        )
        total = 0.0
        for tokens, rate in parts:
            if tokens is None or (tokens and rate is None):
                return None
            total += tokens * (rate or 0.0)
        return None if counts.searches or counts.tier else total / _MTOK

    def dearest_usd(self, prompt_tokens: int, output_tokens: int) -> float:
        """Returns what a request costs at most."""
        rates = (self.input, self.cache_read, self.cache_write_5m, self.cache_write_1h)
        dearest = max(rate for rate in rates if rate is not None)
        return (prompt_tokens * dearest + output_tokens * self.output) / _MTOK


@frozen(kw_only=True)
class Prices:
    """
    Prices of one run.

    Attributes:
        own: The user's own, which go before the table's.
        upstreams: Where each provider is reached; a reseller's prices may differ.
    """

    own: Mapping[str, Price] = field(factory=dict)
    upstreams: Mapping[str, str] = PROVIDERS
    _dearest: dict[tuple[str, str], tuple[float, float] | None] = field(factory=dict, init=False)
    _flat: dict[tuple[str, str], Price | None] = field(factory=dict, init=False)
    _names: dict[str, "dict[str, ModelInfo | None]"] = field(factory=dict, init=False)

    def load(self) -> None:
        """Reads the table, which takes a moment the first time."""
        for provider in self.upstreams:
            self._find(provider, "")

    def cost_usd(self, provider: str, model: str, counts: Counts) -> float | None:
        """Returns what a reply costs; None for a model, or a part of it, that has no price."""
        if model in self.own:
            return self.own[model].cost_usd(counts)
        found = self._find(provider, model)
        if found is None or not counts.known:
            return None
        flat = self._flat_price(provider, model, found)
        if flat is not None and not counts.searches and not counts.tier:
            return flat.cost_usd(counts)
        return _listed_usd(found, counts)

    def dearest_usd(
        self, provider: str, model: str, prompt_tokens: int, output_tokens: int
    ) -> float | None:
        """Returns what a request costs at most; None for a model that has no price."""
        if model in self.own:
            return self.own[model].dearest_usd(prompt_tokens, output_tokens)
        key = (provider, model)
        if key not in self._dearest:
            found = self._find(provider, model)
            self._dearest[key] = None if found is None else _dearest(found)
        rates = self._dearest[key]
        if rates is None:
            return None
        return (prompt_tokens * rates[0] + output_tokens * rates[1]) / _MTOK

    @cached_property
    def _providers(self) -> "Mapping[str, Provider]":
        from genai_prices.data import providers  # noqa: PLC0415  # half a second, if ever needed

        found = {}
        for ours, address in self.upstreams.items():
            by_address = (one for one in providers if re.match(one.api_pattern, address))
            by_name = (one for one in providers if one.id == ours)
            found[ours] = next(by_address, None) or next(by_name)
        return found

    def _flat_price(self, provider: str, model: str, found: "ModelInfo") -> Price | None:
        """Returns a price without tiers, by which a reply is priced in no time; else None."""
        key = (provider, model)
        if key not in self._flat:
            self._flat[key] = _flat(found)
        return self._flat[key]

    def _find(self, provider: str, model: str) -> "ModelInfo | None":
        names = self._names.get(provider)
        if names is None:
            names = self._names[provider] = _named(self._providers[provider])
        name = model.lower().removeprefix("models/")
        return names.get(name) or names.get(_DATED.sub("", name))


def _named(provider: "Provider") -> "dict[str, ModelInfo | None]":
    """Returns each model by every name that the table spells out; None for an ambiguous one."""
    names: dict[str, ModelInfo | None] = {}
    own = {model.id for model in provider.models}
    for model in provider.models:
        for name in _spelt(model.match):
            if name not in own:
                names[name] = model if names.get(name, model) is model else None
        names[model.id] = model
    return names


def _spelt(match: "MatchLogic") -> Iterator[str]:
    """Yields the names in a rule of the table; a word that a name only contains is none."""
    for inner in getattr(match, "or_", ()):
        yield from _spelt(inner)
    for key in ("equals", "starts_with"):
        if name := getattr(match, key, ""):
            yield name.rstrip("-@:").lower()


def _listed_usd(model: "ModelInfo", counts: Counts) -> float | None:
    from genai_prices import Usage  # noqa: PLC0415  # as above

    moment = datetime.now(UTC)
    context = {"service_tier": counts.tier, "speed": counts.tier} if counts.tier else None
    if context is not None and not _has_variant(model, counts.tier):
        return None
    price = model.get_prices(moment, context)
    if not _covers(price, counts):
        return None
    written = counts.cache_write_5m + counts.cache_write_1h
    usage = Usage(
        input_tokens=(counts.input_uncached or 0) + counts.cache_read + written,
        cache_read_tokens=counts.cache_read,
        cache_write_tokens=written,
        cache_write_1h_tokens=counts.cache_write_1h,
        output_tokens=counts.output or 0,
        web_searches=counts.searches,
    )
    return float(price.calc_price(usage)["total_price"])


def _covers(price: "ModelPrice", counts: Counts) -> bool:
    """Whether the table has a price for all that was used: it bills the rest at other rates."""
    needed = (
        (1, price.input_mtok),
        (1, price.output_mtok),
        (counts.cache_read, price.cache_read_mtok),
        (counts.cache_write_5m, price.cache_write_mtok),
        (counts.cache_write_1h, price.cache_write_1h_mtok),
        (counts.searches, price.web_searches_kcount),
    )
    return all(rate is not None for tokens, rate in needed if tokens)


def _has_variant(model: "ModelInfo", tier: str) -> bool:
    return any(tier in variant.when.values() for variant in model.price_variants or ())


def _dearest(model: "ModelInfo") -> tuple[float, float] | None:
    """Returns the highest rates of prompts and of replies."""
    price = model.get_prices(datetime.now(UTC))
    if price.input_mtok is None or price.output_mtok is None:
        return None
    into = (price.input_mtok, price.cache_write_mtok, price.cache_write_1h_mtok)
    return max(_top(rate) for rate in into if rate is not None), _top(price.output_mtok)


def _flat(model: "ModelInfo") -> Price | None:
    price = model.get_prices(datetime.now(UTC))
    rates = (
        price.input_mtok,
        price.output_mtok,
        price.cache_read_mtok,
        price.cache_write_mtok,
        price.cache_write_1h_mtok,
    )
    told = [None if rate is None else float(str(rate)) for rate in rates if _is_flat(rate)]
    if len(told) < len(rates) or told[0] is None or told[1] is None:
        return None
    return Price(
        input=told[0],
        output=told[1],
        cache_read=told[2],
        cache_write_5m=told[3],
        cache_write_1h=told[4],
        dated=TABLE_DATE,
    )


def _is_flat(rate: object) -> bool:
    return not hasattr(rate, "tiers")


def _top(rate: object) -> float:
    tiers = getattr(rate, "tiers", None)
    if tiers is None:
        return float(str(rate))
    return max(float(getattr(rate, "base", 0)), *(float(tier.price) for tier in tiers))
