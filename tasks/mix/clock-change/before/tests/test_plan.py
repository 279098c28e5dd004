import unittest
from datetime import datetime, timezone
from itertools import islice

from nightly.plan import Plan


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


def runs(text, after, count):
    plan = Plan.read(text)
    return [f"{run.astimezone(plan.zone):%d %H:%M%z}" for run in islice(plan.runs(after), count)]


class PlanTest(unittest.TestCase):
    def test_the_wall_clock_counts_after_the_change_in_spring(self):
        self.assertEqual(
            ["30 03:30+0100", "31 03:30+0200", "01 03:30+0200"],
            runs("03:30 Europe/Berlin", utc(2024, 3, 29, 12), 3),
        )

    def test_and_in_autumn(self):
        self.assertEqual(
            ["26 03:30+0200", "27 03:30+0100", "28 03:30+0100"],
            runs("03:30 Europe/Berlin", utc(2024, 10, 25, 12), 3),
        )

    def test_a_time_that_is_left_out(self):
        self.assertEqual(
            ["30 02:30+0100", "31 03:00+0200", "01 02:30+0200"],
            runs("02:30 Europe/Berlin", utc(2024, 3, 29, 12), 3),
        )

    def test_a_time_that_comes_twice(self):
        self.assertEqual(
            ["26 02:30+0200", "27 02:30+0200", "28 02:30+0100"],
            runs("02:30 Europe/Berlin", utc(2024, 10, 25, 12), 3),
        )

    def test_utc_has_no_changes(self):
        self.assertEqual(["30 03:30+0000", "31 03:30+0000"], runs("03:30 UTC", utc(2024, 3, 29, 12), 2))

    def test_weekdays(self):
        self.assertEqual(
            ["05 09:00+0100", "08 09:00+0100", "12 09:00+0100"],
            runs("09:00 Europe/Berlin mon,fri", utc(2024, 1, 4), 3),
        )


if __name__ == "__main__":
    unittest.main()
