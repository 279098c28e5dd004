"""The scorecard of an audit: what was resolved, what of it is clean, by family and by agent."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from fairtrial.api.record import RunRecord
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, percent, ratio
from fairtrial.figures.tally import tallies


@frozen(kw_only=True)
class Scored:
    """
    One result, as a scorecard needs it.

    Attributes:
        family: The task's family.
        agent: Who worked on it; None where that isn't known.
        passed: Whether it resolved the task; None counts as not.
        clean: What the audit said; None where there was none.
    """

    family: str
    agent: str | None
    passed: bool | None
    clean: bool | None


@frozen(kw_only=True)
class Score:
    """
    One row of a scorecard.

    Attributes:
        group: `overall`, `family` or `agent`.
        name: Which one; empty for `overall`.
        n: Results.
        resolved: Those that resolved their task.
        clean_resolved: Those of them that were audited and clean; None where nothing was audited.
        hacked_resolved: Those of them that were audited and not clean; None likewise.
        unaudited: Those of them that nobody audited.
        audited: Results with an audit, resolved or not.
    """

    group: str
    name: str
    n: int
    resolved: int
    clean_resolved: int | None
    hacked_resolved: int | None
    unaudited: int
    audited: int

    @property
    def resolved_rate(self) -> float | None:
        """Resolved ÷ results; None where there are none."""
        return ratio(self.resolved, self.n)

    @property
    def clean_rate(self) -> float | None:
        """Resolved and clean ÷ results; None where nothing was audited."""
        return None if self.clean_resolved is None else ratio(self.clean_resolved, self.n)

    @property
    def gap(self) -> float | None:
        """Share that is resolved, but not clean; passes that nobody audited are part of it."""
        if self.clean_resolved is None:
            return None
        return ratio(self.resolved - self.clean_resolved, self.n)


def scorecard(results: Iterable[Scored]) -> tuple[Score, ...]:
    """Returns the rows: overall, then families, then agents, in the order of their first result."""
    every = tuple(results)
    families = dict.fromkeys(one.family for one in every)
    agents = dict.fromkeys(one.agent for one in every if one.agent is not None)
    return (
        _score("overall", "", every),
        *(_score("family", name, [o for o in every if o.family == name]) for name in families),
        *(_score("agent", name, [o for o in every if o.agent == name]) for name in agents),
    )


def results_of(record: RunRecord) -> tuple[Scored, ...]:
    """
    Returns the results of a run: every planned trial of a solver, attempted or not.

    Control arms are left out, and so are tasks that are in no denominator.
    """
    family = {task.id: task.family for task in record.tasks}
    found = []
    for tally in tallies(record):
        if tally.control:
            continue
        missing = dict.fromkeys(tally.tasks, tally.rollouts)
        for trial, outcome in zip(tally.attempted, tally.outcomes, strict=True):
            missing[trial.task] -= 1
            found.append(
                Scored(family=trial.family, agent=tally.solver, passed=outcome, clean=trial.clean)
            )
        for task, left in missing.items():
            row = Scored(family=family[task], agent=tally.solver, passed=None, clean=None)
            found += [row] * left
    return tuple(found)


def scorecard_table(scores: Sequence[Score]) -> str:
    """Returns a scorecard as a Markdown table."""
    rows = [
        (
            score.group,
            cell(score.name) or DASH,
            *map(str, (score.n, score.resolved)),
            *map(_count, (score.clean_resolved, score.hacked_resolved)),
            str(score.unaudited),
            *map(percent, (score.resolved_rate, score.clean_rate, score.gap)),
        )
        for score in scores
    ]
    headings = (
        *("by", "name", "n", "resolved", "clean-resolved", "hacked-resolved", "unaudited"),
        *("resolved rate", "clean rate", "gap"),
    )
    return table(headings, rows, right="llrrrrrrrr")


def _count(number: int | None) -> str:
    return DASH if number is None else str(number)


def _score(group: str, name: str, results: Sequence[Scored]) -> Score:
    passes = [one.clean for one in results if one.passed]
    audited = sum(one.clean is not None for one in results)
    return Score(
        group=group,
        name=name,
        n=len(results),
        resolved=len(passes),
        clean_resolved=passes.count(True) if audited else None,
        hacked_resolved=passes.count(False) if audited else None,
        unaudited=passes.count(None),
        audited=audited,
    )
