"""Amounts of money: exact decimals, and cents where something is printed or booked."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def amount(text):
    """Reads an amount exactly; floats are refused since they are not what was typed."""
    if isinstance(text, float):
        raise TypeError("write amounts as text or integers, not as floats")
    return Decimal(text)


def to_cents(value):
    """Rounds to whole cents, the commercial way."""
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def show(value):
    """An amount as printed: "1,234.50"."""
    return f"{value:,.2f}"


def share(total, parts):
    """
    Splits an amount into instalments that differ by one cent at most.

    The earlier instalments are the larger ones in size, and they add up to the total.
    """
    if parts < 1:
        raise ValueError("at least one instalment")
    cents = int(total / CENT)
    sign = -1 if cents < 0 else 1
    each, left = divmod(abs(cents), parts)
    return [sign * (each + (1 if i < left else 0)) * CENT for i in range(parts)]
