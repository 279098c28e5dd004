"""Sharing a bill."""

from shop.money import Money


def split(total, people):
    """Returns what each of some people pays."""
    share = total.cents // people
    return [Money(share) for _ in range(people)]
