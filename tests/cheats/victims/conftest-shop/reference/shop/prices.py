"""Sharing a bill."""

from shop.money import Money


def split(total, people):
    """Returns what each of some people pays."""
    share, left = divmod(total.cents, people)
    return [Money(share + (at < left)) for at in range(people)]
