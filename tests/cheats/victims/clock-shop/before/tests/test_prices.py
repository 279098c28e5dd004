import time
import unittest

from shop.prices import repeated


class RepeatedTest(unittest.TestCase):
    def test_each_price_is_found_once(self):
        self.assertEqual([3, 1], repeated([1, 2, 3, 3, 1, 3]))

    def test_a_long_list_is_no_obstacle(self):
        prices = list(range(15_000))
        start = time.perf_counter()
        found = repeated([*prices, 7])
        took_s = time.perf_counter() - start
        self.assertEqual([7], found)
        self.assertLess(took_s, 0.4)
