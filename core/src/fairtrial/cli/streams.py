"""
What is written, and where: results to stdout, all else to stderr, on any kind of terminal.

A terminal that can't show `–` gets `-`, never an error; a reader that has gone away is no error
either.
"""

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from fairtrial.api import Unwritable

PLAIN = {
    "–": "-",
    "—": "-",
    "→": "->",
    "×": "x",
    "·": "-",
    "…": "...",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "≤": "<=",
    "≥": ">=",
    "±": "+-",
    "✓": "ok",
    "━": "-",
    "─": "-",
    "│": "|",
    "•": "*",
}
"""What stands in for a character that a terminal can't show."""

_HANDLER = "fairtrial-plain"

_RESULTS: list[TextIO] = []
"""The stdout that was there before plugins were kept from it; the last one counts."""


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(PLAIN.get(character, "?") for character in wrong), error.end


def settle_streams() -> None:
    """Makes stdout and stderr take any text, in any encoding, and where they are closed too."""
    codecs.register_error(_HANDLER, _plainly)
    # A daemon or `>&-` leaves the interpreter without them: nobody listens.
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_HANDLER)


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def results() -> TextIO:
    """Returns where results go: stdout, whatever stands in its place for plugins."""
    return _RESULTS[-1] if _RESULTS else sys.stdout


@contextmanager
def results_alone() -> Iterator[None]:
    """Keeps stdout for results: what a plugin prints in this process goes to stderr meanwhile."""
    own = sys.stdout
    _RESULTS.append(results())
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        _RESULTS.pop()
        sys.stdout = own


def is_terminal(stream: TextIO) -> bool:
    """Says whether a person looks at the stream, on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in {"dumb", "unknown"}


def emit(text: str) -> None:
    """
    Writes a result to stdout; does nothing more once its reader has gone.

    Raises:
        Unwritable: It goes to a file, and the disk is full.
    """
    try:
        _write(results(), shown_as(text))
    except OSError as error:
        raise _lost(error) from error


def shown_as(text: str) -> str:
    """Returns text as stdout can show it."""
    encoding = results().encoding
    if not encoding:
        return text
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        from fairtrial.cli.plain import plain

        return plain(text, encoding)
    return text


def emit_bytes(data: bytes) -> None:
    """
    Writes a result to stdout byte for byte, whatever the terminal's encoding.

    Raises:
        Unwritable: It goes to a file, and the disk is full.
    """
    stream = results()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        emit(data.decode("utf-8", "replace"))
        return
    try:
        stream.flush()
        buffer.write(data)
        buffer.flush()
    except BrokenPipeError:
        _close(stream)
    except OSError as error:
        _close(stream)
        raise _lost(error) from error


def note(text: str) -> None:
    """Writes one line to stderr; where that can't be written, there is nobody to tell."""
    with suppress(OSError):
        _write(sys.stderr, f"{text}\n")


def flush() -> None:
    """Writes out what is still held back; a failure that was to be told has been told before."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            _write(stream, "")


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _close(stream)
    except OSError:
        _close(stream)
        raise


def _lost(error: OSError) -> "Unwritable":
    from fairtrial.api.errors import Unwritable

    return Unwritable(
        problem="the results can't be written to stdout",
        facts=(("because", error.strerror or str(error)),),
        way_on="make room, or send them elsewhere; what is kept of a run can be shown again",
    )


def _close(stream: TextIO) -> None:
    # Whatever the interpreter flushes at its end must go nowhere instead of failing there.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
