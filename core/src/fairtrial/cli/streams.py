"""
What is written, and where: results to stdout, all else to stderr, on any kind of terminal.

A terminal that can't show `–` gets `-`, never an error; a reader that has gone away is no error
either.
"""

import codecs
import os
import sys
from typing import TextIO

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


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(PLAIN.get(character, "?") for character in wrong), error.end


def settle_streams() -> None:
    """Makes stdout and stderr take any text, whatever their encoding."""
    codecs.register_error(_HANDLER, _plainly)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_HANDLER)


def is_terminal(stream: TextIO) -> bool:
    """Says whether a person looks at the stream, on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in {"dumb", "unknown"}


def emit(text: str) -> None:
    """Writes a result to stdout; does nothing more once its reader has gone."""
    _write(sys.stdout, text)


def emit_bytes(data: bytes) -> None:
    """Writes a result to stdout byte for byte, whatever the terminal's encoding."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        emit(data.decode("utf-8", "replace"))
        return
    try:
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()
    except BrokenPipeError:
        _close(sys.stdout)


def note(text: str) -> None:
    """Writes one line to stderr."""
    _write(sys.stderr, f"{text}\n")


def flush() -> None:
    """Writes out what is still held back."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "")


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _close(stream)


def _close(stream: TextIO) -> None:
    # Whatever the interpreter flushes at its end must go nowhere instead of failing there.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
