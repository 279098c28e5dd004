import unittest

from race.results import Runner, podium, results


def names(rows):
    return [row.runner.name for row in rows]


class ResultsTest(unittest.TestCase):
    def test_most_points_first(self):
        rows = results([Runner("Cy", 10, 70.0), Runner("Di", 40, 90.0)])
        self.assertEqual(["Di", "Cy"], names(rows))

    def test_equal_points_share_a_place(self):
        rows = results(
            [Runner("a", 40, 50.0), Runner("b", 30, 51.0), Runner("c", 30, 52.0), Runner("d", 20, 53.0)]
        )
        self.assertEqual([1, 2, 2, 4], [row.place for row in rows])

    def test_the_faster_of_two_is_listed_first(self):
        rows = results([Runner("Bo", 30, 64.0), Runner("Ada", 30, 61.2)])
        self.assertEqual(["Ada", "Bo"], names(rows))

    def test_sign_up_order_decides_last(self):
        rows = results([Runner("Eve", 30, 61.2), Runner("Fay", 30, 61.2)])
        self.assertEqual(["Eve", "Fay"], names(rows))

    def test_no_time_comes_after_a_time(self):
        rows = results([Runner("Gil", 30), Runner("Hal", 30, 99.0)])
        self.assertEqual(["Hal", "Gil"], names(rows))

    def test_podium(self):
        self.assertEqual(["x"], names(podium([Runner("x", 5, 9.0)])))


if __name__ == "__main__":
    unittest.main()
