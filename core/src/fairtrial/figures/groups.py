"""Sums of joules, and which of them may be ranked together."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from fairtrial.api.reading import Boundary, Label
from fairtrial.figures.basis import Basis
from fairtrial.figures.rates import joules


@frozen(kw_only=True)
class Group:
    """
    What must be alike before two figures of joules may be ranked.

    Attributes:
        boundary: What they include.
        label: How they were come by.
        granularity: `trial`, or `batch`.
        basis: Whether the idle part is off; None where nothing is known, and of remote inference,
            of which nobody knows what was idle.
        parts: The parts of the machine that they cover, where others beside them cover other
            ones; else empty.
        method: How they were estimated, where others beside them were otherwise; else empty.
    """

    boundary: Boundary
    label: Label
    granularity: str
    basis: Basis | None = None
    parts: tuple[str, ...] = ()
    method: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Returns the words as a heading."""
        per = "" if self.granularity == "trial" else f"per {self.granularity}"
        of = f"of {listed(self.parts)}" if self.parts else ""
        by = f"by {listed(self.method)}" if self.method else ""
        return ", ".join(filter(None, (self.boundary, self.label, self.basis, per, of, by)))


@frozen(kw_only=True)
class Joules:
    """
    Joules of some trials at one boundary.

    Attributes:
        group: Boundary, label (a sum takes its weakest part's), granularity, and net or gross.
        known_j: The sum of what is known; None where nothing is.
        low_j: The sum of the lower ends of estimates; None where any has no range.
        high_j: The sum of the upper ends; None likewise. The range is no confidence interval.
        known: How many trials it holds.
        unknown: How many trials' joules are not known.
        reliable: Whether every part is, and there is no doubt about the sum; shown with `~` where
            not.
        resolved: How many of the trials in `known_j` resolved their task.
        tasks: How many tasks all the trials, known or not, are attempts at.
        coverage: The parts of the machine that it holds.
        methods: How its estimates of this machine were made, such as `tdp-model, 15 W`; one that
            assumes another power is another method.
        significant: Whether net joules are above twice their uncertainty; None where they are
            gross, or their uncertainty is not known.
        doubt: Why the sum may not be ranked although its parts may; empty where it may.
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
    tasks: int
    low_j: float | None = None
    high_j: float | None = None
    coverage: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    significant: bool | None = None
    doubt: str = ""
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
        """The 95 % lower bound of joules a resolved task, where none was resolved; else None."""
        if self.resolved:
            return None
        # At most so many tasks have no trial whose joules are known.
        return lower_bound(self.known_j, self.known, max(1, self.tasks - self.unknown))


def lower_bound(total: float | None, trials: int, tasks: int) -> float | None:
    """
    Returns the 95 % lower bound of a total a success, where all trials failed.

    Σe ÷ (N·(1 − 0.05^(1/T))) for N trials at T tasks: the chance of resolving is at most
    1 − 0.05^(1/T) (Clopper and Pearson, 1934), since rollouts that all fail tell no more than one
    trial a task.
    """
    if total is None or not trials:
        return None
    at_most: float = 1 - 0.05 ** (1 / tasks)
    return total / (trials * at_most)


def range_of(figure: Joules) -> str:
    """Returns how far estimates differ, ` (range 110 to 440)`; empty where nobody knows."""
    if figure.low_j is None or figure.high_j is None:
        return ""
    return f" (range {joules(figure.low_j)} to {joules(figure.high_j)})"


def listed(parts: Sequence[str]) -> str:
    """Returns parts of a machine in words: `dram0 and pkg0`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def told_apart(solvers: Sequence[tuple[Joules, ...]]) -> list[tuple[Joules, ...]]:
    """
    Returns the same sums, those apart that would be of one group and are not alike.

    That is where they cover different parts of the machine, or were estimated differently.
    """
    covers: dict[Group, set[tuple[str, ...]]] = {}
    methods: dict[Group, set[tuple[str, ...]]] = {}
    for figure in (figure for figures in solvers for figure in figures if figure.known):
        for found, what in ((covers, figure.coverage), (methods, figure.methods)):
            if what:
                found.setdefault(figure.group, set()).add(what)

    def apart(figure: Joules) -> Joules:
        group = figure.group
        if len(covers.get(group, ())) > 1:
            figure = evolve(figure, group=evolve(figure.group, parts=figure.coverage))
        if len(methods.get(group, ())) > 1:
            figure = evolve(figure, group=evolve(figure.group, method=figure.methods))
        return figure

    return [tuple(map(apart, figures)) for figures in solvers]


def by_group(solvers: Mapping[str, Sequence[Group]]) -> Mapping[Group, tuple[str, ...]]:
    """Returns which solvers have a figure in each group; only within one may they be ranked."""
    found: dict[Group, list[str]] = {}
    for solver, groups in solvers.items():
        for group in groups:
            found.setdefault(group, []).append(solver)
    return {group: tuple(names) for group, names in found.items()}
