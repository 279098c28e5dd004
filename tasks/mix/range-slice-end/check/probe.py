"""Slices numeric ranges everywhere."""

from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product

from fairtrial_probe import serve

RANGES = {
    "floats": (0.0, 3.0, 0.5),
    "decimals": (Decimal("1.0"), Decimal("4.2"), Decimal("0.5")),
    "fractions": (Fraction(9, 2), Fraction(0), Fraction(-3, 2)),
    "moments": (datetime(2024, 2, 28), datetime(2024, 3, 3), timedelta(hours=18)),
    "nothing": (5, 5, 1),
}


def sliced(kind, step):
    from more_itertools import numeric_range

    points = numeric_range(*RANGES[kind])
    edges = [None, *range(-len(points) - 2, len(points) + 3)]
    return [[str(one) for one in points[start:stop:step]] for start, stop in product(edges, edges)]


def past_the_end(kind, before):
    from more_itertools import numeric_range

    points = numeric_range(*RANGES[kind])
    return str(points[-len(points) - 1 if before else len(points)])


serve(sliced, past_the_end)
