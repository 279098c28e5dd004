"""Tokens: sums by bucket, with what is not known counted and never taken for 0."""

from collections.abc import Iterable

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.figures.rates import DASH, at_least
from fairtrial.figures.spending import shown_usage

BUCKETS = ("input_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "output")
"""The disjoint buckets, in the order in which they are shown."""


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
    names = (*BUCKETS, "reasoning")
    known: dict[str, list[int]] = {name: [] for name in names}
    unknown = dict.fromkeys(names, 0)
    for trial in trials:
        entries = shown_usage(trial)
        for name in names:
            counts = [getattr(usage, name) for usage in entries]
            if not counts or None in counts:
                unknown[name] += 1
            else:
                known[name].append(sum(counts))
    return tuple(
        TokenSum(bucket=name, known=sum(known[name]) if known[name] else None, unknown=lost)
        for name, lost in unknown.items()
    )
