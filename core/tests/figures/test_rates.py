from fractions import Fraction

import pytest
from fairtrial.figures.rates import (
    DASH,
    at_least,
    change_of_money,
    joules,
    median,
    money,
    percent,
    percent_of,
    ratio,
    seconds,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.5, "50%"), (0.005, "1%"), (0.125, "13%"), (-1.0, "-100%"), (2 / 3, "67%"), (None, DASH)],
)
def test_percentages_are_whole_and_rounded_half_up(share: float | None, shown: str) -> None:
    assert percent(share) == shown


@given(st.integers(1, 10**6), st.data())
def test_a_count_s_percentage_is_rounded_half_up_without_float_error(
    whole: int, data: st.DataObject
) -> None:
    part = data.draw(st.integers(0, whole))
    exact = Fraction(100 * part, whole) + Fraction(1, 2)
    assert percent_of(part, whole) == f"{exact.numerator // exact.denominator}%"


def test_nothing_of_nothing_is_unknown() -> None:
    assert percent_of(0, 0) == DASH
    assert ratio(0, 0) is None


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (0.125, "0.13"),
        (0.375, "0.38"),
        (1.005, "1.00"),
        (0.0, "0.00"),
        (2.0, "2.00"),
        (1e300, "1e+300"),
        (None, "–"),
    ],
)
def test_money_has_two_decimals_and_exact_ties_go_up(cost: float | None, shown: str) -> None:
    assert money(cost) == shown


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (0.005, "0.01"),
        (0.0041, "0.0041"),
        (0.001, "0.0010"),
        (-0.002, "-0.0020"),
        (0.000041, "0.000041"),
        (1e-8, "1.0e-08"),
    ],
)
def test_money_that_is_something_is_never_shown_as_nothing(cost: float, shown: str) -> None:
    assert money(cost) == shown


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (0.31, 0.28, "-0.03"),
        (0.1, 0.1, "+0.00"),
        (0.2, 0.5, "+0.30"),
        (0.101, 0.1, "+0.00"),
        (0.0, 0.125, "+0.13"),
        (0.0041, 0.0123, "+0.01"),
        (0.0123, 0.0041, "-0.01"),
        (0.0041, 0.0001, "-0.0040"),
        (0.0041, 0.001 + 0.0031, "+0.00"),
        (None, 0.5, DASH),
        (0.5, None, DASH),
    ],
)
def test_a_change_of_money_has_its_sign(
    before: float | None, after: float | None, shown: str
) -> None:
    assert change_of_money(before, after) == shown


@pytest.mark.parametrize(
    ("energy", "shown"),
    [
        (30.0, "30.0"),
        (0.02, "0.02"),
        (4749.865, "4,750"),
        (3.0, "3.00"),
        (0.0, "0"),
        (1e300, "1e+300"),
        (None, DASH),
    ],
)
def test_joules_show_the_digits_that_mean_something(energy: float | None, shown: str) -> None:
    assert joules(energy) == shown


def test_seconds_carry_their_unit_and_unknown_ones_are_a_dash() -> None:
    assert seconds(12.34) == "12.3s"
    assert seconds(0.00005) == "0.00005s"
    assert seconds(None) == DASH


@pytest.mark.parametrize("short_s", [0.0, 0.00004])
def test_a_time_too_short_to_be_counted_is_not_shown_as_nothing(short_s: float) -> None:
    assert seconds(short_s) == "<0.0001s"


def test_the_median_of_an_even_count_is_the_mean_of_the_middle_two() -> None:
    assert median([1, 2, 10, 4]) == 3
    assert median([5, 1, 9]) == 5
    assert median([]) is None


def test_a_sum_that_lacks_parts_says_so() -> None:
    assert at_least("1.50", 0) == "1.50"
    assert at_least("1.50", 3) == "≥ 1.50 (3 unknown)"
