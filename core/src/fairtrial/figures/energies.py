"""
Joules: sums of trials' figures at one boundary, and joules a resolved task.

A `batch` figure holds what several trials of one solver used together: one of them carries the
total, the others carry None, and only the sum means anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Trial
from fairtrial.figures.basis import (
    Basis,
    Column,
    Metered,
    any_net,
    gross_at,
    gross_of,
    known,
    metered,
)
from fairtrial.figures.groups import Group, Joules, listed

_STRENGTH = {label: rank for rank, label in enumerate(Label)}
_BOUNDARIES = {boundary: rank for rank, boundary in enumerate(Boundary)}


def joules_by_boundary(
    trials: Sequence[Trial],
    outcomes: Sequence[bool | None] | None = None,
    *,
    gross: Mapping[Boundary, str] | None = None,
) -> tuple[Joules, ...]:
    """
    Sums trials' joules, one figure a boundary that any of them has.

    Args:
        trials: What ran to an end.
        outcomes: Whether each resolved its task, where that is already known.
        gross: At which boundaries all are taken gross, and why: `gross_at` of all that they stand
            beside; where not given, of themselves.
    """
    judged = [trial.resolved for trial in trials] if outcomes is None else outcomes
    found = metered(trials)
    tasks = len({trial.task for trial in trials})
    return sums(found, judged, tasks=tasks, gross=gross_at(found) if gross is None else gross)


def sums(
    found: Metered,
    outcomes: Sequence[bool | None],
    *,
    tasks: int,
    gross: Mapping[Boundary, str],
) -> tuple[Joules, ...]:
    """
    Sums what was metered in some trials, one figure a boundary.

    Args:
        found: Their figures.
        outcomes: Whether each resolved its task.
        tasks: How many tasks they are attempts at.
        gross: At which boundaries all are taken gross, and why; it holds at least those of
            `gross_at(found)`.
    """
    return tuple(
        _joules(
            boundary,
            found.columns[boundary],
            outcomes,
            tasks=tasks,
            why_gross=gross.get(boundary, ""),
        )
        for boundary in sorted(found.columns, key=_BOUNDARIES.__getitem__)
    )


def _joules(
    boundary: Boundary,
    column: Column,
    outcomes: Sequence[bool | None],
    *,
    tasks: int,
    why_gross: str,
) -> Joules:
    basis = Basis.GROSS if why_gross else Basis.NET
    told = known(column)
    complete = len(told) == len(column)
    parts = told if complete else [energy for energy in column if energy is not None]
    batch = "batch" in [energy.granularity for energy in parts]
    covered = outcomes if complete else _covered(column, outcomes)
    made_gross = basis is Basis.GROSS and any_net(told)
    amounts = list(map(gross_of, told)) if made_gross else [energy.joules for energy in told]
    label = _weakest([energy.label for energy in told])
    estimates = told if label is Label.ESTIMATOR else []
    covers = _covers(told)
    significant = _significant(told) if basis is Basis.NET else None
    methods = () if boundary is Boundary.REMOTE else _methods(estimates)
    doubts = [
        f"{_UNLIKE}: {', or '.join(map(listed, covers))}" if len(covers) > 1 else "",
        f"{_BY_OTHERS}: {', or '.join(methods)}" if len(methods) > 1 else "",
        _IN_THE_NOISE if significant is False else "",
    ]
    doubt = "; ".join(filter(None, doubts))
    whys = [doubt] if doubt else []
    told_of = dict.fromkeys(energy.why for energy in parts if energy.why)
    whys += [sentence for why in told_of for sentence in why.split("; ")]
    whys += [f"{why_gross}, so that it is taken off none"] if made_gross else []
    return Joules(
        group=Group(
            boundary=boundary,
            label=label,
            granularity="batch" if batch else "trial",
            basis=basis if told and boundary is not Boundary.REMOTE else None,
        ),
        known_j=sum(filter(None, amounts)) if told else None,
        known=len(covered),
        unknown=len(column) - len(covered),
        low_j=_all([energy.low_j for energy in estimates]),
        high_j=_all([energy.high_j for energy in estimates]),
        reliable=not doubt and False not in [energy.reliable for energy in told],
        resolved=covered.count(True),
        tasks=tasks,
        coverage=tuple(sorted(frozenset[str]().union(*covers))),
        methods=methods,
        significant=significant,
        doubt=doubt,
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


def _all(ends: Sequence[float | None]) -> float | None:
    """Returns the sum of values that are all known; None where any isn't."""
    return sum(filter(None, ends)) if ends and None not in ends else None


def _methods(figures: Sequence[Energy]) -> tuple[str, ...]:
    """Returns how figures were come by that are an estimate together, in the same order for all."""
    guessed = {energy.sensor for energy in figures if energy.label is Label.ESTIMATOR}
    counted = {energy.sensor for energy in figures if energy.label is not Label.ESTIMATOR}
    # A share of what a counter tells and all of it, as of an attempt that was alone, are of one kind.
    return tuple(sorted((guessed if guessed <= {_SHARE} else guessed | counted) - {""}))


def _covers(figures: Sequence[Energy]) -> list[tuple[str, ...]]:
    """Returns what figures cover, each set of parts once; those that don't say count as none."""
    found = dict.fromkeys(parts for parts, _ in groupby([energy.coverage for energy in figures]))
    return [parts for parts in found if parts]


def _significant(figures: Sequence[Energy]) -> bool | None:
    """
    Returns whether the sum of net joules is above twice its uncertainty; None where not known.

    What is wrong with a counter's gain or with an idle power is wrong in all windows alike, so
    that uncertainties add up, and don't cancel out.
    """
    uncertain = [energy.uncertainty_j for energy in figures]
    if figures and None not in uncertain:
        net_j = sum(filter(None, [energy.joules for energy in figures]))
        return net_j > 2 * sum(filter(None, uncertain))
    return False if {energy.significant for energy in figures} == {False} else None


_SHARE = "cpu-share"
"""The sensor of joules that were counted, and shared out by CPU time."""

_IN_THE_NOISE = "net of idle they are not above twice their uncertainty"
_UNLIKE = "the attempts cover different parts of the machine"
_BY_OTHERS = "the attempts' joules were estimated differently"


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
