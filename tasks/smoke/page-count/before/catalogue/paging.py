"""Cuts a sequence into pages that are numbered from 1."""

from dataclasses import dataclass


class NoSuchPage(LookupError):
    """Raised for a page number outside 1 … the number of pages."""

    def __init__(self, number, pages):
        super().__init__(f"no such page: {number} (there are {pages})")
        self.number = number
        self.pages = pages


@dataclass(frozen=True)
class Page:
    """One page of a longer list."""

    items: tuple
    number: int
    pages: int
    total: int

    @property
    def has_next(self):
        return self.number < self.pages

    @property
    def has_previous(self):
        return self.number > 1

    def describe(self):
        """A line such as "21–40 of 45" for the head of the list."""
        if not self.items:
            return "nothing found"
        last = self.total if not self.has_next else self.number * len(self.items)
        first = last - len(self.items) + 1
        return f"{first}–{last} of {self.total}"


def count_pages(total, size):
    """Number of pages for `total` entries; an empty list has one empty page."""
    if size < 1:
        raise ValueError("a page holds at least one entry")
    return total // size + 1


def paginate(entries, number=1, size=20):
    """Returns page `number` of `entries`."""
    total = len(entries)
    pages = count_pages(total, size)
    if not 1 <= number <= pages:
        raise NoSuchPage(number, pages)
    start = (number - 1) * size
    return Page(
        items=tuple(entries[start : start + size]),
        number=number,
        pages=pages,
        total=total,
    )
