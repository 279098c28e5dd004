"""
Counters and words as plugins hand them over: made plain, or refused with what is wrong.

A plugin's author may run no type checker. What is let in holds exact types only, so that it is the
same when it is read again from receipts, and is small enough that every window can look through it.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from numbers import Real
from typing import TypeVar, cast

from fairtrial.api.errors import FairtrialError
from fairtrial.api.reading import Boundary, Counter
from fairtrial.energy.labels import admitted

MOST = 1024
"""How many counters, atoms, readings or places a meter may name; figures compare each with each."""

WIDEST = 2**64
"""No hardware's counter reaches this, and every sum below it can be written down."""

_LONGEST = 1000
"""Characters of a text that is kept; each record of a run may hold it again."""

_SMALLEST, _LARGEST = 1e-12, 1e12
"""Between these all numbers of a real counter lie, whatever its unit; products stay finite."""

_SLOWEST_S = 86_400.0
"""Nobody can wait for the updates of a counter that moves less often than once a day."""

T = TypeVar("T")


def few(found: Iterable[T], what: str) -> tuple[T, ...]:
    """
    Returns what a plugin listed, endless generators included.

    Raises:
        ValueError: It is more than any machine has.
    """
    kept = tuple(itertools.islice(found, MOST + 1))
    if len(kept) > MOST:
        msg = f"it names more than {MOST} {what}"
        raise ValueError(msg)
    return kept


def words(error: BaseException) -> str:
    """Returns what an exception of a plugin says, whatever it is made of."""
    name = type(error).__name__
    try:
        if isinstance(error, FairtrialError):
            return clipped("; ".join(str(part) for part in (error.problem, error.way_on) if part))
        return clipped(f"{name}: {error}".removesuffix(": "))
    except BaseException:  # noqa: BLE001 - a plugin's exception, asked for its text, may raise another
        return f"{name}, of which nothing can be told"


def clipped(text: str) -> str:
    """Returns a text that is short enough to be kept, the cut marked by `…`."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def texts(pairs: Mapping[str, str]) -> Mapping[str, str]:
    """
    Returns what a meter says of places or conditions as plain text.

    Raises:
        ValueError: It is of more places than any machine has.
    """
    found = few(pairs.items(), "places")
    return {clipped(str(name)): clipped(str(text)) for name, text in found}


def is_width(value: object) -> bool:
    """Whether something is a whole number that a register of 64 bits can hold."""
    return type(value) is int and abs(value) <= WIDEST


def shown(value: object) -> str:
    """Returns a value's spelling; of a long number its length, as Python may refuse to spell it."""
    if isinstance(value, int) and abs(value) > WIDEST:
        return f"a number of {value.bit_length()} bits"
    return clipped(repr(value))


def sound_all(counters: Iterable[Counter]) -> tuple[Counter, ...]:
    """
    Returns counters with the labels that they get.

    Raises:
        TypeError: One is no counter, or a part of it is not what the interface says.
        ValueError: They are more than any machine has.
    """
    found = tuple(map(sound, few(counters, "counters")))
    few((atom for counter in found for atom in counter.atoms), "atoms")
    return found


def sound(counter: Counter) -> Counter:
    """
    Returns a counter with the label that it gets.

    Raises:
        TypeError: It is no counter, or a part of it is not what the interface says.
    """
    if not isinstance(counter, Counter):
        msg = f"{shown(counter)} is no counter"
        raise TypeError(msg)
    _refuse(counter)
    plain = Counter(
        id=_plain(counter.id),
        microjoules_per_count=float(counter.microjoules_per_count),
        modulus=counter.modulus,
        atoms=frozenset(map(_plain, counter.atoms)),
        label=counter.label,
        boundary=counter.boundary,
        sensor=_plain(counter.sensor),
        update_s=_float(counter.update_s),
        max_watts=_float(counter.max_watts),
        identity=_plain(counter.identity),
        is_power=counter.is_power,
        is_shared=counter.is_shared,
        is_cpu_time=counter.is_cpu_time,
    )
    return admitted(plain)


def _refuse(counter: Counter) -> None:
    """Raises where a part of a counter is of another type, or beyond all measure."""
    for part, value in _wrong(counter):
        msg = f"counter “{_name(counter)}” is described by {shown(value)} ({part})"
        raise TypeError(msg)
    if counter.is_power and counter.is_cpu_time:
        msg = f"counter “{_name(counter)}” claims to be of power and of CPU time"
        raise TypeError(msg)


def _wrong(counter: Counter) -> Iterator[tuple[str, object]]:
    """Yields the parts that are not what they must be."""
    for part, fits in _FITS.items():
        value: object = getattr(counter, part)
        left_out = part in _OPTIONAL and value is None
        if not left_out and not fits(value):
            yield part, value
    yield from (("atoms", atom) for atom in few(counter.atoms, "atoms") if not _is_text(atom))


def _name(counter: Counter) -> str:
    name: object = counter.id
    return clipped(name) if isinstance(name, str) else shown(name)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _is_number(value: object) -> bool:
    """Whether something can be reckoned with as a float, which a `Decimal` can't."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    return _SMALLEST <= cast("float", value) <= _LARGEST


def _is_update(value: object) -> bool:
    return _is_number(value) and cast("float", value) <= _SLOWEST_S


def _is_mark(value: object) -> bool:
    return type(value) is bool


def _is_row(value: object) -> bool:
    """Whether something isn't a text, which is a row of letters."""
    return not isinstance(value, str | bytes)


def _is_boundary(value: object) -> bool:
    return isinstance(value, Boundary)


_FITS: Mapping[str, Callable[[object], bool]] = {
    "id": _is_text,
    "microjoules_per_count": _is_number,
    "modulus": is_width,
    "atoms": _is_row,
    "boundary": _is_boundary,
    "sensor": _is_text,
    "update_s": _is_update,
    "max_watts": _is_number,
    "identity": _is_text,
    "is_power": _is_mark,
    "is_shared": _is_mark,
    "is_cpu_time": _is_mark,
}
"""What each part must be; a label may be anything, since it is weakened where it isn't known."""

_OPTIONAL = frozenset({"modulus", "update_s", "max_watts"})


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _plain(text: str) -> str:
    """Returns a text without what a subclass made of it, such as no hash."""
    return str.__str__(text)
