"""The report's form: what `report.json` holds, from which its JSON Schema is made."""

from attrs import frozen
from fairtrial.api.record import RunRecord
from fairtrial.figures.aside import Aside, asides
from fairtrial.figures.controls import Controls, controls
from fairtrial.figures.fencing import Fencing, fencing
from fairtrial.figures.frontier import Frontier, frontier, seed_of
from fairtrial.figures.gaps import Honesty, honesties
from fairtrial.figures.headline import Unfinished, unfinished
from fairtrial.figures.lines import TrialLine, lines
from fairtrial.figures.rollouts import Curve, curves
from fairtrial.figures.selections import Selected, selections
from fairtrial.figures.tally import tallies
from fairtrial.figures.tokens import TokenSum, token_sums

FORM = "1.3"
"""Version of the report's form: a new minor number adds keys, a new major one changes them."""


@frozen(kw_only=True)
class SolverTokens:
    """
    One solver's tokens.

    Attributes:
        solver: Its name.
        buckets: Sums by bucket.
    """

    solver: str
    buckets: tuple[TokenSum, ...]


@frozen(kw_only=True)
class RunReport:
    """
    Every figure of one run.

    Attributes:
        label: The run's label.
        suite: The suite's name.
        suite_version: The suite's version.
        started_at: ISO 8601, UTC.
        record_schema: Version of the record's form.
        rollouts: Attempts planned for each task × solver.
        planned: Trials planned for one solver, over tasks that are in the denominator.
        seed: Seed of the bootstrap.
        resamples: Resamples of the bootstrap.
        max_infra_share: Above this share of trials that say nothing of the agent, a headline is
            refused.
        unfinished: How many trials are interrupted or still to come.
        controls: What the control arms prove.
        fencing: On how many attempts no answer could be fetched over the network.
        frontier: One point a solver.
        best_of_k: One curve a solver; a single point where there is one rollout.
        selections: One point a solver × selector.
        honesty: Clean rates and gaps.
        tokens: Sums by solver and bucket.
        asides: What attempts used that are in no sum: broken ones, and those made again.
        trials: One line a trial; None where they were not asked for.
    """

    label: str
    suite: str
    suite_version: str
    started_at: str
    record_schema: str
    rollouts: int
    planned: int
    seed: int
    resamples: int
    max_infra_share: float
    unfinished: Unfinished
    controls: Controls
    fencing: Fencing
    frontier: Frontier
    best_of_k: tuple[Curve, ...]
    selections: tuple[Selected, ...]
    honesty: tuple[Honesty, ...]
    tokens: tuple[SolverTokens, ...]
    asides: tuple[Aside, ...]
    trials: tuple[TrialLine, ...] | None


@frozen(kw_only=True)
class Report:
    """
    The whole document.

    Attributes:
        form: Version of this form.
        runs: One entry a run, in the order in which they were given.
    """

    form: str = FORM
    runs: tuple[RunReport, ...]


def run_report(record: RunRecord, *, resamples: int, trials: bool) -> RunReport:
    """Works out every figure of one run."""
    arms = tallies(record)
    points = frontier(record, resamples=resamples, arms=arms)
    return RunReport(
        label=record.label,
        suite=record.suite,
        suite_version=record.suite_version,
        started_at=record.started_at,
        record_schema=record.schema,
        rollouts=record.rollouts,
        planned=arms[0].counts.planned if arms else record.planned,
        seed=seed_of(record),
        resamples=resamples,
        max_infra_share=record.max_infra_share,
        unfinished=unfinished(record, arms),
        controls=controls(record, arms),
        fencing=fencing(record, arms),
        frontier=points,
        best_of_k=curves(record, arms),
        selections=selections(record, arms, points),
        honesty=honesties(record, arms),
        tokens=tuple(
            SolverTokens(solver=tally.solver, buckets=token_sums(tally.attempted))
            for tally in arms
        ),
        asides=asides(arms),
        trials=tuple(lines(record)) if trials else None,
    )
