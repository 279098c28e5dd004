"""
Which results go by a name that is looked for, and which of them are namesakes from elsewhere.

Graded code can print results without end, so that each file is read once and no name is compared
with every result.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from attrs import frozen

from fairtrial.stacks.watched.declared import Declared, declared
from fairtrial.stacks.watched.standing import go_function

_JOINTS = ("::", ".", " > ", "/")
"""What stands before the end of a whole name."""


@frozen
class Called:
    """
    Whole names, to be found by what they end with.

    Attributes:
        fulls: All of them.
        ends: Each of them from its last letter to its first, in order.
    """

    fulls: frozenset[str]
    ends: tuple[str, ...]

    @classmethod
    def sort(cls, fulls: Iterable[str]) -> "Called":
        """Sorts whole names by their ends."""
        known = frozenset(fulls)
        return cls(known, tuple(sorted(full[::-1] for full in known)))

    def by(self, name: str) -> set[str]:
        """Returns those that are a name or end with it."""
        joined = {full for joint in _JOINTS for full in self._ending(f"{joint}{name}")}
        return joined | ({name} & self.fulls)

    def _ending(self, text: str) -> Iterator[str]:
        start = text[::-1]
        for at in range(bisect_left(self.ends, start), len(self.ends)):
            if not self.ends[at].startswith(start):
                return
            yield self.ends[at][::-1]


@frozen
class Homes:
    """
    Where the names that the pristine files declare are at home.

    Attributes:
        files: What the files declare that have a test of a name, by that name and by their paths.
    """

    files: Mapping[str, Mapping[PurePosixPath, Declared]]

    @classmethod
    def read(cls, files: Mapping[PurePosixPath, str]) -> "Homes":
        """Reads the text of each pristine file."""
        found: dict[str, dict[PurePosixPath, Declared]] = {}
        for path, text in files.items():
            one = declared(path, text)
            for name in _bare(one):
                found.setdefault(name, {})[path] = one
        return cls(found)

    def elsewhere(self, name: str, fulls: set[str]) -> set[str]:
        """
        Returns the tests that go by a name of the pristine files' and stand in none of them.

        Args:
            name: The name that is looked for; it may lack what a whole name begins with.
            fulls: The whole names of tests that ended with it.
        """
        others = fulls - {name}
        homes = self._of(name) if others else {}
        if not homes:
            return set()
        places = tuple(
            place for path, one in homes.items() if path.suffix != ".go" for place in one.places
        )
        modules = {place.rstrip(".") for place in places}
        in_go = {each for path, one in homes.items() if path.suffix == ".go" for each in one.names}
        return {
            full
            for full in others
            if not (full.startswith(places) or full in modules or go_function(full) in in_go)
        }

    def _of(self, name: str) -> dict[PurePosixPath, Declared]:
        pieces = {*re.split(r"::|\.|/", name.partition("[")[0]), *re.split(r"::| > ", name)}
        return {path: one for piece in pieces for path, one in self.files.get(piece, {}).items()}


def _bare(one: Declared) -> set[str]:
    return {name.rpartition(".")[2] for name in one.names | one.functions} | one.names
