"""Texts with placeholders: `{prompt}`, `{workspace}`, …; literal braces are doubled."""

from collections.abc import Mapping, Sequence
from string import Formatter

PLACEHOLDERS = ("budget_usd", "deadline_s", "prompt", "prompt_file", "scratch", "workspace")
"""What a text may name."""
BUDGET = "budget_usd"
"""The one placeholder that may have no value."""


def names(text: str) -> set[str]:
    """
    Returns the placeholders that a text names.

    Raises:
        ValueError: It names an unknown one, or has a single brace.
    """
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"“{text}”: {error}; a literal brace is written twice") from None
    found = {name for _, name, _, _ in parts if name is not None}
    shaped = any(shape or conversion for _, _, shape, conversion in parts)
    for name in sorted(found - set(PLACEHOLDERS)):
        known = ", ".join(f"{{{word}}}" for word in PLACEHOLDERS)
        raise ValueError(f"unknown placeholder “{{{name}}}”; known are {known}")
    if shaped:
        raise ValueError(f"“{text}”: a placeholder takes no `:` and no `!`")
    return found


def fill(text: str, values: Mapping[str, str]) -> str:
    """Returns the text with its placeholders filled in; what is filled in is not looked at."""
    return text.format_map(values)


def fill_argv(argv: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """
    Returns a command line with its placeholders filled in.

    Where `budget_usd` has no value, an argument that names it is left out; if it is nothing but
    the placeholder, the option before it (which begins with `-`) is left out with it.
    """
    filled: list[str] = []
    for text in argv:
        if BUDGET in values or BUDGET not in names(text):
            filled.append(fill(text, values))
        elif text == f"{{{BUDGET}}}" and filled[-1:] and filled[-1].startswith("-"):
            filled.pop()
    return filled
