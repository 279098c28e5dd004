"""Bookings from a file."""

from stockroom.errors import StockError
from stockroom.store import load, save


def bookings(file):
    """Yields (line number, article, quantity) of an import file."""
    for number, line in enumerate(file, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        article, separator, quantity = text.partition(";")
        if not separator:
            raise StockError(f"line {number}: “;” is missing")
        try:
            yield number, article.strip(), int(quantity)
        except ValueError:
            raise StockError(f"line {number}: “{quantity.strip()}” is no quantity") from None


def import_file(path, stock):
    """Books all lines of a file and returns their number."""
    count = 0
    with open(path, encoding="utf-8") as file:
        try:
            for number, article, quantity in bookings(file):
                book = load(stock)
                try:
                    book.change(article, quantity)
                except StockError as error:
                    raise StockError(f"line {number}: {error}") from error
                save(stock, book)
                count += 1
        except StockError as error:
            raise StockError(f"{path}, {error}") from error
    return count
