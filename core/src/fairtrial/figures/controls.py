"""Whether a run's suite can be believed: `reference` resolves every task, `noop` none."""

from collections.abc import Sequence

from attrs import frozen

from fairtrial.api.record import RunRecord
from fairtrial.figures.tally import Tally, tallies

_NAMED = 5
"""Most tasks that the sentence names."""

_NONE_RAN = (
    "no control arm ran, so that no trial shows that the suite is sound: add “reference” and “noop”"
    " to the run's solvers"
)
_NOTHING_LEFT = (
    "no task was left for the control arms, so that no trial shows that the suite is sound"
)


@frozen(kw_only=True)
class ControlFault:
    """
    A task on which a control arm did what it must not.

    Attributes:
        arm: `reference` or `noop`.
        task: The task's id.
        why: What happened, in words.
    """

    arm: str
    task: str
    why: str


@frozen(kw_only=True)
class Controls:
    """
    What the control arms of a run prove.

    Attributes:
        arms: Which of them ran.
        faults: Where they show that the suite is broken.
        unproved: Tasks on which an arm's trials have no verdict, or not all of them, as
            `arm: task`.
        planned: Trials planned for all of the arms.
        judged: Those of them that have a verdict.
    """

    arms: tuple[str, ...]
    faults: tuple[ControlFault, ...] = ()
    unproved: tuple[str, ...] = ()
    planned: int = 0
    judged: int = 0

    @property
    def broken(self) -> bool:
        """Whether the suite is broken, so that no figure of the run can be believed."""
        return bool(self.faults)

    def __str__(self) -> str:
        """Returns one sentence."""
        if self.broken:
            tasks = ", ".join(dict.fromkeys(fault.task for fault in self.faults))
            return f"the suite is broken: control arms are not at 100 % and 0 % on {tasks}"
        if self.unproved:
            # One more is named rather than counted: that takes no more room.
            shown = self.unproved if len(self.unproved) <= _NAMED + 1 else self.unproved[:_NAMED]
            more = len(self.unproved) - len(shown)
            of = "1 trial" if self.planned == 1 else f"{self.planned} trials"
            return (
                f"controls are not proved: {self.planned - self.judged} of {of} without a verdict"
                f" ({', '.join(shown)}{f', and {more} more' if more else ''})"
            )
        if not self.arms:
            return _NONE_RAN
        return f"controls hold: {', '.join(self.arms)}" if self.judged else _NOTHING_LEFT


def controls(record: RunRecord, arms: Sequence[Tally] | None = None) -> Controls:
    """
    Judges a run by its control arms; infra trials and unjudged ones prove nothing.

    Args:
        record: The run.
        arms: Its tallies, where they are already made.
    """
    arms = [tally for tally in arms or tallies(record) if tally.control]
    return Controls(
        arms=tuple(tally.solver for tally in arms),
        faults=tuple(fault for tally in arms for fault in _faults(tally)),
        unproved=tuple(name for tally in arms for name in _unproved(tally)),
        planned=sum(tally.counts.planned for tally in arms),
        judged=sum(tally.counts.judged for tally in arms),
    )


def _faults(tally: Tally) -> list[ControlFault]:
    wanted = tally.solver == "reference"
    why = "the reference does not resolve it" if wanted else "it is resolved by doing nothing"
    tasks = dict.fromkeys(
        tally.tasks[place]
        for place, outcome in zip(tally.places, tally.outcomes, strict=True)
        if outcome is not None and outcome is not wanted
    )
    return [ControlFault(arm=tally.solver, task=task, why=why) for task in tasks]


def _unproved(tally: Tally) -> list[str]:
    judged = [0] * len(tally.tasks)
    for place, outcome in zip(tally.places, tally.outcomes, strict=True):
        judged[place] += outcome is not None
    return [
        f"{tally.solver}: {task}"
        for task, count in zip(tally.tasks, judged, strict=True)
        if count < tally.rollouts
    ]
