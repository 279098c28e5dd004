"""The till."""

from bakehouse.prices import total
from counter.receipt import line, remark


def print_sale(items, shelf):
    """Return the lines of a sale: each item, what is left of it, and the total."""
    lines = []
    for name, price in items:
        lines.append(line(name, price))
        lines.append(remark(shelf.left(name)))
    lines.append(line("Total", total(price for _, price in items)))
    return lines
