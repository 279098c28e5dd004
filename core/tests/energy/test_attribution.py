import pytest
from fairtrial.energy.attribution import attributed_uj, cpu_times_us, shares
from fairtrial.energy.log import Span


def test_v20_joules_are_shared_by_cpu_time() -> None:
    assert 300_000_000 == attributed_uj(500_000_000, 6_000_000, 10_000_000)


def test_row_25_shares_can_not_be_more_than_the_whole() -> None:
    with pytest.raises(ValueError, match="1300000 µs of CPU time were used of 1000000 µs"):
        shares({"a": 700_000, "b": 600_000}, 1_000_000)


def test_row_25_shares_of_all_users_add_up_to_at_most_one() -> None:
    found = shares({"a": 300_000, "b": 600_000}, 1_000_000)

    assert {"a": 0.3, "b": 0.6} == found


def test_a_tick_more_than_the_host_counted_is_still_at_most_all_of_it() -> None:
    assert 1.0 == shares({"a": 1_005_000}, 1_000_000)["a"]


def test_of_two_meters_of_cpu_time_the_same_one_is_asked_in_whatever_order_they_are(
    counter, log_of
) -> None:
    counters = [
        counter("host", is_cpu_time=True, atoms=frozenset({"cpu-host"})),
        counter("b", is_cpu_time=True, atoms=frozenset({"cpu-group"})),
        counter("a", is_cpu_time=True, atoms=frozenset({"cpu-group"})),
    ]
    rows = [(0.0, {"host": 0, "a": 0, "b": 0}), (1.0, {"host": 100, "a": 30, "b": 60})]
    span = Span(id=1, label="own", begin=0, end=1)

    found = {cpu_times_us(log_of(row, rows), span, 1) for row in (counters, counters[::-1])}

    assert {(30, 100)} == found
