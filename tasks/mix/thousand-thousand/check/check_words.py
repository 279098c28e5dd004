"""Hidden check: the unit follows from the number as it will be printed."""

import os
import sys

sys.path.insert(0, os.path.join(os.getcwd(), "src"))

import humanize

CASES = [
    ((999_600,), "999.6 thousand"),
    ((999_501,), "999.5 thousand"),
    ((999_940,), "999.9 thousand"),
    ((999_990,), "1.0 million"),
    ((1_000_000,), "1.0 million"),
    ((-999_700,), "-999.7 thousand"),
    ((-999_999,), "-1.0 million"),
    (("999800",), "999.8 thousand"),
    ((999_999, "%.3f"), "999.999 thousand"),
    ((999_994, "%.2f"), "999.99 thousand"),
    ((999_996, "%.2f"), "1.00 million"),
    ((999_600, "%.0f"), "1 million"),
    ((999_400, "%.0f"), "999 thousand"),
    ((999_800_000,), "999.8 million"),
    ((999_999_999,), "1.0 billion"),
    ((999_999_999, "%.4f"), "1.0000 billion"),
    ((999_999_000, "%.4f"), "999.9990 million"),
    ((999_700 * 10**12,), "999.7 quadrillion"),
    ((999,), "999"),
]
for args, wanted in CASES:
    got = humanize.intword(*args)
    if got != wanted:
        sys.exit(f"intword{args}: wanted {wanted!r}, got {got!r}")
