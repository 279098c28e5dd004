"""Prices, in dollars and cents."""


def total(prices):
    """Return the sum of some prices, to the cent."""
    amount = 0.0
    for price in prices:
        amount += int(price * 100) / 100
    return amount


def times(price, count):
    """Return the price of so many pieces, to the cent."""
    return int(price * count * 100) / 100


def discount(price, percent):
    """Return a price less so many per cent; half a cent is rounded up."""
    hundredths = round(price * 100) * (100 - percent)
    return (hundredths + 50) // 100 / 100
