"""
The run directory: where everything of a run is kept.

    run.json            what was planned, with what (a RunRecord without trials)
    trials.jsonl        the journal: one line a finished trial
    tasks.jsonl         one line a task whose oracle was proved, or found broken
    energy.jsonl        raw readings, hash-chained
    trials/<task>/<solver>/<n>/   what one trial left

Names below `trials/` are checked slugs, so that no task or solver can point elsewhere.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen
from filelock import FileLock, Timeout

from fairtrial.api import RunError, Unwritable

_SLUG = r"[A-Za-z0-9][A-Za-z0-9._-]*"

SLUG = re.compile(rf"{_SLUG}\Z")
"""What a task's id and a run's label may look like."""

SOLVER = re.compile(rf"{_SLUG}(?:@{_SLUG})?\Z")
"""What a solver's name may look like: one of two arms of a run is called `mine@before`."""


def unwritable(path: Path, error: OSError) -> Unwritable:
    """Returns the error of a run whose directory can't take any more."""
    return Unwritable(
        problem=f"“{path}” can't be written",
        facts=(
            ("because", error.strerror or str(error)),
            ("kept", "every trial that was finished before"),
        ),
        way_on="make room, then run again with --resume",
    )


@frozen
class RunDirectory:
    """
    Knows the places of one run directory.

    Attributes:
        path: The directory itself.
    """

    path: Path

    @property
    def record(self) -> Path:
        """`run.json`."""
        return self.path / "run.json"

    @property
    def journal(self) -> Path:
        """`trials.jsonl`."""
        return self.path / "trials.jsonl"

    @property
    def proofs(self) -> Path:
        """`tasks.jsonl`."""
        return self.path / "tasks.jsonl"

    @property
    def energy(self) -> Path:
        """`energy.jsonl`."""
        return self.path / "energy.jsonl"

    def trial(self, task: str, solver: str, rollout: int) -> Path:
        """Returns the place of one trial's artifacts; made by whoever first writes there."""
        for name, form in ((task, SLUG), (solver, SOLVER)):
            if not form.match(name):
                raise RunError(
                    problem=f"“{name}” can't be the name of a directory",
                    way_on="use letters, digits, “.”, “_” and “-” in ids and names",
                )
        return self.path / "trials" / task / solver / str(rollout)

    @contextmanager
    def held(self) -> Iterator[None]:
        """
        Holds the directory for one writer; made if it isn't there.

        Raises:
            RunError: Another process is writing to it.
            Unwritable: It can't be written.
        """
        lock = FileLock(self.path / ".lock", timeout=0)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise RunError(
                problem=f"another run is writing to “{self.path}”",
                way_on="wait for it to end, or give this run another --label",
            ) from error
        except OSError as error:
            raise Unwritable(
                problem=f"the run directory “{self.path}” can't be written",
                facts=(("because", str(error.strerror)),),
                way_on="choose another place with --out, or mend its permissions",
            ) from error
        try:
            yield
        finally:
            lock.release()
