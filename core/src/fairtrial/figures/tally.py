"""Which trials count, and for what: the one place where numerators and denominators are made."""

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.record import PlannedTask, RunRecord, Trial

CONTROLS = ("reference", "noop")
"""Solver names that the engine keeps for its control arms."""


@frozen(kw_only=True)
class Apart:
    """
    A task that is in no denominator.

    Attributes:
        task: Its id.
        kind: `invalid` or `quarantined`.
        why: The reason, for people.
    """

    task: str
    kind: str
    why: str


@frozen(kw_only=True)
class Counts:
    """
    What became of one solver's planned trials; the parts add up to `planned`.

    Attributes:
        planned: Sound tasks × rollouts: the denominator.
        resolved: Trials that resolved their task.
        failed: Trials that were judged and did not.
        unjudged: Trials that ended, but could not be judged.
        infra: Trials that broke for a reason of ours or the provider's.
        skipped: Trials never started, since they could not be paid for.
        unfinished: Trials interrupted or not yet run.
    """

    planned: int
    resolved: int
    failed: int
    unjudged: int
    infra: int
    skipped: int
    unfinished: int

    @property
    def judged(self) -> int:
        """Trials with a verdict."""
        return self.resolved + self.failed


@frozen(kw_only=True)
class Tally:
    """
    One solver's trials, sorted.

    Attributes:
        solver: The solver's name.
        counts: How many of each kind.
        tasks: Ids of the sound tasks, in the plan's order.
        rollouts: Trials planned for each of them.
        attempted: Trials of sound tasks that ran to an end of their own, judged or not.
        outcomes: For each of them, whether it resolved its task; None where not judged.
        places: For each of them, where in `tasks` its task stands.
        infra: Trials of sound tasks that broke for a reason of ours.
        unfinished: Trials of sound tasks that were skipped or interrupted.
        apart: Trials of tasks that are in no denominator.
        stale: Trials of a task that the plan doesn't hold, or holds in another version.
        again: Attempts that were interrupted or broke, and that were made again.
    """

    solver: str
    counts: Counts
    tasks: tuple[str, ...]
    rollouts: int
    attempted: tuple[Trial, ...]
    outcomes: tuple[bool | None, ...]
    places: tuple[int, ...]
    infra: tuple[Trial, ...] = ()
    unfinished: tuple[Trial, ...] = ()
    apart: tuple[Trial, ...] = ()
    stale: tuple[Trial, ...] = ()
    again: tuple[Trial, ...] = ()

    @property
    def control(self) -> bool:
        """Whether this is a control arm of the engine's."""
        return self.solver in CONTROLS

    def by_task(self, values: Iterable[float | None]) -> list[float]:
        """
        Sums a value a trial, such as its dollars, by task; unknown ones add nothing.

        Args:
            values: One for each of `attempted`.

        Returns:
            One sum for each of `tasks`, 0 for a task that has none.
        """
        sums = [0.0] * len(self.tasks)
        for place, value in zip(self.places, values, strict=True):
            if value:
                sums[place] += value
        return sums

    def resolved_by_task(self) -> list[int]:
        """Returns, for each of `tasks`, how many trials resolved it."""
        counts = [0] * len(self.tasks)
        for place, outcome in zip(self.places, self.outcomes, strict=True):
            if outcome:
                counts[place] += 1
        return counts


def tallies(record: RunRecord) -> tuple[Tally, ...]:
    """
    Returns one tally a solver, in the record's order.

    Of two trials of one task × solver × rollout the later counts: a resumed run tries again what
    was interrupted or broke. A solver that the record doesn't name, but that has trials, comes
    last.
    """
    quarantined = {trial.task for trial in record.trials if trial.quarantine}
    plan = {task.id: task for task in record.tasks}
    sound = tuple(task.id for task in record.tasks if _sound(task, quarantined))
    latest: dict[str, dict[tuple[str, int, str], Trial]] = {name: {} for name in record.solvers}
    for trial in record.trials:
        latest.setdefault(trial.solver, {})[trial.task, trial.rollout, trial.digest] = trial
    found = (
        _tally(solver, trials.values(), plan=plan, sound=sound, rollouts=record.rollouts)
        for solver, trials in latest.items()
    )
    if not record.again:
        return tuple(found)
    return tuple(
        evolve(tally, again=tuple(one for one in record.again if one.solver == tally.solver))
        for tally in found
    )


def _sound(task: PlannedTask, quarantined: set[str]) -> bool:
    return not task.invalid and not task.quarantine and task.id not in quarantined


def tasks_apart(record: RunRecord) -> tuple[Apart, ...]:
    """Returns the planned tasks that are in no denominator, with the reasons."""
    said = {trial.task: trial.quarantine for trial in record.trials if trial.quarantine}
    found = []
    for task in record.tasks:
        if task.invalid:
            found.append(Apart(task=task.id, kind="invalid", why=task.invalid))
        elif task.quarantine or task.id in said:
            why = task.quarantine or said[task.id]
            found.append(Apart(task=task.id, kind="quarantined", why=why))
    return tuple(found)


def _tally(
    solver: str,
    trials: Iterable[Trial],
    *,
    plan: Mapping[str, PlannedTask],
    sound: tuple[str, ...],
    rollouts: int,
) -> Tally:
    places = {task: place for place, task in enumerate(sound)}
    bins: dict[str, list[Trial]] = {}
    for trial in trials:
        task = plan.get(trial.task)
        if task is None or task.digest != trial.digest or trial.rollout > rollouts:
            kind = "stale"
        elif trial.task not in places:
            kind = "apart"
        else:
            kind = _KINDS.get(trial.ending, "attempted")
        bins.setdefault(kind, []).append(trial)
    attempted = tuple(bins.get("attempted", ()))
    outcomes = tuple([trial.resolved for trial in attempted])
    infra = tuple(bins.get("infra", ()))
    skipped = len(bins.get("skipped", ()))
    return Tally(
        solver=solver,
        counts=_counts(outcomes, len(sound) * rollouts, infra=len(infra), skipped=skipped),
        tasks=sound,
        rollouts=rollouts,
        attempted=attempted,
        outcomes=outcomes,
        places=tuple([places[trial.task] for trial in attempted]),
        infra=infra,
        unfinished=(*bins.get("skipped", ()), *bins.get("interrupted", ())),
        apart=tuple(bins.get("apart", ())),
        stale=tuple(bins.get("stale", ())),
    )


_KINDS = {
    Ending.INFRA: "infra",
    Ending.INTERRUPTED: "interrupted",
    Ending.SKIPPED: "skipped",
}


def _counts(
    outcomes: tuple[bool | None, ...], planned: int, *, infra: int, skipped: int
) -> Counts:
    return Counts(
        planned=planned,
        resolved=outcomes.count(True),
        failed=outcomes.count(False),
        unjudged=outcomes.count(None),
        infra=infra,
        skipped=skipped,
        unfinished=planned - len(outcomes) - infra - skipped,
    )
