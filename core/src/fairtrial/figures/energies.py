"""
Joules: sums of trials' figures at one boundary, and joules a resolved task.

A `batch` figure holds what several trials of one solver used together: one of them carries the
total, the others carry None, and only the sum means anything.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Trial

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
    """

    boundary: Boundary
    label: Label
    granularity: str

    def __str__(self) -> str:
        """Returns the three words as a heading."""
        text = f"{self.boundary}, {self.label}"
        return text if self.granularity == "trial" else f"{text}, per {self.granularity}"


@frozen(kw_only=True)
class Joules:
    """
    Joules of some trials at one boundary.

    Attributes:
        group: Boundary, label (a sum takes its weakest part's) and granularity.
        known_j: The sum of what is known; None where nothing is.
        known: How many trials it holds.
        unknown: How many trials' joules are not known.
        reliable: Whether every part is; shown with `~` where not.
        resolved: How many of the trials in `known_j` resolved their task.
        whys: The reasons given for parts that are unknown or not reliable, each once.
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
    trials: Sequence[Trial], outcomes: Sequence[bool | None] | None = None
) -> tuple[Joules, ...]:
    """
    Sums trials' joules, one figure a boundary that any of them has.

    Args:
        trials: What ran to an end.
        outcomes: Whether each resolved its task, where that is already known.
    """
    judged = [trial.resolved for trial in trials] if outcomes is None else outcomes
    found: dict[Boundary, list[tuple[Energy, bool | None]]] = {}
    for trial, outcome in zip(trials, judged, strict=True):
        for energy in trial.energy:
            found.setdefault(energy.boundary, []).append((energy, outcome))
    return tuple(
        _joules(boundary, found[boundary], len(trials))
        for boundary in sorted(found, key=_BOUNDARIES.__getitem__)
    )


def _joules(
    boundary: Boundary, parts: Sequence[tuple[Energy, bool | None]], trials: int
) -> Joules:
    known = [energy for energy, _ in parts if energy.joules is not None]
    batch = "batch" in {energy.granularity for energy, _ in parts}
    # A batch's total covers those of its trials that carry no figure of their own and say so.
    covered = [
        outcome
        for energy, outcome in parts
        if energy.joules is not None or (known and energy.granularity == "batch")
    ]
    labels = {energy.label for energy in known}
    return Joules(
        group=Group(
            boundary=boundary,
            label=max(labels, key=_STRENGTH.__getitem__, default=Label.UNAVAILABLE),
            granularity="batch" if batch else "trial",
        ),
        known_j=sum([energy.joules or 0.0 for energy in known]) if known else None,
        known=len(covered),
        unknown=trials - len(covered),
        reliable=all(energy.reliable for energy in known),
        resolved=covered.count(True),
        whys=_each_once(energy.why for energy, _ in parts if energy.why),
        flags=_each_once(flag for energy, _ in parts if energy.flags for flag in energy.flags),
    )


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def joules_of(trial: Trial, boundary: Boundary) -> float | None:
    """Returns one trial's own joules at a boundary; None where it has none."""
    for part in trial.energy:
        if part.boundary is boundary:
            return part.joules
    return None


def by_group(solvers: Mapping[str, Sequence[Group]]) -> Mapping[Group, tuple[str, ...]]:
    """Returns which solvers have a figure in each group; only within one may they be ranked."""
    found: dict[Group, list[str]] = {}
    for solver, groups in solvers.items():
        for group in groups:
            found.setdefault(group, []).append(solver)
    return {group: tuple(names) for group, names in found.items()}
