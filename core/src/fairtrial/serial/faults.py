"""What was wrong with a table, fault by fault, out of the groups of exceptions that cattrs makes."""

import re
from collections.abc import Iterator

import attrs
from attrs import frozen
from cattrs import ForbiddenExtraKeysError
from cattrs.errors import AttributeValidationNote, BaseValidationError, IterableValidationNote

from fairtrial.api.errors import FairtrialError
from fairtrial.serial.wording import got, nearest, one_of

Path = tuple[str | int, ...]

_VALIDATOR = re.compile(r"(?P<length>Length of )?'(?P<field>\w+)' (?P<rule>.*)", re.DOTALL)
"""How attrs' own validators begin what they say."""

_ONE_OF = "must be in "
"""How attrs' own `in_` goes on; what may stand there and what does are arguments of the error."""


@frozen(kw_only=True)
class Fault:
    """
    One thing in a table that can't be used.

    Attributes:
        path: Where it is, below the table.
        text: What is wrong with it.
        nearest: What was probably meant; empty where nothing is near.
        choices: What could stand there instead of an unknown key.
    """

    path: Path
    text: str
    nearest: str = ""
    choices: tuple[str, ...] = ()

    @property
    def full(self) -> str:
        """The text, with what was probably meant."""
        return f"{self.text}; nearest: {self.nearest}" if self.nearest else self.text


class Mismatch(Exception):
    """A value is not of the kind that its field takes."""

    def __init__(self, expected: str, value: object, *, nearest: str = "") -> None:
        super().__init__(f"expected {expected}, got {got(value)}")
        self.nearest = nearest


def faults_of(error: Exception, above: Path = ()) -> Iterator[Fault]:
    """
    Yields the faults that an exception of the strict converter stands for.

    Raises:
        Exception: The first part of it that is no fault of the table: an error that already says
            all, or a bug in a constructor.
    """
    path = above + _own_path(error)
    if isinstance(error, BaseValidationError):
        for part in error.exceptions:
            yield from faults_of(part, path)
    elif isinstance(error, Mismatch):
        yield Fault(path=path, text=str(error), nearest=error.nearest)
    elif isinstance(error, ForbiddenExtraKeysError):
        yield from _unknown_keys(error, path)
    elif isinstance(error, KeyError) and path != above:
        yield Fault(path=path, text="is missing, and has no default")
    elif isinstance(error, ValueError | TypeError) and not isinstance(error, FairtrialError):
        yield _constructor_fault(error, path)
    else:
        raise error


def _own_path(error: Exception) -> Path:
    """Reads the notes by which cattrs says where it was; the outermost was added last."""
    parts: list[str | int] = []
    for note in reversed(getattr(error, "__notes__", [])):
        if isinstance(note, AttributeValidationNote):
            parts.append(note.name)
        elif isinstance(note, IterableValidationNote):
            parts.append(note.index)
    return tuple(parts)


def _unknown_keys(error: ForbiddenExtraKeysError, path: Path) -> Iterator[Fault]:
    known = tuple(field.name for field in attrs.fields(error.cl) if field.init)
    for key in sorted(error.extra_fields):
        yield Fault(
            path=(*path, key),
            text="there is no such key",
            nearest=nearest(key, known),
            choices=known,
        )


def _constructor_fault(error: ValueError | TypeError, path: Path) -> Fault:
    """
    Puts what a validator said into plain words, at its field.

    Raises:
        TypeError: It did not come from a validator, so that it is a bug and no fault.
    """
    from_attrs = len(error.args) > 1 and isinstance(error.args[1], attrs.Attribute)
    if isinstance(error, TypeError) and not from_attrs:
        raise error
    text = str(error.args[0]) if error.args else type(error).__name__
    match = _VALIDATOR.fullmatch(text)
    if match is None:
        return Fault(path=path, text=text)
    place = (*path, match["field"])
    if from_attrs and match["rule"].startswith(_ONE_OF):
        options, value = error.args[2:]
        close = nearest(str(value), map(str, options))
        return Fault(
            path=place, text=f"expected {one_of(options)}, got {got(value)}", nearest=close
        )
    rule = re.sub(r": (\S+)$", r", got \1", match["rule"])
    rule = f"its length {rule}" if match["length"] else rule
    return Fault(path=place, text=rule)
