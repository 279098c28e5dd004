"""Markdown on a terminal: tables that fit, headings in bold, marks that can be told apart."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import ClassVar

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from fairtrial.cli.streams import results

FEW = 8
"""Most rows of a table that may be turned on its side."""

_PADDING = 2
_THEME = Theme(
    {
        "markdown.code": "bold",
        "markdown.item.bullet": "none",
        "markdown.table.border": "dim",
        "markdown.table.header": "bold",
    }
)


class PlainHeading(Heading):
    """A heading at the left edge, in bold: a document here is a short answer, not a page."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the heading's text."""
        yield Text(self.text.plain, style="bold")


class FittingTable(TableElement):
    """
    A table that loses nothing on a narrow terminal, and breaks no heading.

    Where its columns don't fit and its rows are few, it is turned on its side. Else the cells of
    its widest column go on in the next line, where that is enough and breaks no word; of many
    rows, those of every column, where that breaks no word of a heading. What doesn't fit even so
    is turned on its side with as many rows beside each other as fit.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the table, or one below the other."""
        rows = self._rows()
        for number, part in enumerate(_fitted(rows, options.max_width)):
            if number:
                yield Text()
            yield part

    def _rows(self) -> list[list[Text]]:
        """Returns the cells, headings first."""
        head = self.header.row if self.header is not None else None
        body = self.body.rows if self.body is not None else []
        rows = [row for row in (head, *body) if row is not None]
        return [[cell.content for cell in row.cells] for row in rows]


class Answer(Markdown):
    """Markdown with plain headings and tables that fit."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": PlainHeading,
        "table_open": FittingTable,
    }


def rendered(text: str, *, width: int) -> str:
    """Returns Markdown as the terminal behind stdout shows it best."""
    console = Console(
        file=results(), width=width, force_terminal=True, highlight=False, theme=_THEME
    )
    with console.capture() as capture:
        console.print(Answer(text, hyperlinks=False))
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(lines) + "\n"


def width() -> int:
    """Returns the terminal's width in columns."""
    return shutil.get_terminal_size().columns


def _fitted(rows: Sequence[Sequence[Text]], room: int) -> Iterator[Table]:
    """Yields the table as it fits best, or several to be shown one below the other."""
    few = len(rows) <= FEW
    turned = _turned(rows)
    if _width(rows) <= room:
        yield _table(rows)
    elif few and _width(turned) <= room:
        yield _table(turned)
    elif _sum(_but_one(rows)) <= room:
        yield _table(rows, _but_one(rows))
    elif not few and _sum(_longest(rows[:1])) <= room:
        yield _table(rows, _longest(rows[:1]))
    else:
        for part in _parts(rows, room):
            yield _table(part)


def _turned(rows: Sequence[Sequence[Text]]) -> list[list[Text]]:
    """Returns the columns as rows; what was a heading stands at the left, as plain text."""
    return [[Text(first.plain), *rest] for first, *rest in zip(*rows, strict=True)]


def _parts(rows: Sequence[Sequence[Text]], room: int) -> Iterator[list[list[Text]]]:
    """Yields tables turned on their side, each with as many of the rows as fit, at least one."""
    head, *body = rows
    part: list[Sequence[Text]] = []
    for row in body:
        if part and _width(_turned([head, *part, row])) > room:
            yield _turned([head, *part])
            part = []
        part.append(row)
    yield _turned([head, *part])


def _width(rows: Sequence[Sequence[Text]]) -> int:
    return _sum(_widths(rows))


def _widths(rows: Sequence[Sequence[Text]]) -> list[int]:
    return [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]


def _sum(widths: Sequence[int]) -> int:
    return sum(width + _PADDING for width in widths)


def _but_one(rows: Sequence[Sequence[Text]]) -> list[int]:
    """Returns the columns' widths; of the widest one, such as one of reasons, its longest word's."""
    widths = _widths(rows)
    widest = widths.index(max(widths))
    return [
        word if place == widest else width
        for place, (width, word) in enumerate(zip(widths, _longest(rows), strict=True))
    ]


def _longest(rows: Sequence[Sequence[Text]]) -> list[int]:
    """Returns the width of each column's longest word."""
    return [
        max((cell_len(word) for cell in column for word in cell.plain.split()), default=0)
        for column in zip(*rows, strict=True)
    ]


def _table(rows: Sequence[Sequence[Text]], least: Sequence[int] = ()) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
        style="markdown.table.border",
    )
    head, *body = rows
    for cell, narrowest in zip_longest(head, least):
        table.add_column(
            Text(cell.plain, "markdown.table.header", justify=cell.justify),
            overflow="fold",
            min_width=narrowest,
        )
    for row in body:
        table.add_row(*row)
    return table
