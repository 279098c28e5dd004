"""
Which results stand in a test file, by the names under which they are told.

Graded code can print results without end, so that no file is compared with every result.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from attrs import define, field, frozen


@frozen(kw_only=True)
class Stood:
    """
    The results at one place.

    Attributes:
        ends: What a file declares those tests as.
        ran: The same of those that were not skipped.
        skipped: The whole names of those that were.
        under_pytest: Whether any of them is told as pytest tells it.
    """

    ends: frozenset[str]
    ran: frozenset[str]
    skipped: tuple[str, ...]
    under_pytest: bool


@define
class Standing:
    """
    Results to be found by the place at which they stand.

    A place is what a whole name begins with, or a function's name for Go.

    Attributes:
        results: What the report says, by whole names; None for a test that was skipped.
    """

    results: Mapping[str, bool | None]
    _sorted: list[str] = field(init=False)
    _in_go: dict[str, list[str]] = field(factory=dict, init=False)
    _known: dict[str, Stood | None] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._sorted = sorted(self.results)
        for name in self._sorted:
            self._in_go.setdefault(go_function(name), []).append(name)

    def at(self, places: Collection[str], path: PurePosixPath) -> dict[str, Stood]:
        """Returns the results at each place of a file at which there are any."""
        for place in places:
            if place not in self._known:
                self._known[place] = self._stood(place, path)
        return {place: stood for place in places if (stood := self._known[place]) is not None}

    def _stood(self, place: str, path: PurePosixPath) -> Stood | None:
        names = self._in_go.get(place, []) if path.suffix == ".go" else [*self._from(place)]
        if not names:
            return None
        ends = {name: _end(name, path) for name in names}
        return Stood(
            ends=frozenset(ends.values()),
            ran=frozenset(ends[name] for name in names if self.results[name] is not None),
            skipped=tuple(name for name in names if self.results[name] is None),
            under_pytest=any("::" in name for name in names),
        )

    def _from(self, place: str) -> Iterator[str]:
        whole = place.rstrip(".")
        if whole != place and whole in self.results:
            yield whole
        for at in range(bisect_left(self._sorted, place), len(self._sorted)):
            if not self._sorted[at].startswith(place):
                return
            yield self._sorted[at]


def go_function(full: str) -> str:
    """Returns the function of a Go test's whole name, without a package and subtests."""
    return full.rpartition("::")[2].partition("/")[0]


def _end(name: str, path: PurePosixPath) -> str:
    """Returns the part of a whole name by which a file declares it."""
    if path.suffix == ".py":
        bare = name.partition("[")[0]
        return ".".join(re.split(r"::|\.", bare)[-2:]) if "::" not in bare else _pytest(bare)
    if path.suffix == ".go":
        return go_function(name)
    return name.rpartition("::")[2].partition(" > ")[0]


def _pytest(name: str) -> str:
    return ".".join(name.split("::")[1:])
