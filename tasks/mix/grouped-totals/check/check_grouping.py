"""Hidden check: reduceby against functools.reduce over groups, with operations that don't commute."""

import os
import sys
from functools import reduce

sys.path.insert(0, os.getcwd())

import toolz
from toolz import curried

WORDS = ["bee", "ant", "bat", "cow", "ape", "bug", "cat"]
NUMBERS = [9, 4, 7, 1, 8, 2, 2, 6]


def by_groups(key, binop, seq, *init):
    groups = {}
    for item in seq:
        groups.setdefault(key(item), []).append(item)
    return {name: reduce(binop, group, *init) for name, group in groups.items()}


CASES = [
    (lambda w: w[0], lambda a, b: a + b, WORDS, ()),
    (lambda w: w[0], lambda a, b: f"({a}{b})", WORDS, ("!",)),
    (lambda n: n % 3, lambda a, b: a - b, NUMBERS, ()),
    (lambda n: n % 3, lambda a, b: a - b, NUMBERS, (100,)),
    (lambda n: n % 2 == 0, lambda a, b: a + (b,), NUMBERS, ((),)),
]
for key, binop, seq, init in CASES:
    wanted = by_groups(key, binop, seq, *init)
    for got in (toolz.reduceby(key, binop, seq, *init), curried.reduceby(key, binop)(seq, *init)):
        if got != wanted:
            sys.exit(f"wanted {wanted}, got {got}")

rows = [{"shop": "A", "sum": 3}, {"shop": "B", "sum": 5}, {"shop": "A", "sum": 4}]
got = toolz.reduceby("shop", lambda total, row: total + row["sum"], rows, 0)
if got != {"A": 7, "B": 5}:
    sys.exit(f"totals: {got}")
got = toolz.reduceby(len, lambda seen, word: [*seen, word], ["a", "bc", "d"], list)
if got != {1: ["a", "d"], 2: ["bc"]}:
    sys.exit(f"callable start value: {got}")
if list(toolz.accumulate(lambda a, b: a - b, [10, 1, 2])) != [10, 9, 7]:
    sys.exit("accumulate has changed")
