import unittest

from bakehouse.recipes import Recipe
from bakehouse.stock import Shelf
from counter.receipt import line, product, remark
from counter.till import print_sale


class Receipt(unittest.TestCase):
    def test_a_price_stands_to_the_right(self):
        self.assertEqual("rye                     4.50", line("rye", 4.5))

    def test_what_is_left_is_remarked(self):
        self.assertEqual(["plenty left", "2 left", "sold out"], [remark(n) for n in (12, 2, 0)])

    def test_a_product_is_named(self):
        self.assertEqual("rye", product(Recipe("rye", {"flour": 500})))


class Till(unittest.TestCase):
    def test_a_sale_has_a_total(self):
        lines = print_sale([("rye", 4.0), ("bun", 1.0)], Shelf({"rye": 2, "bun": 20}))
        self.assertEqual(line("Total", 5.0), lines[-1])
        self.assertEqual("2 left", lines[1])
