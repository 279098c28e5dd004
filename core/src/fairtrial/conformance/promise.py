"""
How a kit says that a promise is broken.

Plain `assert` is of no use here: `python -O` would let every plugin pass, and without pytest it
says nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager

REPR_LIMIT = 300


class Broken(AssertionError):
    """The plugin broke a promise of its kind; the message says which and what was seen."""


class NotJudged(AssertionError):
    """
    The promise could not be put to the test.

    Under pytest that is a failure, since the author can give the kit what it lacks; a live check
    shows it as not judged.
    """


def show(value: object) -> str:
    """Returns the value as a message shows it: its repr, cut."""
    text = repr(value)
    return text if len(text) <= REPR_LIMIT else f"{text[:REPR_LIMIT]}…"


def promise(kept: object, words: str) -> None:
    """
    Goes on where a promise is kept.

    Raises:
        Broken: It isn't.
    """
    if not kept:
        raise Broken(words)


def same(expected: object, actual: object, words: str) -> None:
    """
    Goes on where two values are equal.

    Raises:
        Broken: They differ; the message shows both.
    """
    promise(expected == actual, f"{words}: {show(expected)} and then {show(actual)}")


@contextmanager
def may_only_raise(*allowed: type[BaseException], words: str) -> Iterator[None]:
    """
    Runs a block in which only some errors may be raised.

    Raises:
        Broken: Another one was; it is chained.
    """
    try:
        yield
    except (Broken, NotJudged):
        raise
    except allowed:
        raise
    except Exception as error:  # the plugin's code is foreign: any error at all is what is judged
        seen = f"{words}, but {type(error).__name__} was raised: {error}"
        raise Broken(seen) from error
