"""A held-out set as values: its checks, how often each has decided something, its history."""

from collections.abc import Iterable, Mapping

from attrs import evolve, field, frozen
from attrs.validators import ge, min_len

RETIRE_AFTER = 3
"""Decisions after which a check is retired: what has decided too much has been fitted to."""


@frozen(kw_only=True)
class Companion:
    """
    One held-out check.

    Attributes:
        id: The family, a dot, and its number in the set.
        family: The tasks that it grades.
        file: Its name in the set's directory.
        decisions: In how many tasks of how many runs it has been scored.
        retired: Whether it is no longer used.
        added: ISO 8601, UTC.
    """

    id: str = field(validator=min_len(1))
    family: str = field(validator=min_len(1))
    file: str = field(validator=min_len(1))
    decisions: int = field(default=0, validator=ge(0))
    retired: bool = False
    added: str = ""


@frozen(kw_only=True)
class Change:
    """
    One row of the history.

    Attributes:
        version: The set's version from then on.
        at: ISO 8601, UTC.
        added: Ids.
        retired: Ids.
    """

    version: int
    at: str
    added: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()


@frozen(kw_only=True)
class Companions:
    """
    A whole set; a change makes another one.

    Attributes:
        version: Goes up with each change of what is scored.
        checks: All there have ever been, in the order in which they came.
        history: What changed when.
    """

    version: int = field(default=1, validator=ge(1))
    checks: tuple[Companion, ...] = ()
    history: tuple[Change, ...] = ()

    def active(self, family: str) -> Companion | None:
        """Returns the check that is scored for a family: the first that is not retired."""
        return next(
            (each for each in self.checks if each.family == family and not each.retired), None
        )

    def find(self, check: str) -> Companion | None:
        """Returns the check of an id."""
        return next((each for each in self.checks if each.id == check), None)

    def next_id(self, family: str) -> str:
        """Returns the id that a new check gets: numbers go through the whole set."""
        return f"{family}.{len(self.checks) + 1}"

    def with_added(self, companion: Companion) -> "Companions":
        """Returns the set with one check more, at the next version."""
        version = self.version + 1
        row = Change(version=version, at=companion.added, added=(companion.id,))
        return Companions(
            version=version, checks=(*self.checks, companion), history=(*self.history, row)
        )

    def with_retired(self, ids: Iterable[str], at: str) -> "Companions":
        """Returns the set with these retired, in one step; the same set where there is none."""
        wanted = set(ids)
        gone = tuple(each.id for each in self.checks if each.id in wanted and not each.retired)
        if not gone:
            return self
        version = self.version + 1
        return Companions(
            version=version,
            checks=tuple(
                evolve(each, retired=True) if each.id in gone else each for each in self.checks
            ),
            history=(*self.history, Change(version=version, at=at, retired=gone)),
        )

    def with_decisions(self, counts: Mapping[str, int], at: str) -> "Companions":
        """
        Returns the set after so many more decisions of each check.

        Those that have then decided `RETIRE_AFTER` times or more are retired, all in one step.

        Raises:
            KeyError: An id is not in the set.
        """
        for check in counts:
            if self.find(check) is None:
                raise KeyError(check)
        checks = tuple(
            evolve(each, decisions=each.decisions + counts.get(each.id, 0)) for each in self.checks
        )
        spent = [
            each.id for each in checks if each.id in counts and each.decisions >= RETIRE_AFTER
        ]
        return evolve(self, checks=checks).with_retired(spent, at)
