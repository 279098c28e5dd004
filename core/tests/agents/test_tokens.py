from fairtrial.agents.picking import amount
from fairtrial.agents.tokens import (
    Tokens,
    by_model,
    from_anthropic,
    from_google,
    from_openai,
    merged,
)
from fairtrial.api import CostSource, ModelUsage, Usage


def test_three_conventions_give_the_same_buckets() -> None:
    anthropic = from_anthropic(
        {"input_tokens": 100, "cache_read_input_tokens": 50, "cache_creation_input_tokens": 0,
         "output_tokens": 30, "output_tokens_details": {"thinking_tokens": 7}}
    )  # fmt: skip
    openai = from_openai(
        {"input_tokens": 150, "cached_input_tokens": 50, "output_tokens": 30,
         "reasoning_output_tokens": 7}
    )  # fmt: skip
    google = from_google(150, 50, 30)
    expected = Usage(
        input_uncached=100, cache_read=50, cache_write_5m=0, cache_write_1h=0, output=30,
        reasoning=7,
    )  # fmt: skip
    assert expected == anthropic == openai
    assert (100, 50, 30) == (google.input_uncached, google.cache_read, google.output)


def test_nonsense_is_not_known_and_never_negative() -> None:
    absurd = {"input_tokens": 10**400, "output_tokens": 10**18}
    for told in (None, [], "x", {"input_tokens": -1, "output_tokens": True}, absurd):
        assert (None, None) == (from_anthropic(told).input_uncached, from_anthropic(told).output)
    assert 0 == from_openai({"input_tokens": 10, "cached_input_tokens": 50}).input_uncached


def test_an_amount_that_nobody_pays_is_not_known() -> None:
    for told in (10**400, 1e300, float("inf"), float("nan"), -1, True, "1"):
        assert amount({"cost": told}, "cost") is None
    assert 0.5 == amount({"cost": 0.5}, "cost")


def test_a_call_is_counted_once_and_as_it_was_told_last() -> None:
    tokens = Tokens()
    for call, output in (("a", 1), ("a", 5), ("b", 2), ("a", 5)):
        tokens.tell(call, Usage(model="m", output=output))
    tokens.tell("c", Usage(model="m"))
    assert [7] == [usage.output for usage in tokens.usages()]
    assert bool(tokens)
    assert not Tokens()


def test_very_many_calls_are_summed_in_little_room() -> None:
    tokens = Tokens()
    for number in range(50_000):
        tokens.tell(str(number), Usage(model="m", output=1))
    assert 20_000 == len(tokens)
    assert [50_000] == [usage.output for usage in tokens.usages()]


def test_what_one_part_does_not_know_the_sum_does_not_either() -> None:
    known = Usage(
        model="m", output=1, input_uncached=2, cost_usd=1.0, cost_source=CostSource.PRICED
    )
    (total,) = merged([known, known])
    assert (2, 4, 2.0, CostSource.PRICED) == (
        total.output, total.input_uncached, total.cost_usd, total.cost_source
    )  # fmt: skip
    (total,) = merged([known, Usage(model="m", output=1)])
    assert (2, None, None, CostSource.UNKNOWN) == (
        total.output, total.input_uncached, total.cost_usd, total.cost_source
    )  # fmt: skip


def test_models_stay_apart() -> None:
    usages = merged(
        [Usage(model="b", output=1), Usage(model="a", output=2), Usage(model="b", output=3)]
    )
    assert [("b", 4), ("a", 2)] == [(usage.model, usage.output) for usage in usages]
    assert by_model(()) is None
    assert {"b": ModelUsage(output_tokens=4), "a": ModelUsage(output_tokens=2)} == by_model(usages)
