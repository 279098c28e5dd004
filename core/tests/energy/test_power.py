import pytest
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.power import integrate


def watts(*points: tuple[float, float]) -> list[Sample]:
    return [Sample(at_ns=round(at_s * NS), count=round(w * 1e6)) for at_s, w in points]


def test_v21_the_area_under_power_is_energy(counter) -> None:
    power = counter(is_power=True, update_s=1.0)
    points = watts((0, 100), (1, 120), (2, 80), (4, 80))

    assert 370_000_000 == integrate(points, power, 0, 4 * NS).microjoules


def test_v21_a_long_gap_is_not_bridged(counter) -> None:
    power = counter(is_power=True, update_s=1.0)

    found = integrate(watts((0, 100), (2, 80), (40, 80)), power, 0, 40 * NS)

    assert (None, ("sample-gap",)) == (found.microjoules, found.flags)


def test_row_36_a_power_that_nothing_draws_counts_as_missing(counter) -> None:
    power = counter(is_power=True, update_s=1.0)
    points = [*watts((0, 100), (2, 100)), Sample(at_ns=NS, count=4_294_967_295_000_000)]

    found = integrate(sorted(points, key=lambda one: one.at_ns), power, 0, 2 * NS)

    assert 200_000_000 == found.microjoules


def test_an_edge_is_held_for_one_update_and_no_longer(counter) -> None:
    power = counter(is_power=True, update_s=1.0)
    points = watts((1, 50), (2, 50))

    near = integrate(points, power, NS // 2, 5 * NS // 2)
    far = integrate(points, power, NS // 2, 4 * NS)

    assert [100_000_000, None] == [near.microjoules, far.microjoules]


def test_no_reading_is_no_energy(counter) -> None:
    assert ("missing-reading",) == integrate([], counter(is_power=True), 0, NS).flags


@pytest.mark.parametrize(("at_s", "joules"), [(5.0, 240), (5.5, None)])
def test_three_updates_are_bridged_and_no_more(counter, at_s, joules) -> None:
    power = counter(is_power=True, update_s=1.0)

    found = integrate(watts((2, 80), (at_s, 80)), power, 2 * NS, round(at_s * NS))

    assert joules == (None if found.microjoules is None else found.microjoules / 1e6)
