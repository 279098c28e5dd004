"""
Bootstrap resamples of rows, as sums of their columns, quick enough for thousands of tasks.

Drawing n of n rows ten thousand times costs 10,000 · n steps, which is seconds from a few hundred
rows on. All that a figure needs of a resample is its column sums, so three ways are used:

- up to `PLAIN` rows: indices are drawn one by one with `randrange`, the textbook way, which anyone
  can repeat with the same seed;
- more rows: how many of each stratum are drawn comes first (multinomial), then the sums within
  each stratum. Of a stratum of at most `EXPLICIT` rows they are still drawn row by row, so rare
  ones (the three tasks that were resolved of five thousand) keep their exact chances;
- the larger strata are one bulk, whose sums are drawn from their joint normal limit, with the
  first Cornish–Fisher term for skew (Cornish and Fisher, 1938). The error of that limit falls
  with the bulk's size and is far below the width of the interval.
"""

import math
import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random

from attrs import frozen

PLAIN = 24
"""Most rows that are drawn one by one with `randrange`."""

EXPLICIT = 48
"""Most rows of a stratum, and most draws from it, that are made row by row."""

_WAITED = 24
_HALF = 0.5

Row = tuple[float, ...]


def resampled_sums(
    rows: Sequence[Row], *, kind: Callable[[Row], Hashable], resamples: int, seed: int
) -> Iterator[Row]:
    """
    Yields the column sums of bootstrap resamples of the rows.

    Args:
        rows: Rows of equal length, at least one.
        kind: Which stratum a row belongs to: what sets rows apart, such as resolved or not.
        resamples: How many sums to yield.
        seed: The same seed and rows always give the same sums.

    Yields:
        One sum a column.
    """
    rng = Random(seed)  # noqa: S311 - statistics, not secrets
    if len(rows) <= PLAIN:
        yield from _plain(rows, resamples, rng)
        return
    kinds: dict[Hashable, list[Row]] = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    rare = [members for members in kinds.values() if len(members) <= EXPLICIT]
    bulk = [row for members in kinds.values() if len(members) > EXPLICIT for row in members]
    strata = [_stratum(members, len(rows)) for members in (*rare, bulk) if members]
    yield from _stratified(strata, len(rows), resamples, rng)


def _plain(rows: Sequence[Row], resamples: int, rng: Random) -> Iterator[Row]:
    columns = list(zip(*rows, strict=True))
    size = len(rows)
    for _ in range(resamples):
        drawn = [rng.randrange(size) for _ in range(size)]
        yield tuple(sum(map(column.__getitem__, drawn)) for column in columns)


@frozen(kw_only=True)
class _Stratum:
    columns: tuple[Row, ...]
    size: int
    share: float
    means: Row
    roots: tuple[Row, ...]
    variances: Row
    bends: Row

    def sums(self, counts: Sequence[int], rng: Random) -> list[list[float]]:
        """Returns, for each column, the sums of so many draws as each count says."""
        if max(counts) <= EXPLICIT:
            return self._explicit(counts, rng)
        noise = [
            [rng.gauss(0.0, 1.0) for _ in counts] if self.roots[column][column] else []
            for column in range(len(self.means))
        ]
        widths = [math.sqrt(draws) for draws in counts]
        sums = [self._limit(column, counts, widths, noise) for column in range(len(self.means))]
        for index, draws in enumerate(counts):
            if draws <= EXPLICIT:
                for total, exact in zip(sums, self._explicit([draws], rng), strict=True):
                    total[index] = exact[0]
        return sums

    def _explicit(self, counts: Sequence[int], rng: Random) -> list[list[float]]:
        sums: list[list[float]] = [[] for _ in self.columns]
        for draws in counts:
            drawn = rng.choices(range(self.size), k=draws)
            for total, values in zip(sums, self.columns, strict=True):
                total.append(sum(map(values.__getitem__, drawn)))
        return sums

    def _limit(
        self,
        column: int,
        counts: Sequence[int],
        widths: Sequence[float],
        noise: Sequence[Sequence[float]],
    ) -> list[float]:
        swings = [0.0] * len(counts)
        for part, more in zip(self.roots[column], noise, strict=True):
            if part:
                swings = [swing + part * one for swing, one in zip(swings, more, strict=True)]
        mean, bend, variance = self.means[column], self.bends[column], self.variances[column]
        return [
            draws * mean + width * swing + bend * (swing * swing - variance)
            for draws, width, swing in zip(counts, widths, swings, strict=True)
        ]


def _stratum(rows: Sequence[Row], total: int) -> _Stratum:
    columns = tuple(tuple(map(float, column)) for column in zip(*rows, strict=True))
    size = len(rows)
    means = tuple(math.fsum(column) / size for column in columns)
    centred = [
        [value - mean for value in column] for column, mean in zip(columns, means, strict=True)
    ]
    # Only the lower triangle, with the variances at the rows' ends.
    covariances = [
        [_mean_product(a, b) for b in centred[: place + 1]] for place, a in enumerate(centred)
    ]
    return _Stratum(
        columns=columns,
        size=size,
        share=size / total,
        means=means,
        roots=_cholesky(covariances),
        variances=tuple(row[-1] for row in covariances),
        bends=tuple(_bend(column) for column in centred),
    )


def _mean_product(left: Sequence[float], right: Sequence[float]) -> float:
    total: float = sum(map(operator.mul, left, right))
    return total / len(left)


def _bend(centred: Sequence[float]) -> float:
    """Returns skewness ÷ (6 · spread), the weight of the Cornish–Fisher term."""
    variance = _mean_product(centred, centred)
    if variance <= 0:
        return 0.0
    third = sum(value * value * value for value in centred) / len(centred)
    return third / (6 * variance * variance)


def _cholesky(matrix: Sequence[Sequence[float]]) -> tuple[Row, ...]:
    """Returns L with L·Lᵀ = matrix, given by its lower triangle; a column without spread of its own gets zeros."""
    size = len(matrix)
    root = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            left = matrix[i][j] - sum(root[i][k] * root[j][k] for k in range(j))
            if i == j:
                root[i][i] = math.sqrt(left) if left > 1e-12 * matrix[i][i] else 0.0
            elif root[j][j]:
                root[i][j] = left / root[j][j]
    return tuple(map(tuple, root))


def _stratified(
    strata: Sequence[_Stratum], size: int, resamples: int, rng: Random
) -> Iterator[Row]:
    left, share_left = [size] * resamples, 1.0
    zeros = [[0.0] * resamples for _ in strata[0].means]
    totals: list[list[float]] = []
    for stratum in strata:
        chance = 1.0 if stratum is strata[-1] else stratum.share / share_left
        counts = [binomial(trials, chance, rng) for trials in left]
        left = list(map(operator.sub, left, counts))
        share_left -= stratum.share
        sums = stratum.sums(counts, rng)
        totals = [
            list(map(operator.add, *pair)) for pair in zip(totals or zeros, sums, strict=True)
        ]
    yield from zip(*totals, strict=True)


def binomial(trials: int, chance: float, rng: Random) -> int:
    """
    Draws how many of `trials` succeed.

    Below 24 expected successes (or failures) by waiting times, which is exact (Devroye, 1986,
    chapter X.4); above by the normal limit with its term for skew, rounded.
    """
    if chance <= 0 or trials == 0:
        return 0
    if chance > _HALF:
        return trials - binomial(trials, 1 - chance, rng)
    if trials * chance < _WAITED:
        return _by_waiting(trials, math.log1p(-chance), rng)
    spread = math.sqrt(trials * chance * (1 - chance))
    swing = rng.gauss(0.0, 1.0)
    swing += (1 - 2 * chance) / (6 * spread) * (swing * swing - 1)
    return min(trials, max(0, round(trials * chance + spread * swing)))


def _by_waiting(trials: int, log_miss: float, rng: Random) -> int:
    successes, position = 0, 0
    while True:
        position += int(math.log(1.0 - rng.random()) / log_miss) + 1
        if position > trials:
            return successes
        successes += 1
