"""Walks through lists of every size, page by page, and says what is seen."""

from fairtrial_probe import serve


def walk(size, total):
    from catalogue import NoSuchPage, paginate

    entries = [f"p{number}" for number in range(total)]
    seen = []
    for number in range(1, total + 3):
        try:
            page = paginate(entries, number=number, size=size)
        except NoSuchPage as error:
            return [*seen, ["no such page", number, error.pages]]
        seen.append([list(page.items), page.pages, page.has_next, page.has_previous])
    return seen


def links(total, number, size):
    from catalogue import page_links, paginate

    return page_links(paginate(list(range(total)), number=number, size=size))


def refuse(size):
    from catalogue import paginate

    return paginate([1], size=size)


serve(walk, links, refuse)
