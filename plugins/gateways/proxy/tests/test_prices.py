import json
import tomllib
from pathlib import Path

import pytest
from fairtrial_gateway_proxy import Price
from fairtrial_gateway_proxy.counts import Counts, counts
from fairtrial_gateway_proxy.prices import TABLE, TABLE_DATE, Prices
from fairtrial_gateway_proxy.routes import PROVIDERS, Api

SOME = Counts(input_uncached=1_000_000, output=1_000_000)


@pytest.mark.parametrize(
    ("provider", "model", "cost_usd"),
    [
        ("anthropic", "claude-opus-4-8", 30.0),
        ("anthropic", "claude-haiku-4-5-20251001", 6.0),
        ("anthropic", "claude-sonnet-4-20250514", 18.0),
        ("openai", "gpt-5-mini", 2.25),
        ("openai", "gpt-5-mini-2025-08-07", 2.25),
        ("google", "gemini-2.5-flash", 2.8),
        ("google", "models/gemini-2.5-flash", 2.8),
    ],
)
def test_a_name_of_the_table_has_its_price(provider: str, model: str, cost_usd: float) -> None:
    assert pytest.approx(cost_usd) == Prices().cost_usd(provider, model, SOME)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("anthropic", ""),
        ("anthropic", "fake-model-1"),
        ("anthropic", "claude"),
        ("anthropic", "claude-opus-4-8-lookalike"),
        ("anthropic", "claude-opus-4-80"),
        ("anthropic", "my-claude-opus-4-8"),
        ("anthropic", "claude-haiku-4-5-20251001-evil"),
        ("openai", "claude-opus-4-8"),
        ("openai", "gpt-5-mini-fast"),
        ("google", "gemini-2.5-pro-lookalike"),
        ("google", "tuned-gemini-2.5-flash"),
    ],
)
def test_a_name_that_only_resembles_a_known_one_has_none(provider: str, model: str) -> None:
    prices = Prices()

    assert prices.cost_usd(provider, model, SOME) is None
    assert prices.dearest_usd(provider, model, 1, 1) is None


def test_each_bucket_has_its_own_price() -> None:
    used = Counts(
        input_uncached=100,
        cache_read=1_000,
        cache_write_5m=200,
        cache_write_1h=300,
        output=50,
        searches=2,
    )

    cost = Prices().cost_usd("anthropic", "claude-opus-4-8", used)

    whole = (100 * 5 + 1_000 * 0.5 + 200 * 6.25 + 300 * 10 + 50 * 25) / 1e6 + 2 * 0.01
    assert pytest.approx(whole) == cost


def test_a_bucket_that_the_table_doesnt_price_leaves_the_cost_unknown() -> None:
    read = Counts(input_uncached=1, cache_read=1, output=1)

    assert Prices().cost_usd("openai", "gpt-5.2-pro", SOME) is not None
    assert Prices().cost_usd("openai", "gpt-5.2-pro", read) is None


def test_a_long_prompt_is_priced_by_its_tier() -> None:
    short = Counts(input_uncached=100_000, output=0)
    long = Counts(input_uncached=300_000, output=0)

    costs = [Prices().cost_usd("openai", "gpt-5.4", used) for used in (short, long)]

    assert [pytest.approx(0.25), pytest.approx(1.5)] == costs


def test_a_service_tier_without_a_price_leaves_the_cost_unknown() -> None:
    odd = Counts(input_uncached=1, output=1, tier="scale")

    assert Prices().cost_usd("openai", "gpt-5.4", odd) is None


def test_a_price_of_ones_own_knows_only_the_buckets_that_it_names() -> None:
    prices = Prices(own={"x": Price(input=1.0, output=2.0, cache_read=0.1)})
    read = Counts(input_uncached=1_000_000, cache_read=1_000_000, output=1_000_000)
    written = Counts(input_uncached=1, cache_write_5m=1, output=1)

    assert pytest.approx(3.1) == prices.cost_usd("openai", "x", read)
    assert prices.cost_usd("openai", "x", written) is None
    assert pytest.approx(3.0) == prices.dearest_usd("openai", "x", 1_000_000, 1_000_000)


def test_what_is_priced_at_most_is_never_less_than_what_it_costs() -> None:
    prices = Prices()
    used = Counts(cache_write_1h=1_000, input_uncached=0, output=1_000)

    cost = prices.cost_usd("anthropic", "claude-opus-4-8", used)
    most = prices.dearest_usd("anthropic", "claude-opus-4-8", 1_000, 1_000)

    assert cost is not None
    assert most is not None
    assert cost <= most


def test_the_table_is_the_one_that_is_required_and_dated() -> None:
    project = Path(__file__).parent.parent / "pyproject.toml"
    needs = tomllib.loads(project.read_text())["project"]["dependencies"]

    assert TABLE.replace(" ", "==") in needs
    assert TABLE_DATE == json.loads(f'"{TABLE_DATE}"')
    assert {"anthropic", "google", "openai"} == set(PROVIDERS)


@pytest.mark.parametrize(
    ("api", "told", "expected"),
    [
        (
            Api.MESSAGES,
            {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 3},
            Counts(input_uncached=5, cache_read=7, output=3),
        ),
        (
            Api.MESSAGES,
            {"input_tokens": 5, "cache_creation_input_tokens": 9, "output_tokens": None},
            Counts(input_uncached=5, cache_write_5m=9),
        ),
        (
            Api.CHAT,
            {
                "prompt_tokens": 100,
                "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
                "completion_tokens": 4,
            },
            Counts(input_uncached=30, cache_read=60, cache_write_5m=10, output=4),
        ),
        (
            Api.RESPONSES,
            {"input_tokens": 100, "output_tokens": 9, "service_tier": "default"},
            Counts(input_uncached=100, output=9),
        ),
        (
            Api.GEMINI,
            {
                "promptTokenCount": 100,
                "cachedContentTokenCount": 60,
                "toolUsePromptTokenCount": 5,
                "candidatesTokenCount": 4,
                "thoughtsTokenCount": 6,
            },
            Counts(input_uncached=45, cache_read=60, output=10, reasoning=6),
        ),
        (Api.GEMINI, {"promptTokenCount": 100}, Counts(input_uncached=100)),
        (Api.CHAT, {"prompt_tokens": "many", "completion_tokens": -1}, Counts()),
    ],
)
def test_each_providers_convention_becomes_disjoint_buckets(
    api: Api, told: dict[str, object], expected: Counts
) -> None:
    assert expected == counts(api, told)
