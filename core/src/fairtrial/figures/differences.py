"""How large a difference between two sides is, and how sure: paired over the same tasks."""

import math
from collections.abc import Sequence

from attrs import evolve, frozen

from fairtrial.api.reading import Boundary
from fairtrial.api.record import Trial
from fairtrial.figures.basis import gross_at, metered
from fairtrial.figures.draws import Row, resampled_sums
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.groups import Group, Joules, listed
from fairtrial.figures.intervals import Interval, quantiles
from fairtrial.figures.spending import cost_of, spending

_MOST_UNDEFINED = 0.025


@frozen(kw_only=True)
class Difference:
    """
    One difference, over the tasks that both sides were judged on.

    Attributes:
        of: What is compared: `resolution`, `cost-per-resolved`, or `joules-per-resolved`.
        boundary: What the joules include; None for the others.
        kind: `difference` (after − before, in shares) or `ratio` (after ÷ before).
        value: The figure; None where it can't be made, with the reason in `why`.
        interval: Its 95 % interval, from a paired bootstrap over tasks; for a ratio, of its
            logarithm. None where there is none, with the reason in `why`.
        tasks: Over how many tasks.
        why: Why there is no figure, or no interval of it.
        group: What kind of joules both sides' are; None for the others, and where they differ.
    """

    of: str
    kind: str
    value: float | None
    interval: Interval | None
    tasks: int
    boundary: Boundary | None = None
    why: str = ""
    group: Group | None = None


@frozen(kw_only=True)
class Sides:
    """
    The trials of two sides, task by task; only tasks that both were judged on.

    Attributes:
        before: One list a task.
        after: The same tasks, in the same order.
    """

    before: tuple[tuple[Trial, ...], ...]
    after: tuple[tuple[Trial, ...], ...]

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials of both."""
        return (*_flat(self.before), *_flat(self.after))


def differences(sides: Sides, *, resamples: int, seed: int) -> tuple[Difference, ...]:
    """
    Returns the differences of resolution, of dollars and of joules a resolved task.

    All come from one set of resamples, in which tasks are drawn with both their sides together.
    """
    if not sides.before:
        return ()
    ratios = (_cost(sides), *_energies(sides))
    columns = [column for found in ratios if not found.why for column in found.columns]
    rows = [
        (*head, *tail)
        for head, tail in zip(
            _outcomes(sides),
            zip(*columns, strict=True) if columns else [()] * len(sides.before),
            strict=True,
        )
    ]
    sums = list(resampled_sums(rows, kind=_kind, resamples=resamples, seed=seed))
    made = [_resolution(rows, sums)]
    place = _FIRST
    for found in ratios:
        if found.why:
            made.append(found.without(len(rows)))
        else:
            made.append(found.ratio(rows, sums, place))
            place += 2
    return tuple(made)


_LONE = "one task says nothing of how much others would differ"
_OPEN = "too few tasks were resolved on both sides to bound it"

_FIRST = 4
"""Columns before the first pair of sizes: share and count resolved, before and after."""


def _kind(row: Row) -> tuple[bool, bool]:
    return row[2] > 0, row[3] > 0


def _outcomes(sides: Sides) -> list[Row]:
    """Returns, for each task: share resolved before and after, count before and after."""
    rows: list[Row] = []
    for before, after in zip(sides.before, sides.after, strict=True):
        left, right = _judged(before), _judged(after)
        rows.append(
            (sum(left) / len(left), sum(right) / len(right), float(sum(left)), float(sum(right)))
        )
    return rows


def _judged(trials: Sequence[Trial]) -> list[bool]:
    return [outcome for outcome in (trial.resolved for trial in trials) if outcome is not None]


def _resolution(rows: Sequence[Row], sums: Sequence[Row]) -> Difference:
    size = len(rows)
    lone = size == 1
    return Difference(
        of="resolution",
        kind="difference",
        value=sum(row[1] - row[0] for row in rows) / size,
        interval=None
        if lone
        else quantiles(
            [(total[1] - total[0]) / size for total in sums], method="paired-bootstrap"
        ),
        tasks=size,
        why=_LONE if lone else "",
    )


@frozen(kw_only=True)
class _Ratio:
    of: str
    boundary: Boundary | None = None
    group: Group | None = None
    columns: tuple[Sequence[float], ...] = ()
    why: str = ""

    def without(self, tasks: int) -> Difference:
        return Difference(
            of=self.of,
            kind="ratio",
            value=None,
            interval=None,
            tasks=tasks,
            boundary=self.boundary,
            why=self.why,
            group=self.group,
        )

    def ratio(self, rows: Sequence[Row], sums: Sequence[Row], place: int) -> Difference:
        log = _log_ratio(tuple(map(math.fsum, zip(*rows, strict=True))), place)
        if log is None or not math.isfinite(log):
            return evolve(self, why="a side resolved or used nothing").without(len(rows))
        lone = len(rows) == 1
        interval = None if lone else _exponential([_log_ratio(total, place) for total in sums])
        return Difference(
            of=self.of,
            kind="ratio",
            value=math.exp(log),
            interval=interval,
            tasks=len(rows),
            boundary=self.boundary,
            why=_LONE if lone else "" if interval else _OPEN,
            group=self.group,
        )


def _log_ratio(total: Row, place: int) -> float | None:
    """Returns log(after ÷ before) of size a resolved task; ±∞ where a side resolved nothing."""
    resolved_before, resolved_after = total[2] > 0, total[3] > 0
    before, after = total[place], total[place + 1]
    if before <= 0 or after <= 0 or not (resolved_before or resolved_after):
        return None
    if not resolved_after:
        return math.inf
    if not resolved_before:
        return -math.inf
    return math.log(after / total[3]) - math.log(before / total[2])


def _exponential(logs: Sequence[float | None]) -> Interval | None:
    """Returns the interval of a ratio; None where it has no end on either side."""
    known = [log for log in logs if log is not None]
    if len(logs) - len(known) > _MOST_UNDEFINED * len(logs):
        return None
    found = quantiles(known, method="paired-bootstrap")
    if found is None or (found.low is None and found.high is None):
        return None
    return Interval(
        low=None if found.low is None else math.exp(found.low),
        high=None if found.high is None else math.exp(found.high),
        method=found.method,
    )


def _flat(groups: Sequence[Sequence[Trial]]) -> list[Trial]:
    return [trial for trials in groups for trial in trials]


def _cost(sides: Sides) -> _Ratio:
    of = "cost-per-resolved"
    before, after = spending(_flat(sides.before)), spending(_flat(sides.after))
    if before.total_usd is None or after.total_usd is None:
        return _Ratio(of=of, why="the dollars of some trials are not known")
    if before.source is not after.source:
        return _Ratio(of=of, why=f"dollars are {before.source} before and {after.source} after")
    columns = tuple(
        [sum(cost_of(trial) or 0.0 for trial in trials) for trials in side]
        for side in (sides.before, sides.after)
    )
    return _Ratio(of=of, columns=columns)


def _energies(sides: Sides) -> tuple[_Ratio, ...]:
    gross = gross_at(metered(sides.trials))
    before, after = (
        {part.group.boundary: part for part in joules_by_boundary(_flat(side), gross=gross)}
        for side in (sides.before, sides.after)
    )
    return tuple(
        _energy(sides, boundary, before.get(boundary), after.get(boundary))
        for boundary in dict.fromkeys((*before, *after))
    )


def _energy(
    sides: Sides, boundary: Boundary, before: Joules | None, after: Joules | None
) -> _Ratio:
    why = _incomparable(before, after)
    if why or before is None:
        return _Ratio(of="joules-per-resolved", boundary=boundary, why=why)
    basis = before.group.basis
    columns = tuple(
        [sum(filter(None, metered(trials).joules(boundary, basis))) for trials in side]
        for side in (sides.before, sides.after)
    )
    return _Ratio(of="joules-per-resolved", boundary=boundary, group=before.group, columns=columns)


def _incomparable(before: Joules | None, after: Joules | None) -> str:
    if before is None or after is None or before.total_j is None or after.total_j is None:
        return "the joules of some trials are not known"
    unlike = _unlike(before, after)
    if unlike:
        return unlike
    if before.group.granularity != "trial":
        return "joules are known for whole batches only"
    if before.reliable and after.reliable:
        return ""
    return _in_doubt(after if before.reliable else before)


def _unlike(before: Joules, after: Joules) -> str:
    """Says in what two sums differ that may not be compared then; empty where in nothing."""
    if before.group != after.group:
        return f"joules are {before.group} before and {after.group} after"
    covered = (before.coverage, after.coverage)
    if all(covered) and before.coverage != after.coverage:
        return f"joules are of {' before and of '.join(map(listed, covered))} after"
    methods = [", or ".join(each.methods) for each in (before, after)]
    if all(methods) and methods[0] != methods[1]:
        return f"joules are estimated by {' before and by '.join(methods)} after"
    return ""


def _in_doubt(side: Joules) -> str:
    if side.doubt:
        return f"{side.doubt} (~)"
    whys = "; ".join(side.whys)
    return f"some joules may not be ranked (~){': ' * bool(whys)}{whys}"


def cautions_of_joules(sides: Sides, found: Sequence[Difference]) -> tuple[str, ...]:
    """
    Returns what is to be known of joules that are compared, in sentences without a full stop.

    Args:
        sides: The trials.
        found: Their differences.
    """
    compared = {difference.boundary for difference in found if difference.group is not None}
    every = metered(sides.trials)
    gross = gross_at(every)
    return tuple(
        f"joules ({boundary}) are compared gross, since {gross[boundary]}"
        for boundary in Boundary
        if boundary in compared & gross.keys() & every.net
    )
