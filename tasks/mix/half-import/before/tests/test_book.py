import unittest

from stockroom.book import Book
from stockroom.errors import StockError


class BookTest(unittest.TestCase):
    def test_deliveries_and_removals(self):
        book = Book()
        book.add("A-1", "Pipe")
        book.change("A-1", 5)
        book.change("A-1", -2)
        self.assertEqual(["A-1            3  Pipe"], list(book.lines()))

    def test_no_more_than_there_is(self):
        book = Book({"A-1": {"name": "Pipe", "quantity": 1}})
        with self.assertRaises(StockError):
            book.change("A-1", -2)

    def test_a_number_is_given_once(self):
        book = Book({"A-1": {"name": "Pipe", "quantity": 1}})
        with self.assertRaises(StockError):
            book.add("A-1", "Tube")


if __name__ == "__main__":
    unittest.main()
