"""Tokens: sums by bucket, with what is not known counted and never taken for 0."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.api.usage import Usage
from fairtrial.figures.rates import DASH, at_least

BUCKETS = ("input_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "output")
"""The disjoint buckets, in the order in which they are shown."""


_NAMES = (*BUCKETS, "reasoning")
_NOTHING = (None,) * len(_NAMES)
_tokens_of = attrgetter(*_NAMES)


@frozen(kw_only=True)
class TokenSum:
    """
    Tokens of one bucket.

    Attributes:
        bucket: Its name, as in `Usage`; `reasoning` is a part of `output`.
        known: The sum of what is known; None where nothing is.
        unknown: How many trials' counts are not known.
    """

    bucket: str
    known: int | None
    unknown: int

    def __str__(self) -> str:
        """Returns the sum, marked where parts of it are unknown."""
        return DASH if self.known is None else at_least(f"{self.known:,}", self.unknown)


def token_sums(trials: Iterable[Trial]) -> tuple[TokenSum, ...]:
    """Returns the sums of `BUCKETS` and of `reasoning`, as metered where a gateway was."""
    bills = [trial.usage if trial.metered is None else trial.metered for trial in trials]
    rows = [_tokens_of(bill[0]) if len(bill) == 1 else _counts(bill) for bill in bills]
    columns = zip(*rows, strict=True) if rows else ((),) * len(_NAMES)
    return tuple(_summed(name, column) for name, column in zip(_NAMES, columns, strict=True))


def _summed(name: str, counts: Sequence[int | None]) -> TokenSum:
    unknown = counts.count(None)
    known = sum(filter(None, counts)) if unknown < len(counts) else None
    return TokenSum(bucket=name, known=known, unknown=unknown)


def _counts(entries: Sequence[Usage]) -> Sequence[int | None]:
    """Returns a trial's tokens by bucket; one that any of its models doesn't tell is unknown."""
    if not entries:
        return _NOTHING
    columns = zip(*map(_tokens_of, entries), strict=True)
    return [None if None in column else sum(column) for column in columns]
