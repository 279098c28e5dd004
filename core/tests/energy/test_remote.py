import pytest
from fairtrial.api import Boundary, Energy, Label, Usage
from fairtrial.energy.remote import (
    Tokens,
    couch_wh,
    ecologits_wh,
    energy,
    estimates,
    jegham_wh,
    of_usage,
    side_by_side,
)

SESSION = Tokens(fresh_in=5_000, out=8_000, cache_read=600_000, cache_write=40_000)


def test_v17_the_methods_give_what_their_sources_give() -> None:
    assert 60.55 == pytest.approx(couch_wh(SESSION), abs=1e-9)
    assert 34.45 == pytest.approx(jegham_wh(2600, SESSION), abs=1e-9)
    assert 38.41 == pytest.approx(ecologits_wh(67, 670, 8_000), abs=0.01)
    assert 76.97 == pytest.approx(ecologits_wh(200, 670, 8_000), abs=0.01)
    assert 4.800831 == pytest.approx(ecologits_wh(67, 670, 1_000), abs=1e-5)


def test_v17_a_session_is_a_range_with_its_geometric_mean() -> None:
    found = energy({"claude-opus-4": SESSION})

    assert (Boundary.REMOTE, Label.ESTIMATOR) == (found.boundary, found.label)
    assert 124_000 == pytest.approx(found.low_j, rel=0.001)
    assert 277_100 == pytest.approx(found.high_j, rel=0.001)
    assert found.joules == pytest.approx((found.low_j * found.high_j) ** 0.5)


def test_row_40_two_methods_or_more_with_their_versions_and_input_counts() -> None:
    found = estimates("claude-opus-4", SESSION)
    without_input = estimates("claude-opus-4", Tokens(out=8_000))

    assert ["couch 2026-01", "ecologits 0.11.3", "jegham 2025 fit 1"] == [
        own.method for own in found
    ]
    assert found[0].high_wh > without_input[0].high_wh
    assert "couch 2026-01+ecologits 0.11.3+jegham 2025 fit 1" == energy({"opus": SESSION}).meter


def test_a_smaller_batch_costs_more_a_token() -> None:
    assert [10.3, 28.8] == [
        pytest.approx(ecologits_wh(67, 670, 1_000, batch=batch), abs=0.1) for batch in (16, 4)
    ]


def test_an_unknown_model_has_no_figure() -> None:
    found = energy({"claude-opus-4": SESSION, "nobody-9": SESSION})

    assert (None, "no method knows the model “nobody-9”") == (found.joules, found.why)


def test_a_small_model_is_not_taken_for_its_large_namesake() -> None:
    assert (None, "no method knows the model “gpt-4o-mini”") == (
        energy({"gpt-4o-mini": SESSION}).joules,
        energy({"gpt-4o-mini": SESSION}).why,
    )
    assert energy({"gpt-4o": SESSION}).joules


def test_a_model_that_nobody_named_is_said_to_be_so() -> None:
    assert "no model is named" == energy({"": SESSION}).why
    assert "no method knows the model “x”" == energy({"": SESSION, "x": SESSION}).why


def test_a_records_usage_becomes_one_figure() -> None:
    usage = Usage(
        model="claude-opus-4",
        input_uncached=5_000,
        output=8_000,
        cache_read=600_000,
        cache_write_5m=30_000,
        cache_write_1h=10_000,
    )

    assert (energy({"claude-opus-4": SESSION}),) == of_usage([usage])
    assert () == of_usage([])


def test_unknown_tokens_have_no_figure() -> None:
    (found,) = of_usage([Usage(model="claude-opus-4", output=5)])

    assert (None, ("no-tokens",)) == (found.joules, found.flags)


def test_a_remote_estimate_stands_beside_the_local_figure_and_is_never_added() -> None:
    local = Energy(joules=4500.0, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT)
    usage = [Usage(model="claude-opus-4", input_uncached=5_000, output=8_000)]

    found = side_by_side((local,), usage)

    assert [(4500.0, Boundary.HOST), (pytest.approx(132_309, rel=0.001), Boundary.REMOTE)] == [
        (own.joules, own.boundary) for own in found
    ]
    assert (local,) == side_by_side((local,), [])
    assert () == side_by_side((), usage)
