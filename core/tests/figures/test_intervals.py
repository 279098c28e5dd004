import math

import pytest
from fairtrial.figures.intervals import effective_trials, quantiles, ratio_intervals, wilson
from hypothesis import given
from hypothesis import strategies as st

ENERGIES = (900, 1200, 800, 4000, 1500, 1100, 950, 2200, 1300, 1050)
RESOLVED = (1, 1, 0, 0, 1, 1, 1, 0, 1, 0)


def test_vector_19_the_seed_7_bootstrap_of_ten_tasks_is_1306_25_to_6300() -> None:
    rows = [(float(r), float(e)) for r, e in zip(RESOLVED, ENERGIES, strict=True)]
    (interval,) = ratio_intervals(rows, seed=7)
    assert interval is not None
    assert (1306.25, 6300.0) == (interval.low, interval.high)


def test_vector_19_one_success_in_five_leaves_the_upper_end_unbounded() -> None:
    rows = [(float(r), float(e)) for r, e in zip((1, 0, 0, 0, 0), ENERGIES[:5], strict=True)]
    (interval,) = ratio_intervals(rows, seed=7)
    assert interval is not None
    assert (1800.0, None) == (interval.low, interval.high)


def test_wilson_of_8_in_10_is_the_textbook_interval() -> None:
    interval = wilson(8, 10)
    assert interval is not None
    assert interval.low == pytest.approx(0.4901625, abs=1e-6)
    assert interval.high == pytest.approx(0.9433178, abs=1e-6)


def test_wilson_of_nothing_says_nothing() -> None:
    assert wilson(0, 0) is None


def test_no_values_have_no_quantiles() -> None:
    assert quantiles([], method="bootstrap") is None
    assert ratio_intervals([]) == ()


@given(st.integers(1, 5000), st.data())
def test_wilson_holds_the_share_and_stays_a_share(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    interval = wilson(successes, trials)
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    assert 0 <= interval.low <= successes / trials <= interval.high <= 1


def test_rollouts_that_always_agree_are_worth_one_trial_a_task() -> None:
    assert effective_trials([4, 0, 4, 0, 4], 4) == pytest.approx(5)
    assert effective_trials([4, 4, 4], 4) == 3


def test_rollouts_that_have_nothing_in_common_are_worth_all_of_them() -> None:
    assert effective_trials([2, 2, 2, 2], 4) == 16


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_effective_trials_lie_between_tasks_and_trials(successes: list[int]) -> None:
    worth = effective_trials(successes, 3)
    assert len(successes) - 1e-9 <= worth <= 3 * len(successes) + 1e-9


def test_a_wide_cluster_widens_the_interval() -> None:
    plain, clustered = wilson(6, 12), wilson(6, 12, effective=4)
    assert plain is not None
    assert clustered is not None
    assert math.inf > (plain.low or 0) > (clustered.low or 0)
    assert clustered.method == "wilson-clustered"
