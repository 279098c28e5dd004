"""What was spent, by the worked examples."""

from datetime import date

import pytest
from fairtrial.figures.costs import UNATTRIBUTED, Costs, SpendRow, costs, window

TODAY = date(2026, 10, 10)


def row(kind: str = "usage", day: str = "2026-10-10", **more: object) -> SpendRow:
    return SpendRow(day=day, org="bench", kind=kind, **more)  # type: ignore[arg-type]  # as named


def of(*rows: SpendRow) -> Costs:
    return costs(rows, window(TODAY))


SESSION_S = (
    row(session="s", agent="a", model="m1", input_tokens=100, output_tokens=20, cost_usd=0.10),
    row(session="s", agent="a", model="m1", input_tokens=50, output_tokens=5),
    row("routed", session="s", agent="a", cost_usd=0.04),
)
SESSION_T = (row(session="t", agent="a", model="m2", input_tokens=10, output_tokens=2),)


@pytest.mark.parametrize(
    ("days", "since", "first"),
    [
        (30, None, "2026-09-11"),
        (1, None, "2026-10-10"),
        (0, None, "2026-10-10"),
        (-4, None, "2026-10-10"),
        (999, None, "2025-10-11"),
        ("inf", None, "2025-10-11"),
        ("7.9", None, "2026-10-04"),
        ("many", None, "2026-09-11"),
        ("nan", None, "2026-09-11"),
        (30, "2026-10-01", "2026-10-01"),
        (1, "2026-10-01T12:00:00Z", "2026-10-01"),
    ],
)
def test_the_window_ends_today(days: object, since: str | None, first: str) -> None:
    found = window(TODAY, days, since)
    assert (date.fromisoformat(first), TODAY) == (found.since, found.until)
    assert first in found
    assert "2026-10-10" in found
    assert "2026-10-11" not in found


def test_a_first_day_that_cannot_be_read_matches_nothing() -> None:
    found = costs(SESSION_S, window(TODAY, 30, "yesterday"))
    assert ((), None, None) == (found.sessions, found.total.tokens, found.total.total_usd)


def test_rows_before_and_after_the_window_are_left_out() -> None:
    days = ("2026-09-10", "2026-09-11", "2026-10-10", "2026-10-11", "soon")
    found = of(*(row(day=day, session="s", input_tokens=1) for day in days))
    assert 2 == found.total.tokens


def test_estimated_and_metered_dollars_are_summed_apart() -> None:
    found = of(*SESSION_S)
    (session,) = found.sessions
    assert 175 == session.tokens
    assert (0.10, 0.04) == (session.estimated_usd, session.metered_usd)
    assert session.total_usd == pytest.approx(0.14)
    (model,) = session.models
    assert ("m1", 175, 0.10) == (model.model, model.tokens, model.cost_usd)
    (harness,) = found.harnesses
    assert ("a", "m1", 1, 175, 0.10) == (
        harness.agent,
        harness.model,
        harness.sessions,
        harness.tokens,
        harness.cost_usd,
    )


def test_tokens_without_a_price_are_unpriced_and_come_last() -> None:
    found = of(*SESSION_T, *SESSION_S, row("launched", session="u"))
    assert ["s", "t", "u"] == [session.session for session in found.sessions]
    _, unpriced, empty = found.sessions
    assert (None, "unpriced (tokens only)") == (unpriced.total_usd, unpriced.label)
    assert (None, "") == (empty.total_usd, empty.label)


def test_the_dollars_of_a_turn_of_several_models_reach_no_model() -> None:
    found = of(
        row(session="s", agent="a", model="m1", input_tokens=30),
        row(session="s", agent="a", model="m2", input_tokens=5, output_tokens=1),
        row(session="s", agent="a", cost_usd=0.2),
    )
    (session,) = found.sessions
    assert 0.2 == session.estimated_usd
    assert [("m1", 30, None), ("m2", 6, None)] == [
        (model.model, model.tokens, model.cost_usd) for model in session.models
    ]


def test_a_row_without_a_session_is_unattributed_and_in_the_totals() -> None:
    found = of(row(cost_usd=0.5), *SESSION_S)
    assert UNATTRIBUTED == found.sessions[0].session
    assert 0.5 == found.sessions[0].total_usd
    assert found.total.total_usd == pytest.approx(0.64)
    assert ["a"] == [harness.agent for harness in found.harnesses]


def test_grading_costs_time_and_no_money() -> None:
    found = of(row("scoring", scoring_ms=1500), row("scoring", day="2026-10-09", scoring_ms=1))
    assert ((), None) == (found.sessions, found.total.total_usd)
    assert {"2026-10-09": 1, "2026-10-10": 1500} == found.scoring_ms


def test_a_row_of_an_unknown_kind_leaves_its_session_and_nothing_else() -> None:
    found = of(row("gift", session="s", input_tokens=5, cost_usd=9.0))
    (session,) = found.sessions
    assert ("s", None, None) == (session.session, session.tokens, session.total_usd)


def test_tokens_that_nobody_told_are_unknown_and_never_zero() -> None:
    found = of(
        row(session="s", agent="a", model="m", cost_usd=0.2),
        row(session="t", agent="a", model="n", input_tokens=0, output_tokens=7),
    )
    silent, told = found.sessions
    assert (None, None, None) == (silent.tokens, silent.input_tokens, silent.models[0].tokens)
    assert (7, 0, None) == (told.tokens, told.input_tokens, told.cache_read_tokens)
    assert [("n", 7), ("m", None)] == [(one.model, one.tokens) for one in found.harnesses]
    assert (7, 0, None) == (
        found.total.tokens,
        found.total.input_tokens,
        found.total.cache_read_tokens,
    )


def test_what_an_agent_told_of_metered_dollars_is_in_no_total() -> None:
    found = of(
        row(session="s", agent="a", model="m", input_tokens=10, told_usd=0.11),
        row("routed", session="s", agent="a", cost_usd=0.1),
    )
    assert (0.11, 0.1, 0.1) == (
        found.total.estimated_usd,
        found.total.metered_usd,
        found.total.total_usd,
    )


def test_models_and_harnesses_stand_by_tokens_then_by_name() -> None:
    found = of(
        row(session="s", agent="b", model="z", input_tokens=5),
        row(session="s", model="y", input_tokens=5),
        row(session="s", agent="b", model="x", input_tokens=9),
        row(session="s2", agent="a", model="z", input_tokens=5),
        row("launched", session="s"),
        row("returned", session="s"),
    )
    assert ["x", "y", "z"] == [model.model for model in found.sessions[0].models]
    assert [("b", "x"), ("a", "z"), ("b", "y"), ("b", "z")] == [
        (one.agent, one.model) for one in found.harnesses
    ]
    assert (1, 1) == (found.sessions[0].launched, found.sessions[0].returned)
