"""Errors as text: the first line, the facts in two columns, one way on, and no traceback."""

import sys
import traceback
from collections.abc import Iterator
from typing import TextIO

from fairtrial.api.errors import FairtrialError
from fairtrial.cli.voice import VOICE
from fairtrial.redaction import redact

_NARROWEST = 12
"""Characters of the left column, so that most errors look alike."""
_GAP = "   "
_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "→": "->", "×": "x"}
)
_CODE_MACHINE = 3
_CODE_INTERRUPTED = 130


def show_error(
    error: BaseException, *, verbose: bool = False, stream: TextIO | None = None
) -> int:
    """
    Prints an error, and returns the exit code that goes with it.

    Args:
        error: What ended the command.
        verbose: Whether to show the traceback too.
        stream: Where to; by default stderr.
    """
    where = sys.stderr if stream is None else stream
    text = error_text(error, verbose=verbose)
    if VOICE.as_json:
        text = f"{_error_line(error, verbose=verbose)}\n"
    print(encodable(text, where.encoding or "ascii"), end="", file=where)
    return exit_code(error)


def exit_code(error: BaseException) -> int:
    """Returns 2 for config and plugins, 3 for the machine, 130 for an interruption."""
    if isinstance(error, FairtrialError):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return _CODE_INTERRUPTED
    return _CODE_MACHINE if isinstance(error, OSError) else FairtrialError.exit_code


def error_text(error: BaseException, *, verbose: bool = False) -> str:
    """Returns the whole text, ending in a line end."""
    trace = "".join(traceback.format_exception(error)) if verbose else ""
    shown = "".join(f"{_visible(line)}\n" for line in trace.splitlines())
    return (
        (f"{shown}\n" if shown else "") + "\n".join(_lines(_known(error, verbose=verbose))) + "\n"
    )


def _error_line(error: BaseException, *, verbose: bool) -> str:
    from fairtrial.cli.log import event_line

    known = _known(error, verbose=verbose)
    trace = {"traceback": "".join(traceback.format_exception(error))} if verbose else {}
    return event_line(
        "command failed",
        level="error",
        problem=known.problem,
        facts=dict(known.facts),
        way_on=known.way_on,
        exit_code=exit_code(error),
        **trace,
    )


def _known(error: BaseException, *, verbose: bool) -> FairtrialError:
    """Puts any other exception into the same form; a bug of ours is said in one line."""
    if isinstance(error, FairtrialError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return FairtrialError(problem="interrupted")
    way_on = "" if verbose else "run again with -v for the traceback"
    if isinstance(error, OSError) and error.strerror:
        names = [str(name) for name in (error.filename, error.filename2) if name is not None]
        facts = (("file", "\n".join(names)),) if names else ()
        return FairtrialError(problem=error.strerror, facts=facts, way_on=way_on)
    said = f": {error}" if str(error) else ""
    return FairtrialError(problem=f"unexpected {type(error).__name__}{said}", way_on=way_on)


def _lines(error: FairtrialError) -> Iterator[str]:
    yield f"error: {_visible(error.problem)}"
    if error.facts:
        yield ""
        width = max(_NARROWEST, *(len(_visible(heading)) for heading, _ in error.facts))
        for heading, value in error.facts:
            first, *rest = value.split("\n")
            yield f"  {_visible(heading):<{width}}{_GAP}{_visible(first)}".rstrip()
            yield from (f"  {'':<{width}}{_GAP}{_visible(line)}".rstrip() for line in rest)
    if error.way_on:
        yield ""
        yield f"  {_visible(error.way_on)}"


def _visible(text: str) -> str:
    """
    Takes out secrets, and writes out what a terminal would obey instead of show.

    Names of files, tables and plugins come from others: an escape sequence or a mark that turns
    the direction of writing could make one line look like another.
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode()
        for each in redact(text)
    )


def encodable(text: str, encoding: str) -> str:
    """Returns text in what a terminal's encoding has: plain quotes and dashes where it must be."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plain = text.translate(_PLAIN)
        return plain.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return encodable(text, "ascii")
    return text
