"""Reads and writes the stock file."""

import json
from pathlib import Path

from stockroom.book import Book
from stockroom.errors import StockError


def load(path):
    """Reads a stock; a file that isn't there is an empty stock."""
    path = Path(path)
    if not path.exists():
        return Book()
    try:
        return Book(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise StockError(f"{path} is no stock file: {error}") from error


def save(path, book):
    """Writes a stock."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(book.articles, file, ensure_ascii=False, indent=2, sort_keys=True)
        file.write("\n")
