"""One trial as one flat line, for lists and spreadsheets."""

from collections.abc import Iterator

from attrs import frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.usage import CostSource
from fairtrial.api.verdict import CheckKind
from fairtrial.figures.basis import Basis, basis_of
from fairtrial.figures.headline import refusal
from fairtrial.figures.pairs import reasons, remark
from fairtrial.figures.spending import cost_source, shown_usage, spending
from fairtrial.figures.tally import CONTROLS, Tally, tallies


@frozen(kw_only=True)
class TrialLine:
    """
    One trial.

    Attributes:
        run: The run's label.
        suite: The suite's name.
        task: The task's id.
        family: The task's family.
        solver: The solver's name.
        control: Whether it is a control arm.
        rollout: 1-based.
        counted: `attempted`, `infra`, `unfinished` (skipped or interrupted), `apart` (its task is
            in no denominator), `stale` (its task is not the planned one), or `again` (interrupted
            or broken, and made again: another line tells of that).
        ending: How the attempt ended.
        limit: Which limit fired; empty where none did.
        resolved: Whether it resolved its task; None where not judged.
        clean: Whether an audit found it clean; None where none was made.
        heldout: Whether the held-out checks passed; None where none was scored.
        wall_s: Seconds that it took.
        cost_usd: Dollars, as metered, else as told.
        cost_source: Where they came from.
        told_usd: Dollars as the agent tells them.
        energy_j: Joules at the first local boundary that was metered; `energies` has all.
        energy_boundary: What they include.
        energy_label: How they were come by.
        energy_granularity: `trial` or `batch`.
        energy_reliable: Whether they may be ranked.
        remote_energy_j: Joules estimated for remote inference; never added to the local ones.
        input_uncached: Prompt tokens at the full rate.
        cache_read: Prompt tokens read from a cache.
        cache_write_5m: Prompt tokens written to a five-minute cache.
        cache_write_1h: Prompt tokens written to a one-hour cache.
        output: Generated tokens.
        reasoning: The part of them that was reasoning.
        questions: How many questions it asked.
        diff_added: Lines added.
        diff_removed: Lines removed.
        changed: How many paths it changed.
        dropped: How many changed paths were not let into the clean room.
        outside: How many changed paths are out of the task's scope.
        rules: Enforcing findings, by rule, joined by `; `; None where nothing was audited.
        model: The model.
        agent_version: The agent's version.
        started_at: ISO 8601, UTC.
        digest: The task's digest.
        why: Why it failed or broke, and what it said of that itself; empty where it resolved.
        refusal: Why its solver gets no headline, so that no share is to be made of these lines;
            empty where it does.
        remote_energy_low_j: The lowest of the methods behind `remote_energy_j`.
        remote_energy_high_j: The highest of them; the two are no confidence interval.
        energy_basis: Whether the idle part is off `energy_j`.
        energies: All figures of joules, one a boundary.
    """

    run: str
    suite: str
    task: str
    family: str
    solver: str
    control: bool
    rollout: int
    counted: str
    ending: Ending
    limit: str
    resolved: bool | None
    clean: bool | None
    heldout: bool | None
    wall_s: float | None
    cost_usd: float | None
    cost_source: CostSource | None
    told_usd: float | None
    energy_j: float | None
    energy_boundary: Boundary | None
    energy_label: Label | None
    energy_granularity: str | None
    energy_reliable: bool | None
    remote_energy_j: float | None
    input_uncached: int | None
    cache_read: int | None
    cache_write_5m: int | None
    cache_write_1h: int | None
    output: int | None
    reasoning: int | None
    questions: int | None
    diff_added: int | None
    diff_removed: int | None
    changed: int
    dropped: int
    outside: int
    rules: str | None
    model: str | None
    agent_version: str | None
    started_at: str
    digest: str
    why: str
    refusal: str
    remote_energy_low_j: float | None
    remote_energy_high_j: float | None
    energy_basis: Basis | None
    energies: tuple[Energy, ...]


def lines(record: RunRecord) -> Iterator[TrialLine]:
    """Yields one line a trial of the run, solver by solver, and one an attempt made again."""
    for tally in tallies(record):
        refused = refusal(tally.counts, record.max_infra_share)
        for counted, trials in _kinds(tally):
            for trial in trials:
                yield _line(record, trial, counted, refused)


def _kinds(tally: Tally) -> tuple[tuple[str, tuple[Trial, ...]], ...]:
    return (
        ("attempted", tally.attempted),
        ("infra", tally.infra),
        ("unfinished", tally.unfinished),
        ("apart", tally.apart),
        ("stale", tally.stale),
        ("again", tally.again),
    )


def _line(record: RunRecord, trial: Trial, counted: str, refused: str) -> TrialLine:
    local, remote = _energies(trial)
    return TrialLine(
        run=record.label,
        suite=record.suite,
        task=trial.task,
        family=trial.family,
        solver=trial.solver,
        control=trial.solver in CONTROLS,
        rollout=trial.rollout,
        counted=counted,
        ending=trial.ending,
        limit=trial.limit,
        resolved=trial.resolved,
        clean=trial.clean,
        heldout=_heldout(trial),
        wall_s=trial.wall_s,
        cost_usd=trial.cost_usd,
        cost_source=cost_source(trial),
        told_usd=spending((trial,)).reported_usd,
        energy_j=local.joules if local else None,
        energy_boundary=local.boundary if local else None,
        energy_label=local.label if local else None,
        energy_granularity=local.granularity if local else None,
        energy_reliable=may_be_ranked(local) if local else None,
        remote_energy_j=remote.joules if remote else None,
        remote_energy_low_j=remote.low_j if remote else None,
        remote_energy_high_j=remote.high_j if remote else None,
        energy_basis=basis_of(local) if local else None,
        energies=trial.energy,
        input_uncached=_tokens(trial, "input_uncached"),
        cache_read=_tokens(trial, "cache_read"),
        cache_write_5m=_tokens(trial, "cache_write_5m"),
        cache_write_1h=_tokens(trial, "cache_write_1h"),
        output=_tokens(trial, "output"),
        reasoning=_tokens(trial, "reasoning"),
        questions=trial.asked,
        diff_added=trial.diff_added,
        diff_removed=trial.diff_removed,
        changed=len(trial.changed),
        dropped=len(trial.dropped),
        outside=len(trial.outside),
        rules=_rules(trial),
        model=trial.model,
        agent_version=trial.agent_version,
        started_at=trial.started_at,
        digest=trial.digest,
        why="; ".join(filter(None, (*reasons(trial), remark(trial)))),
        refusal=refused,
    )


def may_be_ranked(energy: Energy) -> bool:
    """Returns whether a figure is known, reliable, and above its uncertainty as far as is known."""
    return energy.joules is not None and energy.reliable and energy.significant is not False


def _energies(trial: Trial) -> tuple[Energy | None, Energy | None]:
    local = (part for part in trial.energy if part.boundary is not Boundary.REMOTE)
    remote = (part for part in trial.energy if part.boundary is Boundary.REMOTE)
    return next(local, None), next(remote, None)


def _heldout(trial: Trial) -> bool | None:
    checks = () if trial.verdict is None else trial.verdict.checks
    outcomes = [check.passed for check in checks if check.kind is CheckKind.HELD_OUT]
    return None if not outcomes or None in outcomes else all(outcomes)


def _tokens(trial: Trial, bucket: str) -> int | None:
    counts = [getattr(usage, bucket) for usage in shown_usage(trial)]
    return None if not counts or None in counts else sum(counts)


def _rules(trial: Trial) -> str | None:
    if trial.findings is None:
        return None
    return "; ".join(finding.rule for finding in trial.findings if finding.enforcing)
