"""Prices, in dollars and cents."""


def total(prices):
    """Return the sum of some prices, to the cent."""
    return sum(_cents(price) for price in prices) / 100


def times(price, count):
    """Return the price of so many pieces, to the cent."""
    return _cents(price) * count / 100


def _cents(price):
    return round(price * 100)
