"""The two sides of a comparison: one solver's trials in one run, or one arm of a run."""

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from fairtrial.api.errors import ConfigError
from fairtrial.api.record import RunArm, RunRecord, Trial
from fairtrial.figures.headline import refusal
from fairtrial.figures.markdown import cell, code, safe
from fairtrial.figures.rates import DASH
from fairtrial.figures.tally import CONTROLS, Apart, Counts, Tally, tallies, tasks_apart

SHOWN = 200
"""Characters of a setting that are shown."""


@frozen(kw_only=True)
class Arm:
    """
    One side of a comparison.

    Attributes:
        label: What it is called in the heading: the run's label, or the arm's name.
        solver: The solver's name.
        counts: What became of its planned trials.
        tasks: Ids of its sound tasks, in the plan's order.
        digests: The digest of each.
        attempted: Its trials that ran to an end of their own.
        others: Its trials of sound tasks that broke for a reason of ours.
        suite: The suite's name.
        suite_version: The suite's version.
        heldout: What a held-out suite concluded; None where none was scored.
        apart: Tasks that are in no denominator.
        rollouts: Trials planned for each task.
        refusal: Why it gets no headline, in words; empty where it does.
    """

    label: str
    solver: str
    counts: Counts
    tasks: tuple[str, ...]
    digests: Mapping[str, str] = field(factory=dict)
    attempted: tuple[Trial, ...]
    others: tuple[Trial, ...] = ()
    suite: str = ""
    suite_version: str = ""
    heldout: Mapping[str, object] | None = None
    apart: tuple[Apart, ...] = ()
    rollouts: int = 1
    refusal: str = ""


def arms(record: RunRecord) -> tuple[Arm, ...]:
    """Returns one arm a solver of a run, control arms included."""
    return tuple(_arm(record, tally) for tally in tallies(record))


def _arm(record: RunRecord, tally: Tally) -> Arm:
    return Arm(
        label=record.label,
        solver=tally.solver,
        counts=tally.counts,
        tasks=tally.tasks,
        digests={task.id: task.digest for task in record.tasks},
        attempted=tally.attempted,
        others=tally.infra,
        suite=record.suite,
        suite_version=record.suite_version,
        heldout=record.heldout,
        apart=tasks_apart(record),
        rollouts=tally.rollouts,
        refusal=refusal(tally.counts, record.max_infra_share),
    )


def arms_matched(record: RunRecord) -> tuple[tuple[Arm, Arm], ...]:
    """
    Pairs the solvers of a run's two arms; each side is called by its arm's name.

    Raises:
        ConfigError: The run has no arms.
    """
    if not record.arms:
        raise ConfigError(
            problem=f"run “{record.label}” has no arms to set side by side",
            way_on="name the run before and the run after; or write [arms.before] and [arms.after]"
            " in a config, and run that",
        )
    before, after = record.arms
    found = {arm.solver: arm for arm in arms(record)}
    return tuple(
        (evolve(found[left], label=before.name), evolve(found[right], label=after.name))
        for left, right in zip(before.solvers, after.solvers, strict=True)
    )


def difference_lines(sides: Sequence[RunArm], *, markdown: bool = False) -> tuple[str, ...]:
    """
    Returns what two arms differ in, one sentence a key; nothing for a run without arms.

    Args:
        sides: The arms.
        markdown: Whether the sentences are Markdown, with values as code, rather than plain text.
    """
    if not sides:
        return ()
    named, valued = (cell, code) if markdown else (safe, safe)
    before, after = sides
    title = f"arms {named(before.name)} → {named(after.name)}"
    keys = dict.fromkeys((*before.settings, *after.settings))

    def told(side: RunArm, key: str) -> str:
        return valued(side.settings[key], limit=SHOWN) if key in side.settings else DASH

    return tuple(
        f"{title}: {named(key)}: {told(before, key)} → {told(after, key)}" for key in keys
    ) or (f"{title}: no difference",)


def matched(before: RunRecord, after: RunRecord) -> tuple[tuple[Arm, Arm], ...]:
    """
    Pairs the solvers of two runs.

    Solvers of one name are paired. Where no name is in both runs and each has exactly one solver,
    those two are. Control arms are paired only where neither run has anything else. Two empty
    runs have no pairs.

    Raises:
        ConfigError: Nothing can be paired.
    """
    lefts, rights = _contestants(before), _contestants(after)
    names = {arm.solver: arm for arm in rights}
    pairs = tuple((arm, names[arm.solver]) for arm in lefts if arm.solver in names)
    if pairs:
        return pairs
    if len(lefts) == len(rights) <= 1:
        return tuple(zip(lefts, rights, strict=True))
    raise ConfigError(
        problem=f"no solver of “{before.label}” can be set beside one of “{after.label}”",
        facts=(
            (before.label, ", ".join(arm.solver for arm in lefts) or "no solver"),
            (after.label, ", ".join(arm.solver for arm in rights) or "no solver"),
        ),
        way_on="compare runs that share a solver's name, or that have one solver each",
    )


def _contestants(record: RunRecord) -> Sequence[Arm]:
    found = arms(record)
    return [arm for arm in found if arm.solver not in CONTROLS] or found


def unmatched(before: RunRecord, after: RunRecord) -> tuple[str, ...]:
    """Returns the solvers that stand in one run only, as `solver (label)`."""
    pairs = matched(before, after)
    taken = {(side, pair[side].solver) for pair in pairs for side in (0, 1)}
    return tuple(
        f"{arm.solver} ({record.label})"
        for side, record in enumerate((before, after))
        for arm in _contestants(record)
        if (side, arm.solver) not in taken
    )
