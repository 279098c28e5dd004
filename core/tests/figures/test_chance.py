from math import comb

import pytest
from fairtrial.figures.chance import holm, mcnemar
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("lost", "gained", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (0, 6, 0.03125),
        (1, 9, 0.021484375),
        (5, 5, 1.0),
        (2, 12, 0.01293945),
    ],
)
def test_mcnemar_is_the_two_sided_binomial(lost: int, gained: int, p: float) -> None:
    assert mcnemar(lost, gained) == pytest.approx(p, abs=1e-8)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_a_chance_whichever_side_is_called_lost(lost: int, gained: int) -> None:
    tail = sum(comb(lost + gained, k) for k in range(min(lost, gained) + 1))
    expected = min(1.0, 2 * tail / 2 ** (lost + gained))
    assert mcnemar(lost, gained) == pytest.approx(expected)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


def test_thousands_of_changed_tasks_lose_no_digit() -> None:
    assert 0 < mcnemar(4000, 4400) < 1e-4
    assert mcnemar(5000, 5000) == 1.0


def test_holm_corrects_the_smallest_most_and_keeps_the_order() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([]) == ()
    assert holm([0.5, 0.6]) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_a_corrected_p_is_never_smaller_and_keeps_the_ranking(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(p <= found <= 1 for p, found in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    ranked = [corrected[index] for index in order]
    assert ranked == sorted(ranked)
