"""Several repeats of one comparison: the figures of each, their median and their spread."""

from collections.abc import Callable, Collection, Sequence

from attrs import frozen

from fairtrial.api.attempt import Ending
from fairtrial.api.record import Trial
from fairtrial.figures.means import all_known
from fairtrial.figures.rates import median, ratio
from fairtrial.figures.spending import cost_of


@frozen(kw_only=True)
class Spread:
    """The figures of one side's repeats; None where none of them is known."""

    values: tuple[float, ...]

    @property
    def median(self) -> float | None:
        """The middle one."""
        return median(self.values)

    @property
    def low(self) -> float | None:
        """The smallest."""
        return min(self.values, default=None)

    @property
    def high(self) -> float | None:
        """The largest."""
        return max(self.values, default=None)


@frozen(kw_only=True)
class Repeated:
    """
    One figure over the repeats of both sides.

    Attributes:
        of: `resolved` (a share), `cost_usd` or `wall_s`, each of a whole repeat.
        before: The first side.
        after: The second side.
        tasks: How many tasks a repeat holds: those that both sides were judged on.
    """

    of: str
    before: Spread
    after: Spread
    tasks: int


def repeated(
    before: Sequence[Trial], after: Sequence[Trial], *, tasks: Collection[str]
) -> tuple[Repeated, ...]:
    """
    Returns the figures of each repeat; nothing where both sides have one.

    A repeat counts if it tried each of the tasks, so that all figures are of the same work.

    Args:
        before: Trials of the first side that ran to an end, those that broke for a reason of ours
            included.
        after: Those of the second side.
        tasks: The tasks to look at; those that both sides were judged on.
    """
    if not tasks or max(_repeats(before), _repeats(after)) <= 1:
        return ()
    left, right = _whole(before, tasks), _whole(after, tasks)
    return tuple(
        Repeated(
            of=name, before=_spread(left, figure), after=_spread(right, figure), tasks=len(tasks)
        )
        for name, figure in _FIGURES.items()
    )


def _repeats(trials: Sequence[Trial]) -> int:
    return len({trial.rollout for trial in trials})


def _whole(trials: Sequence[Trial], tasks: Collection[str]) -> list[list[Trial]]:
    wanted = frozenset(tasks)
    found: dict[int, list[Trial]] = {}
    for trial in trials:
        if trial.task in wanted:
            found.setdefault(trial.rollout, []).append(trial)
    repeats = [found[rollout] for rollout in sorted(found)]
    return [repeat for repeat in repeats if {trial.task for trial in repeat} == wanted]


def _spread(
    repeats: Sequence[Sequence[Trial]], figure: Callable[[Sequence[Trial]], float | None]
) -> Spread:
    values = (figure(trials) for trials in repeats)
    return Spread(values=tuple(value for value in values if value is not None))


def _resolved(trials: Sequence[Trial]) -> float | None:
    judged = [
        trial.resolved
        for trial in trials
        if trial.resolved is not None and trial.ending is not Ending.INFRA
    ]
    return ratio(judged.count(True), len(judged))


def _cost(trials: Sequence[Trial]) -> float | None:
    return _all(trials, cost_of)


def _wall(trials: Sequence[Trial]) -> float | None:
    return _all(trials, lambda trial: trial.wall_s)


def _all(trials: Sequence[Trial], size: Callable[[Trial], float | None]) -> float | None:
    # The sum of a repeat of which one attempt broke or has no price would be too small.
    return all_known([None if trial.ending is Ending.INFRA else size(trial) for trial in trials])


_FIGURES: dict[str, Callable[[Sequence[Trial]], float | None]] = {
    "resolved": _resolved,
    "cost_usd": _cost,
    "wall_s": _wall,
}
