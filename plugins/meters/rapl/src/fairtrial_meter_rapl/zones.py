"""
The zones of the kernel's power capping framework, found by their `name`.

The same package may be shown through MSR, MMIO and TPMI, each with a tree of its own, flat below
`class/powercap` and nested below `devices/virtual/powercap`; numbers of zones mean nothing.
Format: the kernel's document "Power Capping Framework".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path  # takes longer to import than the whole of this package

_ENTRY = re.compile(r"(intel-rapl|intel-rapl-mmio|intel-rapl-tpmi)(:[0-9a-f]+)+")
_PACKAGE = re.compile(r"package-(\d+)(?:-die-(\d+))?")
_WIDEST = 2**64
_NO_LIMIT_UW = 10**11
"""A limit of 100 kW stands for none: firmware fills the register with ones."""

_PSYS_ATOMS = frozenset({"pkg*", "dram*", "board"})


class Zone(NamedTuple):
    """
    One zone that holds an energy counter.

    Attributes:
        id: What it covers, such as `pkg0`, `pkg0/core`, `dram0` or `psys`.
        atoms: The same as atoms of the machine.
        entry: Its name in sysfs, such as `intel-rapl:0`.
        directory: Where it is.
        modulus: Where the counter wraps, in µJ; None where the file doesn't say.
        max_watts: Twice the most that the firmware allows; None where it doesn't say.
    """

    id: str
    atoms: frozenset[str]
    entry: str
    directory: Path
    modulus: int | None
    max_watts: float | None

    @property
    def counter(self) -> Path:
        """The file with the count."""
        return self.directory / "energy_uj"


def zones(sysfs: Path) -> tuple[list[Zone], Mapping[str, str]]:
    """
    Finds all zones.

    Returns:
        The zones, duplicates included, and the entries that lead nowhere with the reason.
    """
    places: dict[str, Path] = {}
    broken: dict[str, str] = {}
    for entry, place in _entries(sysfs):
        if place.is_dir():
            places.setdefault(entry, place)
        elif place.is_symlink():
            broken[entry] = (
                f"unmounted-symlink: {place} points to {place.readlink()}, which is not mounted "
                "here; mount /sys/devices/virtual/powercap into the container, read-only"
            )
    names = {entry: text_of(place / "name") or "" for entry, place in places.items()}
    found = [zone for entry in places if (zone := _zone(entry, places[entry], names)) is not None]
    return found, {entry: why for entry, why in broken.items() if entry not in places}


def _entries(sysfs: Path) -> Iterator[tuple[str, Path]]:
    """Walks both layouts, two levels of nesting below each."""
    trees = [sysfs / "class" / "powercap"]
    trees += _listed(sysfs / "devices" / "virtual" / "powercap")
    for tree in trees:
        for place in _listed(tree):
            if _ENTRY.fullmatch(place.name):
                yield place.name, place
                yield from ((sub.name, sub) for sub in _nested(place))


def _nested(place: Path) -> Iterator[Path]:
    for sub in _listed(place):
        if _ENTRY.fullmatch(sub.name):
            yield sub
            yield from _nested(sub)


def _listed(place: Path) -> list[Path]:
    try:
        return sorted(place.iterdir())
    except OSError:
        return []


def _zone(entry: str, place: Path, names: Mapping[str, str]) -> Zone | None:
    """Makes a zone of a directory; None for one whose name means nothing to us."""
    name = names[entry]
    above = names.get(entry.rpartition(":")[0], "")
    ident = "psys" if name == "psys" else _ident(name, above)
    if not ident:
        return None
    return Zone(
        id=ident,
        atoms=_PSYS_ATOMS if ident == "psys" else frozenset({ident}),
        entry=entry,
        directory=place,
        modulus=_below(place / "max_energy_range_uj", _WIDEST) or None,
        max_watts=_max_watts(place),
    )


def _ident(name: str, above: str) -> str:
    package = _PACKAGE.fullmatch(name)
    if package:
        return _part("pkg", package)
    package = _PACKAGE.fullmatch(above)
    if package is None:
        return ""
    if name == "dram":
        return _part("dram", package)
    return f"{_part('pkg', package)}/{name}" if name in {"core", "uncore"} else ""


def _part(kind: str, package: re.Match[str]) -> str:
    number, die = package.groups()
    return f"{kind}{number}" if die is None else f"{kind}{number}/die{die}"


def _max_watts(place: Path) -> float | None:
    """Returns twice the highest power limit of a zone; firmware may allow short peaks above."""
    files = ["constraint_0_max_power_uw"]
    files += [f"constraint_{index}_power_limit_uw" for index in range(3)]
    limits = [_below(place / file, _NO_LIMIT_UW) for file in files]
    return 2 * max(limits) / 1e6 or None


def _below(place: Path, bound: int) -> int:
    """Returns the number in a small file; 0 where there is none or it can't be meant."""
    number = number_of(place) or 0
    return number if 0 < number < bound else 0


def text_of(place: Path) -> str | None:
    """Returns a small file's text, stripped; None where it can't be read."""
    try:
        return place.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None


def number_of(place: Path) -> int | None:
    """Returns the number in a small file; None where there is none."""
    try:
        return int(text_of(place) or "")
    except ValueError:
        return None
