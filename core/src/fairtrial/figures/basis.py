"""
Net or gross: whether joules hold what the machine would have used idle.

A figure is net where a calibration of idle held for its window, else gross, so that one run can
have both. The two are different quantities. What is summed or set side by side is of one kind: net
where all of it is, else gross. Whether idle was measured too high shows in many windows only, so that
it is judged here and not where each figure is made.
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


MOST_CLIPPED = 0.05
"""The largest share of attempts that may lie below idle power."""

MOST_IDLE = 0.95
"""The largest share that idle may have of all that was used."""

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


def gross_at(*every: Metered) -> Mapping[Boundary, str]:
    """
    Returns at which boundaries all joules are taken gross, with the reason.

    That is where some are known gross only, where idle was measured too high, or where it is nearly
    all, so that little that can be told is left of the rest.

    Args:
        every: All that is summed beside one another.
    """
    found: dict[Boundary, str] = {}
    for boundary in dict.fromkeys(boundary for each in every for boundary in each.columns):
        columns = [each.columns.get(boundary, ()) for each in every]
        why = _why_gross(columns)
        if why:
            found[boundary] = why
    return found


def _why_gross(columns: Sequence[Column]) -> str:
    told = (energy for column in columns for energy in column if energy is not None)
    if any(energy.idle_j is None and energy.joules is not None for energy in told):
        return "idle is not known of all attempts"
    # Below the floor, a window may hold an update less than its length, and says nothing of idle.
    net = [
        energy
        for column in columns
        for energy in known(column)
        if "below-floor" not in energy.flags
    ]
    clipped = sum("clipped" in energy.flags for energy in net)
    if clipped > MOST_CLIPPED * len(net):
        return f"idle was measured too high: {clipped} of {len(net)} attempts lie below it"
    used_j = sum(gross_of(energy) or 0.0 for energy in net)
    idle_j = sum(energy.idle_j or 0.0 for energy in net)
    if used_j and idle_j > MOST_IDLE * used_j:
        return f"nearly all that was used is idle ({idle_j / used_j:.0%})"
    return ""


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
