"""
Net or gross: whether joules hold what the machine would have used idle.

A figure is net where a calibration of idle held for its window, else gross, so that one run can
have both. The two are different quantities. What is summed or set side by side is of one kind: net
where all of it is, else gross.
"""

import enum
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary
from fairtrial.api.record import Trial


class Basis(enum.StrEnum):
    """Whether joules hold the idle part; figures of both kinds are never ranked together."""

    NET = "net"
    GROSS = "gross"


Column = Sequence[Energy | None]
"""One figure a trial; None where a trial has none."""


@frozen(kw_only=True)
class Metered:
    """
    What was metered in some trials.

    Attributes:
        trials: How many there are.
        columns: Their figures at each boundary that any of them has.
    """

    trials: int
    columns: Mapping[Boundary, Column]

    @property
    def gross(self) -> frozenset[Boundary]:
        """At which boundaries some joules are known gross only, so that all are taken so."""
        return frozenset(
            boundary
            for boundary, column in self.columns.items()
            if any(
                energy is not None and energy.idle_j is None and energy.joules is not None
                for energy in column
            )
        )

    @property
    def net(self) -> frozenset[Boundary]:
        """At which boundaries some joules are known net."""
        return frozenset(
            boundary for boundary, column in self.columns.items() if any_net(known(column))
        )

    def joules(self, boundary: Boundary, basis: Basis | None) -> list[float | None]:
        """Returns each trial's own joules at a boundary; None where it has none."""
        gross = basis is Basis.GROSS
        return [
            None if energy is None else gross_of(energy) if gross else energy.joules
            for energy in self.columns.get(boundary, [None] * self.trials)
        ]


def metered(trials: Iterable[Trial]) -> Metered:
    """Sorts the figures of trials by boundary; each trial has at most one at each."""
    every = tuple(trials)
    found: dict[Boundary, list[Energy | None]] = {}
    last, column = None, list[Energy | None]()
    for place, trial in enumerate(every):
        for energy in trial.energy:
            # Mostly the one before it; an enumeration's member is slow to be hashed.
            if energy.boundary is not last:
                last = energy.boundary
                column = found.get(last) or found.setdefault(last, [None] * len(every))
            column[place] = energy
    return Metered(trials=len(every), columns=found)


def known(column: Column) -> list[Energy]:
    """Returns the figures of which the joules are known."""
    return [energy for energy in column if energy is not None and energy.joules is not None]


def any_net(figures: Sequence[Energy]) -> bool:
    """Returns whether idle is known of any of these figures."""
    return [energy.idle_j for energy in figures].count(None) < len(figures)


def basis_of(energy: Energy) -> Basis | None:
    """Returns whether a figure is net; None where it is not known."""
    if energy.joules is None:
        return None
    return Basis.GROSS if energy.idle_j is None else Basis.NET


def gross_of(energy: Energy) -> float | None:
    """Returns all joules of a figure, the idle part among them."""
    if energy.idle_j is None or energy.joules is None:
        return energy.joules
    return energy.joules + energy.idle_j if energy.gross_j is None else energy.gross_j
