"""An attempt that was asked for and isn't there: what is nearest, and what there is."""

import difflib
from collections.abc import Iterable

from fairtrial.api.errors import RunError
from fairtrial.api.record import Trial

_SHOWN = 12
_NEAREST = 3


def no_attempt(
    problem: str, wanted: tuple[str, str, int], trials: Iterable[Trial], *, joined_by: str
) -> RunError:
    """
    Returns the error of an attempt that a run doesn't have.

    Args:
        problem: Its first line.
        wanted: Task, solver and rollout, as they were asked for.
        trials: The attempts of the run.
        joined_by: What stands between the three where the user names them.
    """
    known = sorted({(trial.task, trial.solver, trial.rollout) for trial in trials})
    names = [joined_by.join(map(str, each)) for each in known]
    near = difflib.get_close_matches(joined_by.join(map(str, wanted)), names, n=_NEAREST)
    more = len(names) - _SHOWN
    shown = names[:_SHOWN] + ([f"… and {more} more"] if more > 0 else [])
    return RunError(
        problem=problem,
        facts=(
            ("attempts", "\n".join(shown) or "none"),
            *((("nearest", "\n".join(near)),) if near else ()),
        ),
        way_on=f"name one of its attempts, as {joined_by.join(('TASK', 'SOLVER', 'N'))}"
        if joined_by == "/"
        else "name one of its attempts by task, solver and --rollout",
    )
