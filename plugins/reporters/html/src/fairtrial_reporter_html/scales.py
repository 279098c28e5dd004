"""
Scales: where on an axis a value stands, and which values are marked.

Marks stand at 1, 2 and 5 times powers of ten, which people read at sight; on a longer logarithmic
axis at 1 and 3 times, or at some of the powers. They are kept as decimals, so that no label shows a
rounding error and no two are alike.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from attrs import frozen

MOST_TICKS = 6
"""Most marks of an axis."""

WIDE = 10.0
"""Above this ratio of the largest to the smallest value an axis is logarithmic."""

LEAST, MOST = 1e-15, 1e15
"""What is smaller or larger, and not 0, is in no plot."""

_SERIES = (Decimal(1), Decimal(2), Decimal(5))
_COARSE = (Decimal(1), Decimal(3))
_PREFIXES = {3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_PREFIXED = Decimal(1_000)
_PLAIN = Decimal("0.0001")


@frozen(kw_only=True)
class Tick:
    """A mark of an axis."""

    value: float
    label: str


@frozen(kw_only=True)
class Scale:
    """
    An axis without its place on the page.

    Attributes:
        low: The value at its beginning.
        high: The value at its end; more than `low`.
        ticks: Its marks, in order.
        log: Whether it is logarithmic.
    """

    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Returns how far along the axis a value stands, 0 to 1; what is off it at its end."""
        if self.log:
            if value <= 0:
                return 0.0
            along = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            along = (value - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, along))

    def holds(self, value: float) -> bool:
        """Whether a value is on the axis."""
        return self.low <= value <= self.high


def drawable(value: float | None) -> bool:
    """Whether a value can stand on an axis: known, finite, and of a size that people use."""
    return value is not None and (value == 0 or LEAST <= value <= MOST)


def compact(value: Decimal) -> str:
    """Returns a mark's value as short as it can be written without losing a digit."""
    size = abs(value)
    if size == 0 or _PLAIN <= size < _PREFIXED:
        return f"{value.normalize():,f}"
    thousands = value.adjusted() // 3 * 3
    if thousands in _PREFIXES:
        return f"{value.scaleb(-thousands).normalize():f}{_PREFIXES[thousands]}"
    return f"{value.normalize():e}".replace("+", "")


def percents(value: Decimal) -> str:
    """Returns a share's mark in percent."""
    return f"{(value * 100).normalize():f}%"


def scale_of(values: Iterable[float], show: Callable[[Decimal], str] = compact) -> Scale:
    """
    Returns the axis that holds values: logarithmic where they span more than tenfold, else from 0.

    Args:
        values: All `drawable` and not negative; a 0 among them keeps the axis linear.
        show: Writes a mark's value.
    """
    found = list(values)
    low, high = min(found, default=0.0), max(found, default=0.0)
    if low > 0 and high / low > WIDE:
        return _logarithmic(low, high, show)
    return linear(high, show)


def linear(high: float, show: Callable[[Decimal], str] = compact) -> Scale:
    """Returns an axis from 0 to the first mark at or above a value."""
    top = _decimal(high) if high > 0 else Decimal(1)
    step = _at_least(top / (MOST_TICKS - 1))
    count = math.ceil(top / step)
    marks = [step * number for number in range(count + 1)]
    return _scale(marks[0], marks[-1], marks, show)


def counting(last: int) -> Scale:
    """Returns an axis of whole numbers from 1; `last` is at least 2."""
    step = max(1, int(_at_least(Decimal(last - 1) / (MOST_TICKS - 1))))
    marks = [Decimal(number) for number in range(0, last + 1, step) if number > 1]
    marks.insert(0, Decimal(1))
    return _scale(Decimal(1), Decimal(last), marks, compact)


def _logarithmic(low: float, high: float, show: Callable[[Decimal], str]) -> Scale:
    first, last = _at_most(_decimal(low)), _at_least(_decimal(high))
    return _scale(first, last, _log_marks(first, last), show, log=True)


def _log_marks(first: Decimal, last: Decimal) -> list[Decimal]:
    powers = range(first.adjusted(), last.adjusted() + 1)
    for series in (_SERIES, _COARSE):
        found = (factor.scaleb(power) for power in powers for factor in series)
        marks = [mark for mark in found if first <= mark <= last]
        if len(marks) <= MOST_TICKS:
            return marks
    decades = [mark for mark in (Decimal(1).scaleb(power) for power in powers) if mark >= first]
    return decades[:: -(-len(decades) // MOST_TICKS)]


def _scale(
    low: Decimal,
    high: Decimal,
    marks: Sequence[Decimal],
    show: Callable[[Decimal], str],
    *,
    log: bool = False,
) -> Scale:
    ticks = tuple(Tick(value=float(mark), label=show(mark)) for mark in marks)
    return Scale(low=float(low), high=float(high), ticks=ticks, log=log)


def _decimal(value: float) -> Decimal:
    # By its shortest writing: 0.1 is meant, not the binary fraction next to it.
    return Decimal(repr(value))


def _at_most(value: Decimal) -> Decimal:
    return max(step for step in _near(value) if step <= value)


def _at_least(value: Decimal) -> Decimal:
    return min(step for step in _near(value) if step >= value)


def _near(value: Decimal) -> list[Decimal]:
    power = value.adjusted()
    return [*(factor.scaleb(power) for factor in _SERIES), Decimal(1).scaleb(power + 1)]
