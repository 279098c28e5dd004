"""Hidden check: milliseconds beside every other unit, and what must stay refused."""

import os
import sys

sys.path.insert(0, os.getcwd())

from config.durations import BadDuration, parse, show

READ = {
    "1ms": 1,
    "0ms": 0,
    "1m1ms": 60_001,
    "1m1s1ms": 61_001,
    "3m": 180_000,
    "2h5ms": 7_200_005,
    "1d2h3m4s5ms": 93_784_005,
    " 40ms ": 40,
    "1500ms": 1_500,
}
for text, wanted in READ.items():
    got = parse(text)
    if got != wanted:
        sys.exit(f"parse({text!r}): wanted {wanted}, got {got}")

for text in ("ms", "5ms5ms", "5ms1s", "5ms1m", "1sm", "m5s", "7 ms", "1mss", "5msm", "10ms5", "1.5s", "-5ms"):
    try:
        got = parse(text)
    except BadDuration:
        continue
    sys.exit(f"parse({text!r}) should be refused, gave {got}")

for value in (1, 999, 1_000, 1_001, 59_999, 60_001, 3_600_001, 86_400_000, 90_061_007):
    if parse(show(value)) != value:
        sys.exit(f"{value} comes back as {parse(show(value))} from {show(value)!r}")
if (show(60_005), show(86_400_001), show(0)) != ("1m5ms", "1d1ms", "0s"):
    sys.exit(f"shown as {show(60_005)}, {show(86_400_001)}, {show(0)}")
