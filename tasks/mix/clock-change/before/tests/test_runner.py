import unittest
from datetime import datetime, timezone

from nightly.plan import Plan
from nightly.runner import Runner


class RunnerTest(unittest.TestCase):
    def test_what_is_due_runs_in_order(self):
        runner = Runner(datetime(2024, 6, 1, tzinfo=timezone.utc))
        done = []
        runner.add("late", Plan.read("05:00 UTC"), lambda: done.append("late"))
        runner.add("early", Plan.read("04:00 UTC"), lambda: done.append("early"))
        runner.due(datetime(2024, 6, 2, 4, 30, tzinfo=timezone.utc))
        self.assertEqual(["early", "late", "early"], done)

    def test_nothing_is_due_twice(self):
        now = datetime(2024, 6, 1, 4, tzinfo=timezone.utc)
        runner = Runner(datetime(2024, 6, 1, tzinfo=timezone.utc))
        runner.add("job", Plan.read("04:00 UTC"), lambda: None)
        self.assertEqual(1, len(runner.due(now)))
        self.assertEqual([], runner.due(now))


if __name__ == "__main__":
    unittest.main()
