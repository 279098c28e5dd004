"""Hidden check: the last two digits decide, in every hundred."""

import os
import sys

sys.path.insert(0, os.getcwd())

import inflection

for number in (*range(0, 1_300), 10_011, 11_113, 1_000_112, 12_345_678_912, 1_000_021):
    digits = f"{number:02d}"
    suffix = "th" if digits[-2] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
    for value in {number, -number}:
        if inflection.ordinal(value) != suffix:
            sys.exit(f"ordinal({value}): wanted {suffix}, got {inflection.ordinal(value)}")
        if inflection.ordinalize(value) != f"{value}{suffix}":
            sys.exit(f"ordinalize({value}): {inflection.ordinalize(value)}")
