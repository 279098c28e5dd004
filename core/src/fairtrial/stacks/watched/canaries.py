"""Names that can't be guessed, for checks whose outcome is known beforehand."""

import functools
import re
import secrets
from importlib.resources import files

from attrs import frozen

_WORK = re.compile(r"^(?:def |  (?:async )?)((?:fails|passes)_\w+) ?\(", re.MULTILINE)


@functools.cache
def asset(name: str) -> str:
    """Returns the text of a file that is laid beside a graded tree."""
    return (files("fairtrial.stacks.watched") / "assets" / name).read_text(encoding="utf-8")


@functools.cache
def works(name: str) -> tuple[str, ...]:
    """Returns the functions of an asset that are canaries."""
    return tuple(_WORK.findall(asset(name)))


def word(prefix: str = "t") -> str:
    """Returns an identifier that nobody has seen before."""
    return prefix + secrets.token_hex(10)


@frozen
class Brood:
    """Canaries of one place: names of functions, each with the name under which it runs."""

    names: dict[str, str]

    @property
    def must_fail(self) -> frozenset[str]:
        """Names that must fail."""
        return frozenset(name for work, name in self.names.items() if work.startswith("fails"))

    @property
    def must_pass(self) -> frozenset[str]:
        """Names that must pass."""
        return frozenset(name for work, name in self.names.items() if work.startswith("passes"))


def brood(name: str) -> Brood:
    """Returns new names for all the canaries of an asset."""
    return Brood({work: word("test_") for work in works(name)})


def must_fail(broods: list[Brood]) -> frozenset[str]:
    """Returns all names that must fail."""
    return frozenset().union(*(each.must_fail for each in broods))


def must_pass(broods: list[Brood]) -> frozenset[str]:
    """Returns all names that must pass."""
    return frozenset().union(*(each.must_pass for each in broods))
