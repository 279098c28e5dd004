"""What the marks in the tables mean, said only where one was used, and what spoils a headline."""

from collections.abc import Iterator

from fairtrial.api import Label
from fairtrial.figures.frontier import Frontier, Point, joule_whys
from fairtrial.figures.markdown import cell


def notes(found: Frontier, tables: str) -> str:
    """
    Returns the notes as a list.

    Args:
        found: The frontier.
        tables: The text of the tables, in which marks are looked for.
    """
    lines = [
        *_refusals(found),
        *_words(found),
        *_marks(tables),
        *_energies(found),
        *_dollars(found),
    ]
    return "".join(f"- {line}\n" for line in lines)


def _refusals(found: Frontier) -> Iterator[str]:
    for point in found.points:
        if point.refusal:
            yield f"{cell(point.solver)}: {point.refusal}."


def _words(found: Frontier) -> Iterator[str]:
    known = [part for point in found.points for part in point.energies if part.joules.known]
    if any(part.joules.group.label is Label.ESTIMATOR for part in known):
        yield (
            "estimator: joules worked out, not counted: watts times seconds, a share by CPU time,"
            " or a sum over tokens."
        )
    fronts = [point.cost.on_front for point in found.points]
    fronts += [part.on_front for part in known]
    if True in fronts:
        yield (
            "Front: the axes on which no other solver is at least as good in both respects and"
            " better in one."
        )


def _marks(tables: str) -> Iterator[str]:
    if "–" in tables:
        yield "`–`: not measured, not known or not defined; never zero."
    if "~" in tables:
        yield "`~`: joules below the meter's floor, in the noise of idle, summed of unlike ones, or flagged; not ranked."
    if "≥" in tables:
        yield "`≥`: a sum of which some parts are unknown; not ranked."
    if "(> " in tables:
        yield "`–` with `>`: nothing was resolved; the 95 % lower bound of the true figure."
    if "(range " in tables:
        yield (
            "range: from the lowest to the highest method of an estimate, no confidence interval;"
            " the interval beside J/resolved tells how much tasks differ, and nothing of that."
        )
    if "partial" in tables:
        yield "partial: over the trials whose joules are known only."
    if "unbounded" in tables:
        yield "unbounded: in over 2.5 % of the resamples nothing was resolved."


def _energies(found: Frontier) -> Iterator[str]:
    solvers: dict[str, list[str]] = {}
    for point in found.points:
        for why in joule_whys(point):
            solvers.setdefault(why, []).append(cell(point.solver))
    for why, names in solvers.items():
        yield f"{', '.join(names)}, joules: {cell(why, limit=160)}"


def _dollars(found: Frontier) -> Iterator[str]:
    if any(_both(point) for point in found.points):
        yield "Dollars are the gateway's (metered); what the agent told of itself stands beside."


def _both(point: Point) -> bool:
    spent = point.cost.spending
    return spent.metered_usd is not None and spent.reported_usd is not None
