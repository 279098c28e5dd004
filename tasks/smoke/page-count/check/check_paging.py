"""Hidden check: page counts over many sizes, held against the definition."""

import os
import sys

sys.path.insert(0, os.getcwd())

from catalogue import NoSuchPage, page_links, paginate


def expect(wanted, got, what):
    if wanted != got:
        sys.exit(f"{what}: wanted {wanted!r}, got {got!r}")


for size in (1, 2, 3, 7, 20):
    for total in range(0, 4 * size + 2):
        entries = [f"p{i}" for i in range(total)]
        pages = max(1, -(-total // size))
        seen = []
        for number in range(1, pages + 1):
            page = paginate(entries, number=number, size=size)
            expect(pages, page.pages, f"pages of {total} by {size}")
            expect(number < pages, page.has_next, f"next on page {number} of {total} by {size}")
            expect(number > 1, page.has_previous, f"previous on page {number}")
            seen.extend(page.items)
        expect(entries, seen, f"all entries of {total} by {size}")
        try:
            paginate(entries, number=pages + 1, size=size)
        except NoSuchPage as error:
            expect(pages, error.pages, "pages told by the error")
        else:
            sys.exit(f"page {pages + 1} of {total} by {size} should not exist")

expect([1, "…", 3, 4, 5], page_links(paginate(list(range(50)), number=5, size=10)), "links at the end")
for size in (0, -3):
    try:
        paginate([1], size=size)
    except ValueError:
        pass
    else:
        sys.exit(f"page size {size} should be refused")
