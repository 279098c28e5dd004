from decimal import Decimal

import pytest
from fairtrial_reporter_html.scales import (
    LEAST,
    MOST,
    MOST_TICKS,
    Scale,
    compact,
    counting,
    drawable,
    percents,
    scale_of,
)
from hypothesis import given
from hypothesis import strategies as st

values = st.lists(st.just(0.0) | st.floats(LEAST, MOST), max_size=12)


def sound(scale: Scale) -> None:
    marks = [tick.value for tick in scale.ticks]
    labels = [tick.label for tick in scale.ticks]
    assert marks == sorted(set(marks))
    assert len(labels) == len(set(labels))
    assert all(scale.holds(mark) for mark in marks)
    assert 2 <= len(marks) <= MOST_TICKS + 1
    places = [scale.share(mark) for mark in marks]
    assert places == sorted(set(places))


@given(values)
def test_every_value_is_on_its_axis_whose_marks_are_ordered_and_told_apart(
    found: list[float],
) -> None:
    scale = scale_of(found)
    sound(scale)
    assert all(scale.holds(value) and 0 <= scale.share(value) <= 1 for value in found)


@given(st.floats(0, 1))
def test_an_axis_of_shares_never_goes_beyond_all(high: float) -> None:
    scale = scale_of([high], percents)
    assert scale.high <= 1


@given(st.integers(2, 1000))
def test_an_axis_of_counts_has_whole_marks(last: int) -> None:
    scale = counting(last)
    sound(scale)
    assert (1, last) == (scale.low, scale.high)
    assert all(tick.value.is_integer() for tick in scale.ticks)


def test_an_axis_is_logarithmic_where_values_span_more_than_tenfold() -> None:
    assert not scale_of([1.0, 10.0]).log
    assert scale_of([1.0, 10.1]).log


def test_a_zero_keeps_an_axis_linear_and_stands_at_its_beginning() -> None:
    scale = scale_of([0.0, 0.01, 5.0])
    assert (False, 0.0) == (scale.log, scale.share(0.0))


def test_marks_are_at_1_2_and_5_or_at_1_and_3_or_at_powers_of_ten() -> None:
    assert ["0.02", "0.05", "0.1", "0.2", "0.5"] == [
        tick.label for tick in scale_of([0.03, 0.4]).ticks
    ]
    assert ["0.03", "0.1", "0.3", "1"] == [tick.label for tick in scale_of([0.02, 2.0]).ticks]
    assert ["1", "10", "20", "30", "40"] == [tick.label for tick in counting(40).ticks]
    assert ["0.001", "0.01", "0.1", "1", "10"] == [
        tick.label for tick in scale_of([0.001, 12.0]).ticks
    ]
    assert ["0", "2k", "4k", "6k", "8k"] == [tick.label for tick in scale_of([7_200.0]).ticks]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0", "0"),
        ("0.0005", "0.0005"),
        ("200", "200"),
        ("2000", "2k"),
        ("2500000", "2.5M"),
        ("0.00002", "2e-5"),
        ("5E+18", "5e18"),
    ],
)
def test_a_mark_is_as_short_as_it_can_be(value: str, shown: str) -> None:
    assert shown == compact(Decimal(value))


def test_what_is_unknown_or_endless_is_in_no_plot() -> None:
    assert [False, False, False, False, True, True] == [
        drawable(value) for value in (None, float("inf"), 1e-20, 1e20, 0.0, 3.5)
    ]
