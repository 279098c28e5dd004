import statistics
from random import Random

import pytest
from fairtrial.figures.draws import PLAIN, Row, binomial, resampled_sums


def _resolved(row: Row) -> bool:
    return row[0] > 0


def _textbook(rows: list[Row], resamples: int, seed: int) -> list[Row]:
    rng = Random(seed)
    sums: list[Row] = []
    for _ in range(resamples):
        drawn = rng.choices(rows, k=len(rows))
        sums.append(tuple(map(sum, zip(*drawn, strict=True))))
    return sums


def _rows(size: int, share: float) -> list[Row]:
    rng = Random(size)
    return [(float(rng.random() < share), rng.lognormvariate(5, 1)) for _ in range(size)]


@pytest.mark.parametrize(
    ("size", "share"), [(PLAIN, 0.5), (60, 0.5), (66, 0.8), (200, 0.3), (600, 0.01), (400, 0.97)]
)
def test_sums_are_spread_as_the_textbook_bootstrap_spreads_them(size: int, share: float) -> None:
    rows = _rows(size, share)
    quick = list(resampled_sums(rows, kind=_resolved, resamples=3000, seed=1))
    slow = _textbook(rows, 3000, 2)
    for column in (0, 1):
        ours, theirs = [row[column] for row in quick], [row[column] for row in slow]
        spread = statistics.stdev(theirs)
        assert statistics.stdev(ours) == pytest.approx(spread, rel=0.08, abs=0.05)
        for one, other in zip(
            statistics.quantiles(ours, n=40), statistics.quantiles(theirs, n=40), strict=True
        ):
            assert one == pytest.approx(other, abs=0.35 * spread + 0.5)


def test_a_rare_success_is_missed_as_often_as_chance_has_it() -> None:
    rows: list[Row] = [(float(index < 3),) for index in range(3000)]
    sums = list(resampled_sums(rows, kind=_resolved, resamples=4000, seed=3))
    missed = sum(row[0] == 0 for row in sums) / 4000
    assert missed == pytest.approx((1 - 3 / 3000) ** 3000, abs=0.012)


@pytest.mark.parametrize("size", [5, 50, 500])
def test_the_same_seed_gives_the_same_sums(size: int) -> None:
    rows = _rows(size, 0.5)
    first, second = (
        list(resampled_sums(rows, kind=_resolved, resamples=20, seed=9)) for _ in range(2)
    )
    assert first == second


def test_columns_that_move_together_stay_together() -> None:
    rows: list[Row] = [(float(i % 2), float(i), 2.0 * i) for i in range(300)]
    for row in resampled_sums(rows, kind=_resolved, resamples=50, seed=4):
        assert row[2] == pytest.approx(2 * row[1], rel=1e-6)


@pytest.mark.parametrize(
    ("trials", "chance"), [(10, 0.3), (500, 0.01), (500, 0.5), (5000, 0.9), (40, 0.95)]
)
def test_binomial_has_the_right_mean_and_spread(trials: int, chance: float) -> None:
    rng = Random(5)
    drawn = [binomial(trials, chance, rng) for _ in range(4000)]
    spread = (trials * chance * (1 - chance)) ** 0.5
    assert statistics.mean(drawn) == pytest.approx(trials * chance, abs=0.1 * spread)
    assert statistics.stdev(drawn) == pytest.approx(spread, rel=0.06)
    assert min(drawn) >= 0
    assert max(drawn) <= trials


def test_certain_and_impossible_outcomes_are_not_drawn() -> None:
    assert (0, 7, 0) == (
        binomial(7, 0.0, Random(1)),
        binomial(7, 1.0, Random(1)),
        binomial(0, 0.5, Random(1)),
    )
