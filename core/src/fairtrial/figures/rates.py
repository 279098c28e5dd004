"""Numbers as people read them: percent, dollars, joules, seconds; and the mean of what is known."""

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

DASH = "–"
"""Shown for whatever is not known or not defined."""


def percent(share: float | None) -> str:
    """Returns a share as a whole percentage, rounded half up; `–` for None."""
    return DASH if share is None else f"{math.floor(share * 100 + 0.5)}%"


def percent_of(part: int, whole: int) -> str:
    """
    Returns a count's share as a whole percentage, rounded half up without float error.

    `–` where the whole is 0, since nothing can be said of nothing.
    """
    return DASH if whole == 0 else f"{(200 * part + whole) // (2 * whole)}%"


def money(cost_usd: float | None) -> str:
    """
    Returns dollars with two decimals, exact ties away from zero; `–` for None.

    A sum that these would show as nothing, though it is something, has two digits that tell.
    """
    if cost_usd is None:
        return DASH
    if _is_below_cents(cost_usd):
        return _small(cost_usd, "#.2g")
    return _cents(cost_usd)


def change_of_money(before_usd: float | None, after_usd: float | None) -> str:
    """
    Returns the difference in dollars with its sign, `+` for none; `–` if a side is unknown.

    It has two decimals, unless a side is so small that it is shown with more.
    """
    if before_usd is None or after_usd is None:
        return DASH
    change_usd = after_usd - before_usd
    if _is_below_cents(before_usd) or _is_below_cents(after_usd):
        # What is left of two sums of fractions beyond this decimal is noise.
        text = money(round(change_usd, 9))
    else:
        text = _cents(change_usd)
    return text if text.startswith("-") and text != "-0.00" else f"+{text.removeprefix('-')}"


def joules(energy_j: float | None) -> str:
    """Returns joules with about three digits that mean something; `–` for None."""
    return DASH if energy_j is None else _digits(energy_j)


def seconds(duration_s: float | None) -> str:
    """
    Returns the seconds that something took, with about three digits that mean something.

    `–` for None. Whatever was done took time: what is too short to be counted is `<0.0001s`.
    """
    if duration_s is None:
        return DASH
    return _SHORT if 0 <= duration_s < _SHORTEST_S else f"{_digits(duration_s)}s"


_SHORTEST_S = 0.00005
"""From which size on a time is not rounded to nothing, as trials keep it."""
_SHORT = "<0.0001s"
_BEYOND = 1e15
_PLAIN = 1e-6
"""From which size on a fraction is written out, and not as a power of ten."""
_HALF_A_CENT_USD = 0.005
_DECIMALS = ((100.0, 0), (10.0, 1), (1.0, 2))
"""From which size on how many decimals are shown."""


def _digits(value: float) -> str:
    decimals = next((count for size, count in _DECIMALS if abs(value) >= size), None)
    if decimals is None:
        return _small(value, ".2g")
    return _beyond(value) or f"{_rounded(value, decimals):,}"


def _small(value: float, form: str) -> str:
    text = format(value, form)
    return f"{Decimal(text):f}" if abs(value) >= _PLAIN else text


def _cents(cost_usd: float) -> str:
    return _beyond(cost_usd) or str(_rounded(cost_usd, 2))


def _is_below_cents(cost_usd: float) -> bool:
    return 0 < abs(cost_usd) < _HALF_A_CENT_USD


def _rounded(value: float, decimals: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _beyond(value: float) -> str:
    """Returns a value as a power of ten where no figure is as large and decimals say nothing."""
    return "" if abs(value) < _BEYOND else f"{value:.2g}"


def amount(value: float | None) -> str:
    """Returns a count, or a mean of counts with one or two decimals; `–` for None."""
    return DASH if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, `1 task` or `2 tasks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def at_least(known: str, unknown: int) -> str:
    """Returns a sum that may lack parts: `x`, or `≥ x (n unknown)`."""
    return f"≥ {known} ({unknown} unknown)" if unknown else known


def median(values: Iterable[float]) -> float | None:
    """Returns the middle value, the mean of the middle two for an even count; None for none."""
    ordered = sorted(values)
    if not ordered:
        return None
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def ratio(part: float, whole: float) -> float | None:
    """Returns part ÷ whole; None where the whole is 0."""
    return part / whole if whole else None
