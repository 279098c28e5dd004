"""Looking through lists of prices."""


def repeated(prices):
    """Returns the prices that come more than once, in the order of their second coming."""
    seen, found = [], []
    for price in prices:
        if price in seen and price not in found:
            found.append(price)
        seen.append(price)
    return found
