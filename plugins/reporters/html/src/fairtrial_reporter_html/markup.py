"""
Markup that can't be broken out of: only what this module made is `Html`.

Texts of agents, tasks and configs are `str`; the type checker lets none of them into a page but
through `text`, or as an attribute's value, and both escape.
"""

from collections.abc import Iterable
from html import escape
from typing import NewType

from fairtrial.figures.markdown import safe

Html = NewType("Html", str)
"""Markup: escaped, and closed."""

NOTHING = Html("")

_BARE = frozenset({"circle", "path", "polygon"})
"""Elements of SVG that need no end tag."""

Attribute = str | float | None
"""An attribute's value; None leaves the attribute out."""


def text(words: str, *, limit: int = 0) -> Html:
    """
    Returns words as markup, on one line, with nothing in them that a browser would obey.

    Args:
        words: Any text.
        limit: Most characters, the cut marked by `…`; 0 for no limit.
    """
    return Html(escape(safe(words, limit=limit)))


def name(words: str, *, limit: int = 0) -> Html:
    """Returns a name from outside, whose own writing direction turns nothing around it."""
    return element("bdi", text(words, limit=limit))


def join(parts: Iterable[Html], by: Html = NOTHING) -> Html:
    """Returns parts one after the other."""
    return Html(by.join(parts))


def element(kind: str, *children: Html, **attributes: Attribute) -> Html:
    """
    Returns an element with its end tag.

    Args:
        kind: The tag.
        children: What stands in it.
        attributes: By name, with `_` for `-`; a trailing `_` is dropped, as in `class_`.
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if kind in _BARE and not children:
        return Html(f"<{kind}{told}/>")
    return Html(f"<{kind}{told}>{''.join(children)}</{kind}>")


def _value(value: str | float) -> str:
    return escape(safe(value)) if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """Returns a coordinate to a tenth, as short as it can be written."""
    shown = f"{value:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown


def paragraph(words: Html, *, kind: str | None = None) -> Html:
    """Returns a paragraph."""
    return element("p", words, class_=kind)


def table(
    caption: str, headings: Iterable[str], rows: Iterable[Iterable[Html]], *, right: str = ""
) -> Html:
    """
    Returns a table whose first column names its rows.

    Args:
        caption: What it shows.
        headings: One a column.
        rows: Cells.
        right: One letter a column, `r` for a column of numbers; shorter means left.
    """
    titles = list(headings)
    kinds = ["n" if mark == "r" else None for mark in right.ljust(len(titles), "l")[: len(titles)]]
    head = join(
        element("th", text(title), scope="col", class_=kind)
        for title, kind in zip(titles, kinds, strict=True)
    )
    body = join(_row(cells, kinds) for cells in rows)
    inner = (
        element("caption", text(caption)),
        element("thead", element("tr", head)),
        element("tbody", body),
    )
    return wide(element("table", *inner), caption)


def wide(inner: Html, label: str) -> Html:
    """Returns what may be wider than the page, in a region that scrolls, also without a mouse."""
    return element("div", inner, class_="wide", tabindex="0", role="region", aria_label=label)


def _row(cells: Iterable[Html], kinds: Iterable[str | None]) -> Html:
    first, *others = zip(cells, kinds, strict=True)
    return element(
        "tr",
        element("th", first[0], scope="row", class_=first[1]),
        *(element("td", cell, class_=kind) for cell, kind in others),
    )


def behind(words: str, inner: Html) -> Html:
    """Returns what is folded away behind a line of words."""
    return element("details", element("summary", text(words)), inner)


def items(lines: Iterable[Html], *, kind: str | None = None) -> Html:
    """Returns a list; nothing for no lines."""
    found = [element("li", line) for line in lines]
    return element("ul", *found, class_=kind) if found else NOTHING


def told_together(pairs: Iterable[tuple[str, str]], *, limit: int, kind: str) -> Html:
    """
    Returns a list of what is said of names, those of which the same is said in one line.

    Args:
        pairs: A name, and what is said of it.
        limit: Most characters of what is said.
        kind: A class of the style sheet.
    """
    names: dict[str, list[str]] = {}
    for who, said in pairs:
        names.setdefault(said, []).append(who)
    return items(
        (
            join(
                (
                    join((name(who, limit=60) for who in each), text(", ")),
                    text(f": {said}", limit=limit),
                )
            )
            for said, each in names.items()
        ),
        kind=kind,
    )
