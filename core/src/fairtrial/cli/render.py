"""Markdown on a terminal: tables with rules, headings in bold, lines that fit."""

import shutil
import sys
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement


class PlainHeading(Heading):
    """A heading at the left edge, in bold: a document here is a short answer, not a page."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the heading's text."""
        self.text.justify = "left"
        self.text.stylize("bold")
        yield self.text


class Answer(Markdown):
    """Markdown with plain headings."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": PlainHeading,
    }


def rendered(text: str, *, width: int) -> str:
    """Returns Markdown as the terminal behind stdout shows it best."""
    console = Console(file=sys.stdout, width=width, force_terminal=True, highlight=False)
    with console.capture() as capture:
        console.print(Answer(text, hyperlinks=False))
    return capture.get()


def width() -> int:
    """Returns the terminal's width in columns."""
    return shutil.get_terminal_size().columns
