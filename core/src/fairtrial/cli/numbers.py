"""Numbers and days as flags take them, refused in the user's own spelling before anything starts."""

import math
from collections.abc import Callable
from datetime import date

from fairtrial.api.errors import ConfigError

_MOST_AMOUNT = 1e9


def whole(flag: str, *, least: int = 1, most: int | None = None) -> Callable[[str], int]:
    """Returns what reads a whole number of at least, and at most, so much."""
    span = f"from {least} on" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            raise _refused(flag, text, f"a whole number {span}", str(max(least, 2)))
        return value

    return read


def day(flag: str, *, today: Callable[[], date]) -> Callable[[str], str]:
    """Returns what reads a day that has begun, as `YYYY-MM-DD`."""

    def read(text: str) -> str:
        try:
            value = date.fromisoformat(text.strip())
        except ValueError:
            value = date.max
        if value > today():
            wanted = f"a day up to today, {today().isoformat()}"
            raise _refused(flag, text, wanted, today().replace(day=1).isoformat())
        return value.isoformat()

    return read


def seconds(
    flag: str, *, least: float | None = None, most: float | None = None
) -> Callable[[str], float]:
    """Returns what reads a finite number of seconds above 0, or of at least, and at most, so many."""
    span = "above 0" if least is None else f"from {least:g} on"
    example = "600" if least is None else f"{2 * least:g}"

    def read(text: str) -> float:
        value = _number(text)
        if most is not None and value > most:
            raise _refused(flag, text, f"at most {most:g} seconds", example)
        if not (math.isfinite(value) and value > 0 and value >= (least or 0)):
            raise _refused(flag, text, f"a number of seconds {span}", example)
        return value

    return read


def amount(flag: str, *, least: float = 0.0) -> Callable[[str], float]:
    """Returns what reads a number of at least so much, of which a product can be shown."""

    def read(text: str) -> float:
        value = _number(text)
        if not least <= value <= _MOST_AMOUNT:
            wanted = f"a number from {least:g} to {_MOST_AMOUNT:,.0f}"
            raise _refused(flag, text, wanted, f"{least + 0.5:g}")
        return value

    return read


def share(flag: str) -> Callable[[str], float]:
    """Returns what reads a share from 0 to 1."""

    def read(text: str) -> float:
        value = _number(text)
        if not 0 <= value <= 1:
            raise _refused(flag, text, "a share from 0 to 1", "0.1")
        return value

    return read


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _refused(flag: str, text: str, wanted: str, example: str) -> ConfigError:
    return ConfigError(
        problem=f"{flag} takes {wanted}, not “{text}”", way_on=f"write such as {flag} {example}"
    )
