"""Which page numbers to show as links."""

GAP = "…"


def page_links(page, radius=2):
    """
    Returns the numbers around a page, its first and last page, and gaps between.

    For page 7 of 20 with radius 2: [1, "…", 5, 6, 7, 8, 9, "…", 20].
    """
    near = range(max(1, page.number - radius), min(page.pages, page.number + radius) + 1)
    wanted = sorted({1, page.pages, *near})
    links = []
    for number in wanted:
        if links and number - links[-1] > 1:
            links.append(GAP)
        links.append(number)
    return links
