"""
Which of a chip's energy channels are totals, and what one count of them is worth.

IOReport shows hundreds of channels that hold each other. Only the totals are read: the ones named
`CPU Energy` and `GPU Energy` (with `DIE_0_` and so on before them on chips of two dies), the
neural engine's and the memory's. Names in between, such as cores and clusters, are inside them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fairtrial.api import Boundary, Counter, Label

SLOWEST_UPDATE_S = 2.23
"""Longest time between two updates that is published for a channel (M5 Max, macOS 27)."""

_TOTAL = re.compile(r"(?:DIE_(\d+)_)?(CPU Energy|GPU Energy|ANE\w*|DRAM\w*)")  # codespell:ignore
_ATOMS = {"CPU Energy": "pkg", "GPU Energy": "soc-gpu"}
_MICROJOULES = {
    "nJ": 0.001,
    "uJ": 1.0,
    "µJ": 1.0,
    "mJ": 1000.0,
    "cJ": 10_000.0,
    "dJ": 100_000.0,
    "J": 1_000_000.0,
}


class Channel(NamedTuple):
    """
    One channel of the group “Energy Model”.

    Attributes:
        name: Its name, as IOReport spells it.
        unit: Its unit, such as `mJ`.
        value: What it counted so far.
    """

    name: str
    unit: str
    value: int


def counters(channels: Iterable[Channel], identity: str) -> Iterator[Counter]:
    """Yields a counter for each total; a die's total only where the chip has no whole one."""
    found = {own.name: own for own in channels if _TOTAL.fullmatch(own.name)}
    for name, channel in sorted(found.items()):
        named = _TOTAL.fullmatch(name)
        per_count = _MICROJOULES.get(channel.unit.strip())
        if named is None or per_count is None:
            continue
        die, kind = named.groups()
        if die is not None and kind in found:
            continue
        atom = _ATOMS[kind] + "0" if kind in _ATOMS else kind.lower()
        yield Counter(
            id=name,
            microjoules_per_count=per_count,
            atoms=frozenset({atom if die is None else f"{atom}/die{die}"}),
            label=Label.MODEL_BASED,
            boundary=Boundary.HOST,
            sensor="soc-model",
            update_s=SLOWEST_UPDATE_S,
            identity=identity,
        )
