"""Several repeats of one comparison: the figures of each, their median and their spread."""

from collections.abc import Callable, Sequence

from attrs import frozen

from fairtrial.api.record import Trial
from fairtrial.figures.rates import median, ratio


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
    """

    of: str
    before: Spread
    after: Spread


def repeated(before: Sequence[Trial], after: Sequence[Trial]) -> tuple[Repeated, ...]:
    """Returns the figures of each repeat; nothing where both sides have one."""
    left, right = _by_rollout(before), _by_rollout(after)
    if max(len(left), len(right)) <= 1:
        return ()
    return tuple(
        Repeated(of=name, before=_spread(left, figure), after=_spread(right, figure))
        for name, figure in _FIGURES.items()
    )


def _by_rollout(trials: Sequence[Trial]) -> list[list[Trial]]:
    found: dict[int, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.rollout, []).append(trial)
    return [found[rollout] for rollout in sorted(found)]


def _spread(
    repeats: Sequence[Sequence[Trial]], figure: Callable[[Sequence[Trial]], float | None]
) -> Spread:
    values = (figure(trials) for trials in repeats)
    return Spread(values=tuple(value for value in values if value is not None))


def _resolved(trials: Sequence[Trial]) -> float | None:
    judged = [trial.resolved for trial in trials if trial.resolved is not None]
    return ratio(judged.count(True), len(judged))


def _cost(trials: Sequence[Trial]) -> float | None:
    # The sum of a repeat of which one attempt has no price would be too small.
    return _all([trial.cost_usd for trial in trials])


def _wall(trials: Sequence[Trial]) -> float | None:
    return _all([trial.wall_s for trial in trials])


def _all(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


_FIGURES: dict[str, Callable[[Sequence[Trial]], float | None]] = {
    "resolved": _resolved,
    "cost_usd": _cost,
    "wall_s": _wall,
}
