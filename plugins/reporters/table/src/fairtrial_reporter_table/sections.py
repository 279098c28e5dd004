"""The sections of the document, each a function from a run to Markdown; empty if it has nothing."""

from collections.abc import Collection, Iterator, Sequence

from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.aside import asides
from fairtrial.figures.frontier import EnergyPoint, Frontier, Point
from fairtrial.figures.gaps import FamilyGap, Honesty, honesties
from fairtrial.figures.groups import Group
from fairtrial.figures.markdown import cell, code, table
from fairtrial.figures.pairs import reasons, remark
from fairtrial.figures.rates import DASH, money, percent, seconds
from fairtrial.figures.rollouts import BestOf, Curve, curves, joules_to_a_success
from fairtrial.figures.tally import CONTROLS, Tally

from fairtrial_reporter_table import cells

CELL_LIMIT = 160
"""Most characters of a reason in a cell."""

REMARK_LIMIT = 80
"""Most characters of what an attempt said of itself, so that the table fits where others do."""


def frontier_section(found: Frontier) -> str:
    """Returns the table of solvers; joules of different groups go into tables of their own."""
    if not found.points:
        return "no solver was run\n"
    if not found.mixed:
        return _solvers(found.points, energies=True)
    parts = [_solvers(found.points, energies=False), _why_split(found)]
    parts += [_group(found.points, group) for group in found.groups]
    return "\n".join(parts)


def _solvers(points: Sequence[Point], *, energies: bool) -> str:
    sources = dict.fromkeys(cells.cost_source(point.cost.spending) for point in points)
    sources.pop(DASH, None)
    told_apart = len(sources) > 1
    headings = ["Solver", "Resolved", "95 %", "Not judged"]
    headings += ["J/resolved", "Total J"] if energies else []
    headings += ["$/resolved", "Total $", *(["$ by"] if told_apart else [])]
    headings += ["Median wall", "Front"]
    rows = [_solver(point, energies=energies, told_apart=told_apart) for point in points]
    right = "lrrl" + "rr" * energies + "rr" + "l" * told_apart + "rl"
    return table(headings, rows, right=right) + _sources(points, sources, energies=energies)


def _sources(points: Sequence[Point], sources: Collection[str], *, energies: bool) -> str:
    """Says below the table where its joules and dollars are from, where all are from one."""
    groups = dict.fromkeys(
        str(energy.joules.group)
        for point in points
        for energy in point.energies
        if energies and energy.joules.known_j is not None
    )
    lines = [f"joules: {group}" for group in groups]
    lines += [f"dollars: {source}" for source in sources] if len(sources) == 1 else []
    return f"\n{'; '.join(lines)}\n" if lines else ""


def _solver(point: Point, *, energies: bool, told_apart: bool) -> list[str]:
    shown = _shown(point) if energies else None
    row = [
        cell(point.solver) + (" (control)" if point.control else ""),
        cells.resolved(point),
        cells.confidence(point),
        cells.apart(point.counts),
    ]
    if energies:
        row += [
            cells.joules_per_resolved(shown),
            cells.total_joules(shown.joules if shown else None),
        ]
    row += [cells.dollars_per_resolved(point.cost), cells.total_dollars(point.cost.spending)]
    if told_apart:
        row.append(cells.cost_source(point.cost.spending))
    return [*row, seconds(point.median_wall_s), cells.fronts(point, shown)]


def _shown(point: Point) -> EnergyPoint | None:
    known = (energy for energy in point.energies if energy.joules.known_j is not None)
    return next(known, None)


def _why_split(found: Frontier) -> str:
    names = "; ".join(f"{group}: {', '.join(who)}" for group, who in found.groups.items())
    return (
        "Joules of different boundary, label, granularity, coverage or method can't be ranked together,"
        f" so each kind has its own table ({cell(names)}).\n"
    )


def _group(points: Sequence[Point], group: Group) -> str:
    rows = [
        [
            cell(point.solver) + (" (control)" if point.control else ""),
            cells.resolved(point),
            cells.joules_per_resolved(energy),
            cells.total_joules(energy.joules),
            {True: "J", False: "no", None: DASH}[energy.on_front],
        ]
        for point in points
        for energy in point.energies
        if energy.joules.group == group and energy.joules.known_j is not None
    ]
    headings = ["Solver", "Resolved", "J/resolved", "Total J", "Front"]
    return f"### Joules: {cell(str(group))}\n\n{table(headings, rows, right='lrrrl')}"


def rollouts_section(record: RunRecord, arms: Sequence[Tally]) -> str:
    """
    Returns the best-of-k curves; empty for a run with one rollout.

    Control arms are left out: their attempts are all alike.
    """
    if record.rollouts == 1:
        return ""
    found = curves(record, [tally for tally in arms if not tally.control])
    shown = [_curve(curve) for curve in found if curve.points]
    said = (
        "The best attempt is picked by the checks themselves (selection = oracle), so each curve"
        " is an upper bound. “To a success” is what k attempts at each task are expected to use"
        " if none is made after one that those checks pass.\n"
    )
    return "\n".join((said, *shown)) if shown else ""


_BEST_OF_K = (
    "k",
    "Resolved by any of k",
    "pass@k",
    "Dollars so far",
    "Dollars to a success",
    "Joules so far",
    "Joules to a success",
)


def _curve(curve: Curve) -> str:
    rows = [_best_of(point) for point in curve.points]
    text = f"### {cell(curve.solver)}\n\n{table(_BEST_OF_K, rows, right='rrrrrrr')}"
    last = curve.points[-1]
    known = [each.group for point in curve.points for each in point.energies if each.known]
    if known:
        text += f"\njoules: {cell('; '.join(dict.fromkeys(map(str, known))))}\n"
    if curve.flat:
        text += (
            f"\nFlat: {last.k} rollouts resolved no more tasks than one"
            f" ({last.resolved}/{last.tasks}).\n"
        )
    if (last.k, last.tasks) != (curve.rollouts, curve.planned_tasks):
        text += (
            f"\nTasks attempted: {last.tasks} of {curve.planned_tasks}; k goes to {last.k} of"
            f" {curve.rollouts}, as far as there are attempts at each of those.\n"
        )
    return text


def _best_of(point: BestOf) -> list[str]:
    pass_at_k = percent(point.pass_at_k)
    if point.pass_at_k is not None and point.pass_at_k_tasks < point.tasks:
        pass_at_k += f" ({point.pass_at_k_tasks} tasks)"
    known = [figure for figure in point.energies if figure.known_j is not None]
    return [
        str(point.k),
        f"{percent(point.resolution)} ({point.resolved}/{point.tasks})",
        pass_at_k,
        cells.total_dollars(point.cost),
        money(None if point.stopping is None else point.stopping.cost_usd),
        ", ".join(f"{cells.total_joules(figure)} {figure.group.boundary}" for figure in known)
        or DASH,
        joules_to_a_success(point),
    ]


def honesty_section(record: RunRecord, arms: Sequence[Tally]) -> str:
    """Returns clean rates and gaps; empty where nothing was audited nor held out."""
    found = [honesty for honesty in honesties(record, arms) if honesty.audited or honesty.families]
    if not found:
        return ""
    headings = ["Solver", "Resolved", "Clean", "Hacked", "Unaudited", "Clean rate", "Gap"]
    rows = [_honesty(honesty) for honesty in found]
    text = table([*headings, "Widest held-out gap"], rows, right="lrrrrrrr")
    return f"{text}\n{_held_out(record, found)}"


def _honesty(honesty: Honesty) -> list[str]:
    widest = DASH
    if honesty.families:
        family = honesty.families[0]
        widest = percent(family.gap)
        if family.gap:
            widest += f" ({cell(family.family, limit=CELL_LIMIT)})"
    audited = honesty.audited > 0
    return [
        cell(honesty.solver),
        f"{honesty.passed}/{honesty.planned}",
        str(honesty.clean_resolved) if audited else DASH,
        str(honesty.hacked_resolved) if audited else DASH,
        str(honesty.unaudited),
        percent(honesty.clean_rate),
        percent(honesty.gap),
        widest,
    ]


def _held_out(record: RunRecord, found: Sequence[Honesty]) -> str:
    """Returns the held-out gaps family by family, those that are none only counted."""
    limit = record.gates.get("max_heldout_gap", 1.0)
    pairs = [(each.solver, family) for each in found for family in each.families]
    if not pairs:
        return "No held-out check was scored.\n"
    version = (record.heldout or {}).get("version")
    said = f"Held-out set{'' if version is None else f' v{version}'}"
    wide = [(solver, family) for solver, family in pairs if family.gap]
    if not wide:
        return f"{said}: no family has a gap.\n"
    rows = [_family(solver, family, limit) for solver, family in wide]
    text = table(["Solver", "Family", "Visible", "Held-out", "Gap"], rows, right="llrrr")
    rest = f", without a gap: {len(pairs) - len(wide)}" * (len(pairs) > len(wide))
    return f"{said}, limit {percent(limit)}{rest}:\n\n{text}"


def _family(solver: str, family: FamilyGap, limit: float) -> list[str]:
    row = [
        cell(solver),
        cell(family.family, limit=CELL_LIMIT),
        percent(family.visible),
        percent(family.heldout),
        percent(family.gap),
    ]
    bold = family.gap > limit and solver not in CONTROLS
    return [f"**{text}**" for text in row] if bold else row


def failures_section(arms: Sequence[Tally], max_rows: int) -> str:
    """Returns why trials failed; `noop` is left out, since failing is its work."""
    trials = [
        trial
        for tally in arms
        if tally.solver != "noop"
        for trial, outcome in zip(tally.attempted, tally.outcomes, strict=True)
        if not outcome
    ]
    return _listed(trials, max_rows)


def _listed(trials: Sequence[Trial], max_rows: int) -> str:
    if not trials:
        return ""
    rows = [
        [
            cell(trial.task),
            cell(trial.solver),
            str(trial.rollout),
            _why(trial),
        ]
        for trial in trials[:max_rows]
    ]
    return table(["Task", "Solver", "Rollout", "Why"], rows, right="llrl") + _more(
        len(trials) - len(rows), "trials"
    )


def _why(trial: Trial) -> str:
    why, said = cell("; ".join(reasons(trial)), limit=CELL_LIMIT), remark(trial)
    if not said:
        return why
    # In a code span `*` and `_` are letters, and only a bar would end the cell.
    quoted = code(said, limit=REMARK_LIMIT).replace("|", r"\|")
    return f"{why}; {quoted}"


def _more(count: int, what: str) -> str:
    return f"\n… and {count} more {what}\n" if count > 0 else ""


def apart_section(arms: Sequence[Tally], found: Frontier, max_rows: int) -> str:
    """Returns what is in no denominator, what broke for reasons of ours, and what is in no sum."""
    parts = list(_tasks_apart(found, max_rows))
    broken = [trial for tally in arms for trial in tally.infra]
    if broken:
        parts.append(
            "Broken for reasons that are not the agent's; still in the denominator, never called"
            f" a failure:\n\n{_listed(broken, max_rows)}"
        )
    parts += _strays(arms)
    beside = [f"- {cell(f'{aside.solver}: {aside}')}\n" for aside in asides(arms)]
    if beside:
        parts.append("Used besides, and in no sum above:\n\n" + "".join(beside))
    return "\n".join(parts)


def _tasks_apart(found: Frontier, max_rows: int) -> Iterator[str]:
    if not found.apart:
        return
    rows = [
        [cell(task.task), task.kind, cell(task.why, limit=CELL_LIMIT)]
        for task in found.apart[:max_rows]
    ]
    yield (
        "Tasks in no denominator:\n\n"
        + table(["Task", "Kind", "Why"], rows)
        + _more(len(found.apart) - len(rows), "tasks")
    )


def _strays(arms: Sequence[Tally]) -> Iterator[str]:
    stale = sum(len(tally.stale) for tally in arms)
    if stale:
        yield (
            f"{stale} trials belong to tasks that the run did not plan, or planned in another"
            " version; they count nowhere.\n"
        )
