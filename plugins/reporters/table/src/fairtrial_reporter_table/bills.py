"""The section of tokens and dollars: what was used, what was metered, and what agents told."""

from collections.abc import Iterable, Sequence

from fairtrial.api.usage import Usage
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, at_least
from fairtrial.figures.tally import Tally
from fairtrial.figures.tokens import TokenSum, token_sums

_SHOWN = ("input_uncached", "cache_read", "output")


def tokens_section(arms: Sequence[Tally]) -> str:
    """Returns tokens and both kinds of dollars by solver; empty where no token is known."""
    summed = [(tally, token_sums(tally.attempted)) for tally in arms]
    rows = [_row(tally, sums) for tally, sums in summed if _known(sums)]
    if not rows:
        return ""
    headings = ["Solver", "Input", "Cache read", "Cache write", "Output", "Metered $", "Told $"]
    return table(headings, rows, right="lrrrrrr")


def _known(sums: Iterable[TokenSum]) -> bool:
    return any(each.known is not None for each in sums)


def _row(tally: Tally, summed: Iterable[TokenSum]) -> list[str]:
    sums = {each.bucket: each for each in summed}
    fresh, read, output = (str(sums[name]) for name in _SHOWN)
    written = _both(sums["cache_write_5m"], sums["cache_write_1h"])
    metered = _dollars([trial.metered or () for trial in tally.attempted])
    told = _dollars([trial.usage for trial in tally.attempted])
    return [cell(tally.solver), fresh, read, written, output, metered, told]


def _both(short: TokenSum, long: TokenSum) -> str:
    known = [each.known for each in (short, long) if each.known is not None]
    unknown = max(short.unknown, long.unknown)
    return str(
        TokenSum(bucket="cache_write", known=sum(known) if known else None, unknown=unknown)
    )


def _dollars(bills: Sequence[tuple[Usage, ...]]) -> str:
    """Returns a sum to a hundredth of a cent, marked where trials lack a part of theirs."""
    costs = [[usage.cost_usd for usage in bill] for bill in bills if bill]
    known = [cost for bill in costs for cost in bill if cost is not None]
    lacking = len(bills) - len(costs) + [None in bill for bill in costs].count(True)
    return at_least(f"{sum(known):,.4f}", lacking) if known else DASH
