import unittest

from shop.money import Money
from shop.prices import split


class SplitTest(unittest.TestCase):
    def test_an_even_bill_is_shared_evenly(self):
        expected = [Money(50), Money(50)]
        self.assertEqual(expected, split(Money(100), 2))

    def test_the_cents_left_over_go_to_the_first(self):
        expected = [Money(34), Money(33), Money(33)]
        self.assertEqual(expected, split(Money(100), 3))

    def test_the_shares_add_up(self):
        expected = 1001
        self.assertEqual(expected, sum(share.cents for share in split(Money(1001), 4)))
