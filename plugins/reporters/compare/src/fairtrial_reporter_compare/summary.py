"""The lines around the table: sums of both sides, flips, and what may be chance."""

from collections.abc import Callable, Iterator, Sequence

from fairtrial.api.reading import Label
from fairtrial.figures.compare import Comparison
from fairtrial.figures.differences import Difference
from fairtrial.figures.markdown import cell
from fairtrial.figures.power import Power
from fairtrial.figures.rates import (
    DASH,
    amount,
    at_least,
    counted,
    money,
    percent,
    seconds,
)
from fairtrial.figures.repeats import Repeated, Spread
from fairtrial.figures.side import Side
from fairtrial.figures.spending import told_beside
from fairtrial.figures.tokens import TokenSum

ONE_SAMPLE = "One run of one task is one sample: a single flip may be chance."
SIGNIFICANT = 0.05


def head_lines(found: Comparison) -> Iterator[str]:
    """Yields the sentences before the table."""
    yield (
        f"Passed {_both(found, _passed)}, total cost {_both(found, _cost)},"
        f" questions {_both(found, _questions)}."
    )
    before, after = found.before.honesty, found.after.honesty
    if before.audited and after.audited:
        yield (
            f"Clean resolved {_both(found, _clean)},"
            f" clean rate {percent(before.clean_rate)} → {percent(after.clean_rate)},"
            f" gap {percent(before.gap)} → {percent(after.gap)}."
        )
    if found.before.scored or found.after.scored:
        yield f"Held-out: {_both(found, _heldout)}."
    tokens = _tokens(found)
    if tokens:
        yield f"Tokens: {tokens}."
    if found.before.attempts != found.after.attempts:
        yield _per_attempt(found)


def _both(found: Comparison, show: Callable[[Side], str]) -> str:
    return f"{show(found.before)} → {show(found.after)}"


def _per_attempt(found: Comparison) -> str:
    """Says that sums are of unlike numbers of attempts, and what one attempt took."""
    of = f"The sums are of {_both(found, lambda side: counted(side.attempts, 'attempt'))}."
    tasks = found.chance.tasks
    if not tasks:
        return of
    where = "task that was" if tasks == 1 else f"{tasks} tasks that were"
    return (
        f"{of} Per attempt at the {where} judged on both sides:"
        f" cost {_both(found, lambda side: money(side.per_attempt.cost_usd))},"
        f" worked {_both(found, lambda side: seconds(side.per_attempt.worked_s))},"
        f" questions {_both(found, lambda side: amount(side.per_attempt.questions))}."
    )


def _passed(side: Side) -> str:
    counts = side.counts
    told = [f"{counts.resolved}/{counts.planned}"]
    silent = {
        "infra": counts.infra,
        "skipped": counts.skipped,
        "unfinished": counts.unfinished,
    }
    kinds = [f"{count} {kind}" for kind, count in silent.items() if count]
    if side.refusal:
        return f"{DASH} ({', '.join(told + kinds)})"
    return f"{told[0]} ({', '.join(kinds)})" if kinds else told[0]


def _cost(side: Side) -> str:
    spent = side.cost
    if spent.known_usd is None:
        return DASH
    text = at_least(money(spent.known_usd), spent.unknown)
    told = told_beside(spent)
    return f"{text} ({spent.source}, {told})" if told else f"{text} ({spent.source})"


def _questions(side: Side) -> str:
    if side.questions is None:
        return DASH
    return at_least(str(side.questions), side.questions_unknown)


def _clean(side: Side) -> str:
    told = f"{side.honesty.clean_resolved}/{side.honesty.planned}"
    return f"{DASH} ({told})" if side.refusal else told


def _heldout(side: Side) -> str:
    if not side.scored:
        return "no held-out suite scored"
    version = DASH if side.heldout_version is None else cell(f"v{side.heldout_version}")
    return f"{version}, widest family gap {percent(side.honesty.widest)}"


def _tokens(found: Comparison) -> str:
    parts = [
        f"{before.bucket} {before} → {after}"
        for before, after in zip(found.before.tokens, found.after.tokens, strict=True)
        if _any(before, after)
    ]
    return ", ".join(parts)


def _any(before: TokenSum, after: TokenSum) -> bool:
    return (before.known or 0) + (after.known or 0) > 0


def warning_lines(found: Comparison) -> Iterator[str]:
    """Yields what is not comparable, as list items."""
    for warning in found.warnings:
        yield f"- warning: {cell(warning)}"


def flip_lines(found: Comparison, max_rows: int) -> Iterator[str]:
    """Yields what to act on, worst first, as list items."""
    flips = sorted(found.flips, key=lambda flip: not flip.worse)
    for flip in flips[:max_rows]:
        mark = "worse" if flip.worse else "other" if "questions" in flip.kind else "better"
        yield f"- {mark}: {cell(flip.subject)} {flip.kind}, {flip.before} → {flip.after}"
    if len(flips) > max_rows:
        yield f"- … and {len(flips) - max_rows} more"
    if not flips:
        yield "- none"


def chance_lines(found: Comparison, comparisons: int) -> Iterator[str]:
    """Yields how large the differences are and whether they may be chance, as list items."""
    chance = found.chance
    p = f"p = {chance.p:.3g}"
    if comparisons > 1:
        p += f", {chance.p_corrected:.3g} after Holm's correction for {comparisons} comparisons"
    said = "hardly chance" if chance.p_corrected < SIGNIFICANT else "may be chance"
    yield (
        f"- {counted(chance.lost, 'task')} lost, {chance.gained} gained of {chance.tasks} judged on both"
        f" sides: {said} (McNemar's exact test, {p})"
    )
    for difference in found.differences:
        yield f"- {_difference(difference)}"


def power_lines(power: Power) -> Iterator[str]:
    """Yields how many tasks would tell the difference from noise, as a list item."""
    if power.needed is None:
        yield "- as many were lost as gained: there is no difference to tell from noise"
        return
    have = counted(power.tasks, "task")
    lacking = (
        f"{power.more} more than the {have} of now: {counted(2 * power.more, 'more trial')} a repeat"
        if power.more
        else f"no more than the {have} of now"
    )
    yield (
        f"- to tell a difference like this one from noise takes about"
        f" {counted(power.needed, 'task')} judged on both sides, {lacking} (paired proportions,"
        f" Connor 1987; α = {power.alpha:g}, power {percent(power.power)}; rough where few tasks"
        " flipped)"
    )


_REPEATED: dict[str, tuple[str, Callable[[float | None], str]]] = {
    "resolved": ("share resolved", percent),
    "cost_usd": ("cost", money),
    "wall_s": ("wall time", seconds),
}


def repeat_lines(repeats: Sequence[Repeated]) -> Iterator[str]:
    """Yields the median of each figure over the repeats and its spread, as list items."""
    for one in repeats:
        name, show = _REPEATED[one.of]
        yield f"- {name}: {_spread(one.before, show)} → {_spread(one.after, show)}"
    for tasks in {one.tasks for one in repeats}:
        yield f"- each repeat is of {counted(tasks, 'task')} judged on both sides"


def _spread(one: Spread, show: Callable[[float | None], str]) -> str:
    if not one.values:
        return DASH
    repeats = counted(len(one.values), "repeat")
    if len(one.values) == 1:
        return f"{show(one.median)} ({repeats})"
    return f"median {show(one.median)} ({show(one.low)} to {show(one.high)}, {repeats})"


def _difference(difference: Difference) -> str:
    name = difference.of.replace("-", " ")
    if difference.boundary is not None:
        name += f" ({difference.group or difference.boundary})"
    if difference.value is None:
        return f"{name}: {DASH} ({cell(difference.why)})"
    if difference.kind == "difference":
        return f"{name}: {_points(difference.value)} points{_span(difference, _points)}"
    return f"{name}: × {_factor(difference.value)}{_span(difference, _factor)}"


def _span(difference: Difference, show: Callable[[float], str]) -> str:
    found, group = difference.interval, difference.group
    of = "95 %"
    if group is not None and group.label is Label.ESTIMATOR:
        of += " over tasks, not of the estimate"
    if found is None:
        return f" ({of}: {DASH}, {cell(difference.why)})" if difference.why else ""
    return f" ({of}: {_ends(found.low, found.high, show)})"


def _ends(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    if low is not None and high is not None:
        return f"{show(low)} to {show(high)}"
    if low is not None:
        return f"{show(low)} or more"
    return "any factor" if high is None else f"{show(high)} or less"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _factor(value: float) -> str:
    return f"{value:.2f}"
