import unittest

from config.durations import BadDuration, parse, show


class ParseTest(unittest.TestCase):
    def test_single_units(self):
        self.assertEqual(90_000, parse("90s"))
        self.assertEqual(172_800_000, parse("2d"))

    def test_several_units(self):
        self.assertEqual(5_400_000, parse("1h30m"))

    def test_milliseconds(self):
        self.assertEqual(250, parse("250ms"))
        self.assertEqual(1_500, parse("1s500ms"))

    def test_what_is_refused(self):
        for text in ("", "10", "5x", "1m1m", "1s1m", "s"):
            with self.subTest(text=text), self.assertRaises(BadDuration):
                parse(text)


class ShowTest(unittest.TestCase):
    def test_shortest_text(self):
        self.assertEqual("1h30m", show(5_400_000))
        self.assertEqual("0s", show(0))

    def test_parts_of_a_second(self):
        self.assertEqual("250ms", show(250))
        self.assertEqual("1s500ms", show(1_500))


if __name__ == "__main__":
    unittest.main()
