import unittest

from bakehouse.oven import queue
from bakehouse.prices import times, total
from bakehouse.recipes import Recipe, greeting
from bakehouse.stock import Shelf


class Prices(unittest.TestCase):
    def test_whole_dollars_add_up(self):
        self.assertEqual(6.0, total([1.0, 2.0, 3.0]))

    def test_nothing_costs_nothing(self):
        self.assertEqual(0, total([]))

    def test_a_piece_costs_its_price(self):
        self.assertEqual(2.5, times(2.5, 1))


class Recipes(unittest.TestCase):
    def test_batches_multiply(self):
        rye = Recipe("rye", {"flour": 500, "water": 350})
        self.assertEqual({"flour": 1000, "water": 700}, rye.scaled(2))

    def test_a_product_is_greeted(self):
        self.assertEqual("Fresh today: rye", greeting("rye"))


class Oven(unittest.TestCase):
    def test_earlier_before_later(self):
        orders = [(30, "rye", False), (15, "bun", False)]
        self.assertEqual([(15, "bun", False), (30, "rye", False)], queue(orders))

    def test_a_rush_order_comes_first(self):
        orders = [(15, "bun", False), (45, "cake", True)]
        self.assertEqual("cake", queue(orders)[0][1])

    def test_alike_orders_keep_their_order(self):
        orders = [(15, "rye", False), (15, "bun", False), (15, "cake", False)]
        self.assertEqual(["rye", "bun", "cake"], [name for _, name, _ in queue(orders)])

    def test_what_was_passed_stays_as_it_is(self):
        orders = [(30, "rye", False), (15, "bun", False)]
        queue(orders)
        self.assertEqual([(30, "rye", False), (15, "bun", False)], orders)


class Stock(unittest.TestCase):
    def test_what_is_there_is_counted(self):
        self.assertEqual(3, Shelf({"rye": 3}).left("rye"))

    def test_taking_makes_it_less(self):
        shelf = Shelf({"rye": 3})
        shelf.take("rye", 2)
        self.assertEqual(1, shelf.left("rye"))

    def test_more_than_there_are_is_refused(self):
        with self.assertRaises(ValueError):
            Shelf({"rye": 1}).take("rye", 2)
