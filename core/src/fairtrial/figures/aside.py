"""
What a solver's attempts used that is in none of its sums.

A sum holds the attempts that came to an end of their own, so that agents are compared by the same
work. What was used besides was really used: it is in the receipts of joules and on the bill.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.groups import Joules, range_of
from fairtrial.figures.rates import at_least, joules, money
from fairtrial.figures.spending import Spending, cost_of, spending
from fairtrial.figures.tally import Tally


@frozen(kw_only=True)
class Aside:
    """
    Attempts of one solver that used something and are in no sum.

    Attributes:
        solver: Its name.
        kind: `again` (interrupted or broken, and made again since), `infra`, `unfinished`
            (interrupted), `apart` (its task is in no denominator), or `stale` (its task is not
            the planned one).
        attempts: How many there are.
        energies: Their joules, by boundary; empty where nothing was metered.
        cost: Their dollars.
    """

    solver: str
    kind: str
    attempts: int
    energies: tuple[Joules, ...]
    cost: Spending

    def __str__(self) -> str:
        """Returns `48.4 J (host, net) and $0.12 of 1 attempt that was made again`."""
        parts = [
            at_least(f"{joules(figure.known_j)} J{range_of(figure)}", figure.unknown)
            + f" ({', '.join(filter(None, (figure.group.boundary, figure.group.basis)))})"
            for figure in self.energies
            if figure.known_j is not None
        ]
        if self.cost.known_usd is not None:
            parts.append(at_least(f"${money(self.cost.known_usd)}", self.cost.unknown))
        one, many = _WORDS[self.kind]
        of = (
            f"1 attempt that {one}"
            if self.attempts == 1
            else f"{self.attempts} attempts that {many}"
        )
        return f"{' and '.join(parts)} of {of}"


_WORDS = {
    "again": ("was made again", "were made again"),
    "infra": ("broke for a reason of ours", "broke for reasons of ours"),
    "unfinished": ("was interrupted", "were interrupted"),
    "apart": ("is of a task in no denominator", "are of tasks in no denominator"),
    "stale": ("is of a task that was not planned", "are of tasks that were not planned"),
}


def asides(arms: Iterable[Tally]) -> tuple[Aside, ...]:
    """Returns what is in no sum, solver by solver; a kind of which nothing is known is left out."""
    return tuple(
        _aside(tally.solver, kind, used)
        for tally in arms
        for kind in _WORDS
        if (used := [trial for trial in getattr(tally, kind) if _used(trial)])
    )


def _aside(solver: str, kind: str, trials: Sequence[Trial]) -> Aside:
    return Aside(
        solver=solver,
        kind=kind,
        attempts=len(trials),
        energies=joules_by_boundary(trials),
        cost=spending(trials),
    )


def _used(trial: Trial) -> bool:
    if cost_of(trial) is not None:
        return True
    return any(part.joules is not None for part in trial.energy)
