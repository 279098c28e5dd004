import pytest
from fairtrial.energy.deltas import NS, Sample
from fairtrial.energy.floor import floor_s, update_s


def test_v12_the_floor_is_eight_updates_and_never_below_a_tenth_of_a_second() -> None:
    assert [0.1, pytest.approx(0.817), pytest.approx(17.157)] == [
        floor_s([0.001, None]),
        floor_s([0.001, 0.1]),
        floor_s([2.1]),
    ]


def steps(counts: list[int]) -> list[Sample]:
    return [Sample(at_ns=index * NS // 100, count=count) for index, count in enumerate(counts)]


def test_the_cadence_is_the_time_between_moves() -> None:
    counts = [index // 5 for index in range(60)]

    assert 0.05 == pytest.approx(update_s(steps(counts)))


@pytest.mark.parametrize("counts", [[7] * 60, [1, 2, 3], []])
def test_row_42_a_counter_that_moves_too_seldom_has_no_cadence(counts) -> None:
    assert None is update_s(steps(counts))
