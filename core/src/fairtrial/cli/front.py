"""The front page: what `fairtrial --help` shows, made without importing typer."""

import os
from collections.abc import Iterable, Iterator

from fairtrial.cli.commands import COMMANDS, plugin_commands

_USUAL, _WIDEST, _NARROWEST = 80, 100, 40
"""Columns."""

_USAGE = "Usage: fairtrial [OPTIONS] COMMAND [ARGS]..."
_INTRO = (
    "A fair trial for coding agents: what they resolve, what that costs, whether the score is "
    "honest."
)
_FIRST = "      fairtrial run tasks/smoke.toml"

_OPTIONS = (
    ("--version", "Show the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show completion for the current shell, to copy or change it."),
    ("-h, --help", "Show this page and exit."),
)

_HINT = "`fairtrial COMMAND --help` says what a command takes."
_CODES = (
    "Exit codes: 0 fine, 1 a gate of the run failed, 2 the config, a plugin or the usage is "
    "wrong, 3 the machine can't, 130 interrupted."
)


def front_page() -> str:
    """Returns the page, ending in a newline, as wide as the terminal at most."""
    width = _width()
    sections = [("Options", list(_OPTIONS)), ("Commands", list(COMMANDS.items()))]
    added = [(name, f"Added by {by}.") for name, by in plugin_commands().items()]
    if added:
        sections.append(("Commands of plugins", added))
    parts = [
        [_USAGE],
        _wrapped(_INTRO, width, "  "),
        [_FIRST],
        *([f"{title}:", *_section(rows, width)] for title, rows in sections),
        [line for text in (_HINT, _CODES) for line in _wrapped(text, width)],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _width() -> int:
    """Returns the columns to fill: those of COLUMNS, of the terminal, or 80."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isascii() and said.isdigit() else 0
    if not columns:
        try:
            columns = os.get_terminal_size().columns
        except (OSError, ValueError):
            # stdout may be no terminal, or nothing that has a file behind it.
            columns = 0
    return max(_NARROWEST, min(columns or _USUAL, _WIDEST))


def _section(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    entries = list(rows)
    size = max(len(name) for name, _ in entries)
    for name, text in entries:
        first, *more = _wrapped(text, max(width - size - 4, _NARROWEST // 2))
        yield f"  {name:<{size}}  {first}"
        yield from (f"  {'':<{size}}  {line}" for line in more)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    # textwrap, and the `re` below it, cost a tenth of what the page may take.
    lines = [""]
    for word in text.split():
        if lines[-1] and len(indent) + len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return [indent + line for line in lines]
