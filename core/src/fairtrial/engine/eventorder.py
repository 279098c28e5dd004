"""The order of a log's events: late lines go where their number says, copies are left out."""

from collections.abc import Iterable, Iterator
from operator import lt

from fairtrial.api import Event

WINDOW = 128
"""Lines; one that is farther from its place, or from its copy, stays where it is."""

WINDOW_BYTES = 4 * 2**20
"""A window of long lines is shorter, so that memory stays flat."""

Row = tuple[int | None, int, Event]
"""A line's number (`seq`) if it has one, its bytes, and what it says."""


def in_order(rows: Iterable[Row]) -> Iterator[Event]:
    """
    Yields the events of a log in the order of their numbers, those that stand there twice once.

    Only what is equal to the last field counts as a copy. Where a line of a window has no number,
    and where numbers begin anew, as after a restart, lines stay as they were written.
    """
    past: list[Row] = []
    held: list[Row] = []
    for window in _windows(rows):
        known = past[-1:] + held + window
        ordered = held + window if _rises(known) else _ordered(past, held + window)
        cut = max(0, len(ordered) - len(window))
        yield from (event for *_, event in ordered[:cut])
        past, held = ordered[:cut] or past, ordered[cut:]
    yield from (event for *_, event in held)


def _windows(rows: Iterable[Row]) -> Iterator[list[Row]]:
    window: list[Row] = []
    size = 0
    for row in rows:
        window.append(row)
        size += row[1]
        if len(window) == WINDOW or size > WINDOW_BYTES:
            yield window
            window, size = [], 0
    yield window


def _rises(rows: list[Row]) -> bool:
    numbers = [number for number, *_ in rows]
    if None in numbers:
        # Nothing to sort by: to be left as it is, like what is in order already.
        return True
    return all(map(lt, numbers, numbers[1:]))  # type: ignore[arg-type]  # none is None


def _ordered(past: list[Row], rows: list[Row]) -> list[Row]:
    """Sorts each stretch in which a number stands for one event only."""
    ordered: list[Row] = []
    stretch: dict[int | None, Row] = {}
    before = _last_stretch(past)
    floor = past[-1][0] if past else None
    for row in rows:
        number, _, event = row
        seen = stretch.get(number) or before.get(number)
        if seen is not None and seen[2] == event:
            continue
        if seen is not None or _is_below(number, floor):
            ordered += _sorted(stretch)
            stretch, before, floor = {}, {}, None
        stretch[number] = row
    return ordered + _sorted(stretch)


def _last_stretch(past: list[Row]) -> dict[int | None, Row]:
    """Returns what was given out last, back to where numbers began anew."""
    known: dict[int | None, Row] = {}
    above: int | None = None
    for row in reversed(past):
        if above is not None and not _is_below(row[0], above):
            break
        known[above := row[0]] = row
    return known


def _is_below(number: int | None, floor: int | None) -> bool:
    return number is not None and floor is not None and number < floor


def _sorted(stretch: dict[int | None, Row]) -> list[Row]:
    return sorted(stretch.values(), key=lambda row: row[0] or 0)
