"""Going on with a run that is there: what it must find unchanged, and what may be mended."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import evolve, frozen

from fairtrial.api import RunError, RunRecord, Trial
from fairtrial.api.errors import Facts
from fairtrial.engine.budget import purse_of
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import UNFINISHED, Key, key_of, read_run, write_plan
from fairtrial.engine.lock import refuse_difference
from fairtrial.engine.plan import CONTROLS, Cell
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.stored import config_as_run

_CHOICE = ("only", "limit")
"""Keys of `[run]` that choose tasks; the lock holds the tasks themselves."""


@frozen(kw_only=True)
class Earlier:
    """
    What earlier sittings of a run did.

    Attributes:
        finished: Trials that are kept.
        attempts: All attempts, also those that are to be made again or were: each was paid for.
    """

    finished: tuple[Trial, ...] = ()
    attempts: tuple[Trial, ...] = ()

    @cached_property
    def ungraded(self) -> Mapping[Key, Trial]:
        """Finished trials whose grading was cut off: they are graded, and not made again."""
        return {key_of(trial): trial for trial in self.finished if trial.verdict is None}


@frozen(kw_only=True)
class Left:
    """
    What is left to do of a run.

    Attributes:
        prepared: The run; its plan holds the trials that are to be made.
        spent_usd: What earlier sittings spent of its budget.
        ungraded: How many attempts of theirs are graded, and not made again.
    """

    prepared: Prepared
    spent_usd: float = 0.0
    ungraded: int = 0


def earlier_sittings(prepared: Prepared, directory: RunDirectory, *, resume: bool) -> Earlier:
    """
    Returns what is done of the run that is there, which must be this one.

    A solver none of whose trials is finished may have been mended since: all that it did is done
    again, and the record is told its table as it is now.

    Raises:
        RunError: There is a run, and it isn't to be resumed, or it is another one.
    """
    if not directory.record.exists():
        return Earlier()
    if not resume:
        raise RunError(
            problem=f"“{directory.path}” already holds a run",
            way_on="go on with it by --resume, or give this one another --label",
        )
    earlier = read_run(directory)
    kept = _kept(prepared, directory, earlier)
    ours = prepared.lock
    if ours != earlier.lock:
        write_plan(
            directory,
            evolve(earlier, config=config_as_run(prepared.config, directory), lock=ours),
        )
    return Earlier(finished=kept, attempts=(*earlier.trials, *earlier.again))


def left_of(prepared: Prepared, done: Iterable[Trial]) -> list[Cell]:
    """Returns the cells of the plan that aren't among the trials which are done."""
    kept = {key_of(trial) for trial in done}
    return [cell for cell in prepared.plan.cells if cell.key not in kept]


def left_to_do(prepared: Prepared, directory: RunDirectory) -> Left:
    """
    Returns what resuming the run that is there would still do.

    Nothing is written.

    Raises:
        RunError: The run that is there is another one.
    """
    if not directory.record.exists():
        return Left(prepared=prepared)
    record = read_run(directory)
    kept = _kept(prepared, directory, record)
    earlier = Earlier(finished=kept, attempts=(*record.trials, *record.again))
    purse = purse_of(prepared.config.run, prepared.plugins.solvers, earlier.attempts)
    cells = tuple(left_of(prepared, kept))
    return Left(
        prepared=evolve(prepared, plan=evolve(prepared.plan, cells=cells)),
        spent_usd=purse.spent_usd,
        ungraded=sum(cell.key in earlier.ungraded for cell in prepared.plan.cells),
    )


def _kept(prepared: Prepared, directory: RunDirectory, earlier: RunRecord) -> tuple[Trial, ...]:
    """Returns the finished trials of an earlier sitting, which must be of this run."""
    kept = tuple(trial for trial in earlier.trials if trial.ending not in UNFINISHED)
    mended = _mendable(prepared, kept, earlier.lock)
    about = _about(prepared, directory, earlier)
    refuse_difference(prepared.lock, earlier.lock, but_for=mended, about=about)
    return kept


def _mendable(
    prepared: Prepared, kept: Iterable[Trial], lock: Mapping[str, str]
) -> frozenset[str]:
    """Returns the keys of solvers' tables that had a part in no trial which is kept."""
    used = {trial.solver for trial in kept if trial.solver not in CONTROLS}
    # A part of other solvers has worked where any of them has, for all that is known here.
    names = {*prepared.config.run.solvers, *prepared.parts}
    names -= {*used, *prepared.parts} if used else set()
    return frozenset({f"[solvers.{name}]" for name in names} & set(lock))


def _about(prepared: Prepared, directory: RunDirectory, earlier: RunRecord) -> Facts:
    """Says which run it is, and by which flags it began with other tasks."""
    run = earlier.config.get("run")
    then = run if isinstance(run, Mapping) else {}
    facts = [("run", str(directory.path))]
    for key in _CHOICE:
        was, now = _text(then.get(key)), _text(getattr(prepared.config.run, key))
        facts += [(f"[run] {key}", f"{was} → {now}")] if was != now else []
    return tuple(facts)


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value else "–"
