"""Markdown on a terminal: tables that fit, headings in bold, marks that can be told apart."""

import shutil
import sys
from collections.abc import Sequence
from typing import ClassVar

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

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
    A table that loses nothing on a narrow terminal.

    Where its columns don't fit and its rows are few, it is turned on its side; else long cells go
    on in the next line.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the table."""
        rows = self._rows()
        turned = [[Text(first.plain), *rest] for first, *rest in zip(*rows, strict=True)]
        room = options.max_width
        if _width(rows) > room and len(rows) <= FEW and _width(turned) <= room:
            rows = turned
        yield _table(rows)

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
        file=sys.stdout, width=width, force_terminal=True, highlight=False, theme=_THEME
    )
    with console.capture() as capture:
        console.print(Answer(text, hyperlinks=False))
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(lines) + "\n"


def width() -> int:
    """Returns the terminal's width in columns."""
    return shutil.get_terminal_size().columns


def _width(rows: Sequence[Sequence[Text]]) -> int:
    columns = zip(*rows, strict=True)
    return sum(max(cell.cell_len for cell in column) + _PADDING for column in columns)


def _table(rows: Sequence[Sequence[Text]]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
        style="markdown.table.border",
    )
    head, *body = rows
    for cell in head:
        table.add_column(
            Text(cell.plain, "markdown.table.header", justify=cell.justify), overflow="fold"
        )
    for row in body:
        table.add_row(*row)
    return table
