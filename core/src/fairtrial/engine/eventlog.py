"""A trajectory on disk, read anew on each pass, so that a log of any size fits in memory."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import attrs
from attrs import define, field

from fairtrial import serial
from fairtrial.api import Agent, Event, OtherEvent
from fairtrial.api.trajectory import BaseEvent
from fairtrial.engine.eventorder import Row, in_order

LONGEST = 64 * 2**20
"""Bytes; a longer line is passed over, like one that is torn."""

BUFFER = 2**20

_LOG = re.compile(r"(events|trajectory)(?:-(\d+))?\.jsonl\Z")
_STANDARD: Mapping[str, object] = {"str": "", "Mapping": {}, "tuple": ()}
_KNOWN = {cls.type: cls for cls in BaseEvent.__subclasses__() if cls.type != OtherEvent.type}


@define(eq=False)
class EventLog(Collection[Event]):
    """
    The events of some files, in the order of their numbers, each once.

    Lines that can't be read are passed over, and so are copies of a line.

    Attributes:
        files: In the order in which they were written.
    """

    files: Sequence[Path]
    _count: int | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[Event]:
        """Reads the files from the start."""
        count = 0
        for event in in_order(self._rows()):
            count += 1
            yield event
        self._count = count

    def _rows(self) -> Iterator[Row]:
        for file in self.files:
            for line in lines(file):
                number, event = numbered(line)
                if event is not None:
                    yield number, len(line), event

    def __len__(self) -> int:
        """Returns how many events there are, which costs a pass where none was made yet."""
        if self._count is None:
            for _ in self:
                pass
        return self._count or 0

    def __bool__(self) -> bool:
        """Tells whether there is any event."""
        return next(iter(self), None) is not None

    def __contains__(self, event: object) -> bool:
        """Looks for an event."""
        return any(one == event for one in self)


def logs(place: Path) -> tuple[Path, ...]:
    """
    Returns the logs of one attempt: archives by their number, then the one that was last written.

    Names are `trajectory.jsonl` or `events.jsonl`; an archive is `events-2.jsonl`.
    """
    found = []
    for path in place.iterdir() if place.is_dir() else ():
        if (match := _LOG.match(path.name)) and path.is_file():
            stem, number = match.groups()
            found.append((stem, number is None, int(number or 0), path))
    return tuple(path for *_, path in sorted(found))


def lines(path: Path) -> Iterator[bytes]:
    """Yields the lines of a file, those that are too long to be a record left out."""
    with path.open("rb", buffering=BUFFER) as file:
        while line := file.readline(LONGEST):
            if len(line) == LONGEST and not line.endswith(b"\n"):
                while (more := file.readline(LONGEST)) and not more.endswith(b"\n"):
                    pass
                continue
            yield line


def numbered(line: bytes) -> tuple[int | None, Event | None]:
    """
    Reads one line, and its number where it has one; None where it holds no event.

    A line that isn't quite in form (a field missing, a stray byte) is read as far as it goes: an
    agent must not be able to hide a call by garbling it.
    """
    if line.isspace():
        return None, None
    try:
        return serial.load_numbered(line)
    except ValueError:
        row = _row(line)
    number = row.get("seq")
    return number if type(number) is int else None, _mended(row)


def _row(line: bytes) -> dict[str, object]:
    try:
        row = json.loads(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _mended(row: dict[str, object]) -> Event | None:
    if not isinstance(kind := row.get("type"), str):
        return None
    if kind not in _KNOWN:
        return OtherEvent(kind=kind, fields=row)
    cls = _KNOWN[kind]
    given = {
        one.name: _value(row.get(one.name), one)
        for one in attrs.fields(cls)
        if one.name in row or one.default is attrs.NOTHING
    }
    kept = {name: value for name, value in given.items() if value is not attrs.NOTHING}
    return cast("Event", cls(**kept))  # type: ignore[arg-type]  # each of its field's kind


def _value(value: object, wanted: "attrs.Attribute[object]") -> object:
    """Returns a value if it is of the wanted kind, else what stands for nothing of that kind."""
    if wanted.name == "agent":
        return _agent(value)
    kind = getattr(wanted.type, "__name__", "") or str(wanted.type)
    types: dict[str, type] = {"str": str, "Mapping": dict, "bool": bool, "int": int}
    if kind in types and isinstance(value, types[kind]):
        return value
    return _STANDARD.get(kind, attrs.NOTHING)


def _agent(value: object) -> Agent | None:
    if isinstance(value, str):
        return Agent(id=value)
    if not isinstance(value, dict):
        return None
    return Agent(**{key: str(value.get(key, "")) for key in ("id", "name", "description")})
