"""The plain tokeniser of set 1: segments, words, git's subcommand, what a command writes."""

import re
from collections.abc import Iterator, Sequence

_SEGMENT = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_MODE = re.compile(r"[0-7+=rwxugoa,]+\Z")
_QUOTES = ("'", '"')


def segments(command: str) -> list[str]:
    """Splits at `&&`, `||`, `;` and line ends; a single `|` does not split."""
    return _SEGMENT.split(command)


def words(segment: str) -> list[str]:
    """Splits at blanks; one quote is taken from each end of a word."""
    return [_unquoted(word) for word in segment.split()]


def git(tokens: Sequence[str]) -> Sequence[str]:
    """
    Returns git's subcommand and what follows it; empty where the words hold no `git`.

    Pairs of `-C x` and `-c x` before it are passed over.
    """
    if "git" not in tokens:
        return ()
    at = tokens.index("git") + 1
    while tokens[at : at + 1] in (["-C"], ["-c"]):
        at += 2
    return tokens[at:]


def targets(command: str) -> Iterator[str]:
    """Yields every path that a command writes to, as far as its words tell."""
    for segment in segments(command):
        yield from _targets(words(segment))


def _targets(tokens: list[str]) -> Iterator[str]:
    if not tokens:
        return
    yield from _redirected(tokens)
    if "tee" in tokens:
        yield from _plain(tokens[tokens.index("tee") + 1 :])[:1]
    first, *arguments = tokens
    plain = _plain(arguments)
    if first in {"cp", "mv"} or (first == "sed" and any(a.startswith("-i") for a in arguments)):
        yield from plain[-1:]
    elif first == "chmod":
        yield from (word for word in plain if not _MODE.match(word))


def _redirected(tokens: list[str]) -> Iterator[str]:
    for at, token in enumerate(tokens):
        if token in {">", ">>"}:
            yield from tokens[at + 1 : at + 2]
        elif token.startswith(">"):
            name = token.removeprefix(">").removeprefix(">")
            # `>&2` sends one stream into another and writes no file.
            if name and not name.startswith("&"):
                yield name


def _plain(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if not token.startswith("-")]


def _unquoted(word: str) -> str:
    start = 1 if word.startswith(_QUOTES) else 0
    end = len(word) - 1 if len(word) > start and word.endswith(_QUOTES) else len(word)
    return word[start:end]
