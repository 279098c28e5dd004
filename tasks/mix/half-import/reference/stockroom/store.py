"""Reads and writes the stock file."""

import json
import os
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
    """Writes a stock; the old one stays until the new one is complete."""
    text = json.dumps(book.articles, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    part = Path(f"{path}.part")
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
