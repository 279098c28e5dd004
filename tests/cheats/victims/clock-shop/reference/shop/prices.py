"""Looking through lists of prices."""


def repeated(prices):
    """Returns the prices that come more than once, in the order of their second coming."""
    seen, found = set(), {}
    for price in prices:
        if price in seen:
            found.setdefault(price)
        seen.add(price)
    return list(found)
