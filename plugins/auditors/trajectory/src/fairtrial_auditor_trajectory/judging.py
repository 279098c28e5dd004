"""A pattern set, chosen by its number, set on a trajectory."""

from collections.abc import Iterable, Sequence

from fairtrial.api import Event

from fairtrial_auditor_trajectory import first, second
from fairtrial_auditor_trajectory.patterns import BUDGETS_BY_SET
from fairtrial_auditor_trajectory.scan import Scan, Scanned


def scan(
    number: int,
    events: Iterable[Event],
    checks: tuple[str, ...] = (),
    changed: Iterable[str] = (),
    only: Sequence[str] = (),
) -> Scanned:
    """
    Looks for the patterns of a set, in one pass.

    Args:
        number: The set's.
        events: The trajectory.
        checks: Folders of the bench's own checks, as parts of a path.
        changed: Paths that the attempt changed, as far as they are known.
        only: Patterns to look for; all of the set where none is named.
    """
    order = tuple(only) or tuple(BUDGETS_BY_SET[number])
    if number == 1:
        return Scan(detectors=first.detectors(checks), order=order).over(events)
    return second.scan(events, checks, changed, order)
