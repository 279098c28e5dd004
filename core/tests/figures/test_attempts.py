"""Quantiles, and what is worth reading."""

from attrs import evolve
from fairtrial.api import Insight, ToolCount, Trial
from fairtrial.conformance.fakes.records import silent_run, three_trial_run
from fairtrial.figures.attempts import quantile, sums, worth_reading


def trial(insight: Insight | None = None) -> Trial:
    return evolve(silent_run().trials[0], insight=insight)


def test_a_quantile_is_a_value_that_was_seen() -> None:
    assert (3, 4) == (quantile([4, 2, 3, 1], 0.5), quantile([1, 2, 3, 4], 0.9))
    assert 7 == quantile([7], 0.9)
    assert quantile([], 0.5) is None


def test_each_threshold_is_reached_at_its_value() -> None:
    just = (
        Insight(longest_silence_ms=300_000),
        Insight(tools={"Bash": ToolCount(calls=10, errors=2)}),
        Insight(questions=3),
    )
    under = (
        Insight(longest_silence_ms=299_999),
        Insight(tools={"Bash": ToolCount(calls=9, errors=9)}),
        Insight(tools={"Bash": ToolCount(calls=11, errors=2)}),
        Insight(questions=2),
    )
    assert [1, 1, 1] == [len(worth_reading([trial(insight)])) for insight in just]
    assert () == worth_reading([trial(insight) for insight in under])


def test_the_dearest_quarter_is_worth_reading_but_not_what_costs_nothing() -> None:
    costs = [evolve(trial(), insight=Insight(cost_usd=cost)) for cost in (0.1, 0.2, 0.3, 0.4)]
    (found,) = worth_reading(costs)
    assert (costs[3], ("among the dearest: $0.40",)) == (found.trial, found.reasons)
    assert () == worth_reading([trial(Insight(cost_usd=0.0)), trial()])


def test_a_dearest_attempt_of_a_fraction_of_a_cent_is_not_said_to_cost_nothing() -> None:
    (found,) = worth_reading([trial(Insight(cost_usd=0.004))])
    assert ("among the dearest: $0.0040",) == found.reasons


def test_what_is_not_known_is_in_no_sum() -> None:
    found = sums([trial(), trial(Insight(turns=2))])
    assert (1, 1, 2) == (found.logged, found.unlogged, found.turns)
    assert found.tokens is None
    assert "cost_usd" not in found.quantiles
    assert 1 == found.quantiles["turns"].known


def test_sums_are_of_the_logs_that_tell_and_of_none_there_is_no_sum() -> None:
    untold = trial(Insight(turns=1, failed_turns=0))
    found = sums([untold, trial(Insight(tools={}, subagents=0, rate_limit_hits=2))])
    assert ({}, 0, 2, 1) == (
        found.tools,
        found.subagents,
        found.rate_limit_hits,
        found.limited,
    )
    assert (1, 1, 1) == tuple(found.known[name] for name in ("tools", "turns", "subagents"))
    assert 1 == found.quantiles["tool_calls"].known
    nothing = sums([untold])
    assert (None, None, None) == (nothing.tools, nothing.subagents, nothing.limited)
    assert "tool_calls" not in nothing.quantiles


def test_dollars_are_those_of_the_record_where_it_has_any() -> None:
    told = evolve(three_trial_run().trials[0], insight=Insight(cost_usd=9.0))
    assert told.cost_usd == sums([told]).quantiles["cost_usd"].median
