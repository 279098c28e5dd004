"""The section of best of k: what several attempts bring, and what they cost, as curves."""

from collections.abc import Collection, Mapping, Sequence

from fairtrial.api.record import RunRecord
from fairtrial.figures.groups import Group
from fairtrial.figures.rates import DASH, percent
from fairtrial.figures.rollouts import BestOf, Curve, curves, joules_to_a_success
from fairtrial.figures.tally import Tally

from fairtrial_reporter_html import cells
from fairtrial_reporter_html.markup import (
    NOTHING,
    Html,
    behind,
    element,
    join,
    name,
    paragraph,
    table,
    text,
    told_together,
)
from fairtrial_reporter_html.prices import APART
from fairtrial_reporter_html.scales import drawable
from fairtrial_reporter_html.shapes import Look
from fairtrial_reporter_html.solvers import CELL_LIMIT, WHY_LIMIT
from fairtrial_reporter_html.steps import DOLLARS, JOULES, SHARES, Series, Step, plot, some

MOST_ROLLOUTS = 100
"""Up to so many rollouts curves are drawn."""


def best_of_k(
    key: str, record: RunRecord, arms: Sequence[Tally], look: Mapping[str, Look]
) -> Html:
    """
    Returns the curves of the agents; empty for a run with one rollout.

    Args:
        key: What the ids of the plots begin with.
        record: The run.
        arms: Its tallies.
        look: How each solver is drawn.
    """
    if record.rollouts == 1:
        return NOTHING
    if record.rollouts > MOST_ROLLOUTS:
        # What a curve takes grows with the square of its length.
        words = f"Not drawn for {record.rollouts} rollouts; up to {MOST_ROLLOUTS} are."
        return paragraph(text(words), kind="note")
    found = curves(record, [tally for tally in arms if not tally.control])
    shown = [curve for curve in found if len(curve.points) > 1]
    if not shown:
        return NOTHING
    said = paragraph(
        text(
            "Any of the first k attempts resolved the task. The best one is picked by the checks"
            " themselves (selection = oracle), so each curve is an upper bound."
        )
    )
    joules = _joules(key, shown, look)
    plots = [
        plot(f"{key}-share", "Tasks resolved by any of k", _shares(shown, look), SHARES),
        plot(f"{key}-usd", "Dollars of all k attempts", _dollars(shown, look), DOLLARS),
        *joules,
    ]
    apart = paragraph(text(APART), kind="note") if len(joules) > 1 else NOTHING
    return join(
        (said, apart, element("div", *plots, class_="pair"), _notes(shown), _figures(shown))
    )


def _shares(found: Sequence[Curve], look: Mapping[str, Look]) -> list[Series]:
    return [
        _series(curve, look, [(point.resolution, False) for point in curve.points])
        for curve in found
    ]


def _dollars(found: Sequence[Curve], look: Mapping[str, Look]) -> list[Series]:
    return [
        _series(curve, look, [(point.cost.total_usd, False) for point in curve.points])
        for curve in found
    ]


def _joules(key: str, found: Sequence[Curve], look: Mapping[str, Look]) -> list[Html]:
    """Returns a plot for each kind of joules, since no two of them may stand on one axis."""
    kinds = {curve.solver: _kinds(curve) for curve in found}
    groups = dict.fromkeys(group for mine in kinds.values() for group in mine)
    plots = []
    for place, group in enumerate(groups):
        series = [
            _series(
                curve,
                look,
                _in_kind(curve, group),
                others=_others(kinds[curve.solver], group),
            )
            for curve in found
        ]
        plots.append(
            plot(f"{key}-j{place}", f"Joules of all k attempts ({group})", series, JOULES)
        )
    return plots


def _kinds(curve: Curve) -> tuple[Group, ...]:
    known = (
        figure.group
        for point in curve.points
        for figure in point.energies
        if figure.known_j is not None
    )
    return tuple(dict.fromkeys(known))


def _others(kinds: Sequence[Group], group: Group) -> list[Group]:
    """Returns what stands in other plots instead of joules of this kind, not beside them."""
    return [
        kind
        for kind in kinds
        if kind != group and (kind.boundary is group.boundary or group not in kinds)
    ]


def _in_kind(curve: Curve, group: Group) -> list[tuple[float | None, bool]]:
    found = (
        next((figure for figure in point.energies if figure.group == group), None)
        for point in curve.points
    )
    return [
        (None, False) if figure is None else (figure.total_j, not figure.reliable)
        for figure in found
    ]


def _series(
    curve: Curve,
    look: Mapping[str, Look],
    values: Sequence[tuple[float | None, bool]],
    others: Collection[Group] = (),
) -> Series:
    """
    Returns a curve as it is drawn.

    Args:
        curve: The solver's.
        look: How each solver is drawn.
        values: The value at each k, and whether it is in doubt.
        others: Kinds of joules that stand in other plots instead.
    """
    steps = tuple(
        Step(k=point.k, value=value, weak=weak)
        for point, (value, weak) in zip(curve.points, values, strict=True)
        if value is not None and drawable(value)
    )
    said = ""
    if len(steps) < len(values):
        known = sum(value is not None for value, _ in values)
        how = f"drawn for {len(steps)} of {len(values)} k, otherwise" if steps else "not drawn;"
        said = f"{how} {_why_none(others, fits=known == len(steps))}"
    return Series(name=curve.solver, look=look[curve.solver], steps=steps, said=said)


def _why_none(others: Collection[Group], *, fits: bool) -> str:
    if not fits:
        return "a figure too large or too small to draw"
    if others:
        return f"joules of another kind ({'; '.join(map(str, others))})"
    return "not all of it is known"


def _notes(found: Sequence[Curve]) -> Html:
    said = []
    for curve in found:
        last = curve.points[-1]
        if curve.refusal:
            said.append((curve.solver, f"{curve.refusal}."))
        if curve.flat:
            said.append((curve.solver, f"{last.k} attempts resolved no more tasks than one did."))
        if (last.k, last.tasks) != (curve.rollouts, curve.planned_tasks):
            part = (
                f"{last.tasks} of {curve.planned_tasks} tasks were attempted; k goes to {last.k} of"
                f" {curve.rollouts}, as far as there are attempts at each of those."
            )
            said.append((curve.solver, part))
    return told_together(said, limit=WHY_LIMIT, kind="note")


def _figures(found: Sequence[Curve]) -> Html:
    rows = [_row(curve, point) for curve in found for point in some(curve.points)]
    return behind("Figures of these plots", table("Best of k", _HEADINGS, rows, right="lrrrrrrr"))


_HEADINGS = (
    "Solver",
    "k",
    "Resolved by any of k",
    "pass@k",
    "Dollars so far",
    "Dollars to a success",
    "Joules so far",
    "Joules to a success",
)


def _row(curve: Curve, point: BestOf) -> list[Html]:
    pass_at_k = percent(point.pass_at_k)
    if point.pass_at_k is not None and point.pass_at_k_tasks < point.tasks:
        pass_at_k += f" ({point.pass_at_k_tasks} tasks)"
    joules = [
        f"{cells.total_joules(figure)} {figure.group}"
        for figure in point.energies
        if figure.known_j is not None
    ]
    return [
        name(curve.solver, limit=CELL_LIMIT),
        text(str(point.k)),
        text(f"{percent(point.resolution)} ({point.resolved}/{point.tasks})"),
        text(pass_at_k),
        text(cells.total_dollars(point.cost)),
        text(cells.dollars(None if point.stopping is None else point.stopping.cost_usd)),
        text("; ".join(joules) or DASH),
        text(joules_to_a_success(point, in_full=True)),
    ]
