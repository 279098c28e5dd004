"""Hidden check: other zones, other hemispheres, and starts in the middle of a change."""

import os
import sys
from datetime import datetime, timedelta, timezone
from itertools import islice

sys.path.insert(0, os.getcwd())

from nightly.plan import Plan
from nightly.runner import Runner


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


CASES = [
    ("02:30 America/New_York", utc(2024, 3, 9, 0), ["09 02:30-0500", "10 03:00-0400", "11 02:30-0400"]),
    ("01:30 America/New_York", utc(2024, 11, 2, 12), ["03 01:30-0400", "04 01:30-0500"]),
    # Between the two half past ones: the day's run has been.
    ("01:30 America/New_York", utc(2024, 11, 3, 6), ["04 01:30-0500"]),
    ("02:15 Australia/Lord_Howe", utc(2024, 10, 5, 0), ["06 02:30+1100", "07 02:15+1100"]),
    ("00:30 America/Havana", utc(2024, 3, 9, 12), ["10 01:00-0400", "11 00:30-0400"]),
    ("02:30 Europe/Berlin sun", utc(2024, 3, 24, 12), ["31 03:00+0200", "07 02:30+0200"]),
    ("03:00 Europe/Berlin", utc(2024, 3, 30, 12), ["31 03:00+0200", "01 03:00+0200"]),
    ("02:00 Europe/Berlin", utc(2024, 3, 30, 12), ["31 03:00+0200", "01 02:00+0200"]),
    # Exactly at a run: the next one.
    ("03:30 Europe/Berlin", utc(2024, 3, 31, 1, 30), ["01 03:30+0200"]),
    ("02:30 Europe/Berlin", utc(2024, 3, 31, 1, 0), ["01 02:30+0200"]),
    ("12:00 Asia/Kolkata", utc(2024, 7, 1, 6, 30), ["02 12:00+0530"]),
    ("23:45 Pacific/Auckland", utc(2024, 4, 6, 0), ["06 23:45+1300", "07 23:45+1200"]),
]
for text, after, wanted in CASES:
    plan = Plan.read(text)
    got = [f"{run.astimezone(plan.zone):%d %H:%M%z}" for run in islice(plan.runs(after), len(wanted))]
    if got != wanted:
        sys.exit(f"{text} after {after}: wanted {wanted}, got {got}")
    first = plan.first_after(after)
    if f"{first.astimezone(plan.zone):%d %H:%M%z}" != wanted[0] or first.utcoffset() != timedelta(0):
        sys.exit(f"first_after of {text}: {first}")

for zone in ("Europe/Berlin", "America/New_York", "Australia/Sydney", "UTC"):
    for hour in range(24):
        plan = Plan.read(f"{hour:02d}:30 {zone}")
        year = list(islice(plan.runs(utc(2024, 1, 10)), 366))
        days = [run.astimezone(plan.zone).date() for run in year]
        if any(b - a != timedelta(days=1) for a, b in zip(days, days[1:])):
            sys.exit(f"a day without a run or with two: {hour}:30 {zone}")
        odd = [run for run in year if run.astimezone(plan.zone).strftime("%H:%M") != f"{hour:02d}:30"]
        if len(odd) > 1:
            sys.exit(f"off the wall clock: {odd[:3]} for {hour}:30 {zone}")

runner = Runner(utc(2024, 10, 26, 12))
runner.add("job", Plan.read("02:30 Europe/Berlin"), lambda: None)
done = runner.due(utc(2024, 10, 28, 12))
if [moment for _, moment in done] != [utc(2024, 10, 27, 0, 30), utc(2024, 10, 28, 1, 30)]:
    sys.exit(f"runner over the change: {done}")
