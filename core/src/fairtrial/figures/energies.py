"""
Joules: sums of trials' figures at one boundary, and joules a resolved task.

A `batch` figure holds what several trials of one solver used together: one of them carries the
total, the others carry None, and only the sum means anything.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from attrs import frozen

from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Trial
from fairtrial.figures.basis import Basis, Column, Metered, any_net, gross_of, known, metered

_STRENGTH = {label: rank for rank, label in enumerate(Label)}
_BOUNDARIES = {boundary: rank for rank, boundary in enumerate(Boundary)}


@frozen(kw_only=True)
class Group:
    """
    What must be alike before two figures of joules may be ranked.

    Attributes:
        boundary: What they include.
        label: How they were come by.
        granularity: `trial`, or `batch`.
        basis: Whether the idle part is off; None where nothing is known.
    """

    boundary: Boundary
    label: Label
    granularity: str
    basis: Basis | None = None

    def __str__(self) -> str:
        """Returns the words as a heading."""
        text = ", ".join(filter(None, (self.boundary, self.label, self.basis)))
        return text if self.granularity == "trial" else f"{text}, per {self.granularity}"


@frozen(kw_only=True)
class Joules:
    """
    Joules of some trials at one boundary.

    Attributes:
        group: Boundary, label (a sum takes its weakest part's), granularity, and net or gross.
        known_j: The sum of what is known; None where nothing is.
        known: How many trials it holds.
        unknown: How many trials' joules are not known.
        reliable: Whether every part is; shown with `~` where not.
        resolved: How many of the trials in `known_j` resolved their task.
        whys: The reasons given for parts that are unknown or not reliable, and why none is net
            where some are, each once.
        flags: Machine words of the parts, each once.
    """

    group: Group
    known_j: float | None
    known: int
    unknown: int
    reliable: bool
    resolved: int
    whys: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def total_j(self) -> float | None:
        """The whole sum; None unless every trial's joules are known."""
        return None if self.unknown else self.known_j

    @property
    def partial(self) -> bool:
        """Whether the sum holds some trials and lacks others."""
        return self.known > 0 and self.unknown > 0

    @property
    def per_resolved_j(self) -> float | None:
        """
        Joules a resolved task: all joules ÷ resolved, failed trials' joules included.

        Over the known part alone where some are unknown (`partial` says so); None where nothing
        was resolved.
        """
        if self.known_j is None or not self.resolved:
            return None
        return self.known_j / self.resolved

    @property
    def lower_bound_j(self) -> float | None:
        """
        The 95 % lower bound of joules a resolved task, where none was resolved; else None.

        Σe ÷ (N·(1 − 0.05^(1/N))): with N failures in N trials, the chance of resolving is at
        most 1 − 0.05^(1/N) (Clopper and Pearson, 1934).
        """
        if self.resolved:
            return None
        return lower_bound(self.known_j, self.known)


def lower_bound(total: float | None, trials: int) -> float | None:
    """Returns the 95 % lower bound of a total a success, after `trials` failures out of as many."""
    if total is None or not trials:
        return None
    at_most: float = 1 - 0.05 ** (1 / trials)
    return total / (trials * at_most)


def joules_by_boundary(
    trials: Sequence[Trial],
    outcomes: Sequence[bool | None] | None = None,
    *,
    gross: Collection[Boundary] | None = None,
) -> tuple[Joules, ...]:
    """
    Sums trials' joules, one figure a boundary that any of them has.

    Args:
        trials: What ran to an end.
        outcomes: Whether each resolved its task, where that is already known.
        gross: At which boundaries all are taken gross: `Metered.gross` of all that they stand
            beside; where not given, their own.
    """
    judged = [trial.resolved for trial in trials] if outcomes is None else outcomes
    found = metered(trials)
    return sums(found, judged, gross=found.gross if gross is None else gross)


def sums(
    found: Metered, outcomes: Sequence[bool | None], *, gross: Collection[Boundary]
) -> tuple[Joules, ...]:
    """
    Sums what was metered in some trials, one figure a boundary.

    Args:
        found: Their figures.
        outcomes: Whether each resolved its task.
        gross: At which boundaries all are taken gross; it holds at least `found.gross`.
    """
    return tuple(
        _joules(
            boundary,
            found.columns[boundary],
            outcomes,
            basis=Basis.GROSS if boundary in gross else Basis.NET,
        )
        for boundary in sorted(found.columns, key=_BOUNDARIES.__getitem__)
    )


def _joules(
    boundary: Boundary, column: Column, outcomes: Sequence[bool | None], *, basis: Basis
) -> Joules:
    parts = [energy for energy in column if energy is not None]
    told = known(column)
    batch = "batch" in [energy.granularity for energy in parts]
    covered = outcomes if len(told) == len(column) else _covered(column, outcomes)
    made_gross = basis is Basis.GROSS and any_net(told)
    amounts = [gross_of(energy) if made_gross else energy.joules for energy in told]
    whys = [energy.why for energy in parts if energy.why]
    whys += [_IDLE_LACKING] if made_gross else []
    return Joules(
        group=Group(
            boundary=boundary,
            label=_weakest(energy.label for energy in told),
            granularity="batch" if batch else "trial",
            basis=basis if told else None,
        ),
        known_j=sum(filter(None, amounts)) if told else None,
        known=len(covered),
        unknown=len(column) - len(covered),
        reliable=False not in [energy.reliable for energy in told],
        resolved=covered.count(True),
        whys=_each_once(whys),
        flags=_each_once(
            flag for flags in [energy.flags for energy in parts] if flags for flag in flags
        ),
    )


def _covered(column: Column, outcomes: Sequence[bool | None]) -> list[bool | None]:
    """
    Returns the outcomes of the trials whose joules are in the sum.

    A batch's total covers those of its trials that carry no figure of their own and say so.
    """
    total = any(energy is not None and energy.joules is not None for energy in column)
    return [
        outcome
        for energy, outcome in zip(column, outcomes, strict=True)
        if energy is not None
        and (energy.joules is not None or (total and energy.granularity == "batch"))
    ]


def _weakest(labels: Iterable[Label]) -> Label:
    # Equal ones mostly follow one another, and are looked up once.
    return max(
        (label for label, _ in groupby(labels)),
        key=_STRENGTH.__getitem__,
        default=Label.UNAVAILABLE,
    )


_IDLE_LACKING = "idle is not known of all figures, so that it is taken off none"


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def by_group(solvers: Mapping[str, Sequence[Group]]) -> Mapping[Group, tuple[str, ...]]:
    """Returns which solvers have a figure in each group; only within one may they be ranked."""
    found: dict[Group, list[str]] = {}
    for solver, groups in solvers.items():
        for group in groups:
            found.setdefault(group, []).append(solver)
    return {group: tuple(names) for group, names in found.items()}
