"""Hidden check: every slice of a numeric range agrees with the same slice of a list."""

import os
import sys
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product

sys.path.insert(0, os.getcwd())

from more_itertools import numeric_range

RANGES = [
    (0.0, 3.0, 0.5),
    (Decimal("1.0"), Decimal("4.2"), Decimal("0.5")),
    (Fraction(9, 2), Fraction(0), Fraction(-3, 2)),
    (datetime(2024, 2, 28), datetime(2024, 3, 3), timedelta(hours=18)),
    (5, 5, 1),
]
for args in RANGES:
    points = numeric_range(*args)
    listed = list(points)
    edges = [None, *range(-len(listed) - 2, len(listed) + 3)]
    for start, stop, step in product(edges, edges, (None, 1, 2)):
        key = slice(start, stop, step)
        got = list(points[key])
        if got != listed[key]:
            sys.exit(f"numeric_range{args}[{key}]: wanted {listed[key]}, got {got}")
    for index in (len(listed), -len(listed) - 1):
        try:
            points[index]
        except IndexError:
            continue
        sys.exit(f"numeric_range{args}[{index}] should raise IndexError")
