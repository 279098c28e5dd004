"""
The journal of a run: one fsynced JSON line a trial, only ever appended to.

A later line about the same trial replaces an earlier one when the journal is read, so that a
resumed, regraded or audited trial never loses what was there before.
"""

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar, cast

from attrs import evolve, field, frozen

from fairtrial import serial
from fairtrial.api import Ending, PlannedTask, RunError, RunRecord, Trial, Unwritable
from fairtrial.engine.directory import RunDirectory, unwritable

UNFINISHED = frozenset({Ending.INFRA, Ending.INTERRUPTED, Ending.SKIPPED})
"""Endings that `--resume` tries again."""

T = TypeVar("T")
Key = tuple[str, str, str, int]
"""Task, its digest, solver, rollout: what makes a trial that trial."""


def key_of(trial: Trial) -> Key:
    """Returns what makes a trial that trial."""
    return trial.task, trial.digest, trial.solver, trial.rollout


@frozen
class Journal:
    """
    Appends values to a file of JSON lines, durably.

    Attributes:
        path: The file; made at the first line.
    """

    path: Path
    _lock: threading.Lock = field(factory=threading.Lock, repr=False, eq=False)

    def append(self, value: object) -> None:
        """
        Appends one line and returns once it is on the disk.

        Raises:
            Unwritable: The disk is full, or the file can't be written; what stood there before is
                untouched.
        """
        line = serial.dumps(value).encode() + b"\n"
        with self._lock:
            try:
                self._write(line)
            except OSError as error:
                raise unwritable(self.path, error) from error

    def _write(self, line: bytes) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(self.path, flags, 0o600)
        try:
            end = os.fstat(descriptor).st_size
            # A torn last line, of a run that was killed, must not swallow this one.
            if end and os.pread(descriptor, 1, end - 1) != b"\n":
                line = b"\n" + line
            if os.write(descriptor, line) != len(line):
                raise OSError(28, "No space left on device")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_lines(path: Path, cls: type[T], *, torn: list[int] | None = None) -> list[T]:
    """
    Returns the values of a journal; a missing file has none.

    A line that was torn or can't be understood is passed over: it was never finished.

    Args:
        path: The file.
        cls: What each line holds.
        torn: Takes the 1-based numbers of the lines that were passed over.
    """
    if not path.exists():
        return []
    with path.open("rb") as file:
        return serial.loads_many(cls, file, passed_over=[] if torn is None else torn)


def latest(trials: Iterable[Trial]) -> tuple[Trial, ...]:
    """Keeps the last word on each trial, in the order in which trials first appeared."""
    # The key is written out: a call a trial is half of the time.
    last = {(each.task, each.digest, each.solver, each.rollout): each for each in trials}
    return tuple(last.values())


def replaced(trials: Iterable[Trial], kept: Iterable[Trial]) -> tuple[Trial, ...]:
    """
    Returns the attempts that were run again, each by its own last line.

    A later line about a trial either tells more of the same attempt (it was graded or audited
    again), which then began at the same time, or it tells another one. What that other one
    replaced was really spent.

    Args:
        trials: All lines of the journal.
        kept: The last word on each trial.
    """
    starts = {(key_of(each), each.started_at) for each in kept}
    attempts = {
        (key_of(each), each.started_at): each
        for each in trials
        if each.ending in (Ending.INFRA, Ending.INTERRUPTED)
    }
    return tuple(each for attempt, each in attempts.items() if attempt not in starts)


def read_run(directory: RunDirectory, *, torn: list[int] | None = None) -> RunRecord:
    """
    Reads a whole run.

    Args:
        directory: Where it is.
        torn: Takes the 1-based numbers of the lines of `trials.jsonl` that can't be read.

    Raises:
        RunError: There is no run, or it was written by a version that this one can't read.
    """
    record = read_plan(directory)
    proofs = {task.id: task for task in read_lines(directory.proofs, PlannedTask)}
    tasks = tuple(
        proofs[task.id]
        if proofs.get(task.id, task).digest == task.digest and task.id in proofs
        else task
        for task in record.tasks
    )
    told = read_lines(directory.journal, Trial, torn=torn)
    trials = latest(told)
    again = () if len(told) == len(trials) else replaced(told, trials)
    return evolve(record, tasks=tasks, trials=trials, again=again)


def read_plan(directory: RunDirectory) -> RunRecord:
    """
    Reads `run.json`, without the trials.

    Raises:
        RunError: There is no run, or it was written by a version that this one can't read.
    """
    path = directory.record
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RunError(
            problem=f"there is no run in “{directory.path}”",
            facts=(("looked for", str(path)), ("because", str(error.strerror))),
            way_on="give the directory of a run, such as runs/smoke",
        ) from error
    try:
        record = serial.loads(RunRecord, text)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RunError(
            problem=f"“{path}” can't be understood",
            facts=(("because", str(error)),),
            way_on="restore it from a copy; the trials beside it are untouched",
        ) from error
    _refuse_other_schema(record, path)
    return record


def _refuse_other_schema(record: RunRecord, path: Path) -> None:
    ours = RunRecord(label="", suite="", solvers=(), tasks=()).schema
    if record.schema.partition(".")[0] != ours.partition(".")[0]:
        raise RunError(
            problem=f"“{path}” was written by another version of fairtrial",
            facts=(("its schema", record.schema), ("this version reads", ours)),
            way_on="read it with the version that wrote it",
        )


def write_plan(directory: RunDirectory, record: RunRecord) -> None:
    """Writes `run.json` whole or not at all."""
    plain = cast("dict[str, object]", serial.unstructure(evolve(record, trials=(), again=())))
    # Defaults are left out of a dump, but a later version's default schema is not this one.
    text = serial.dumps({"schema": record.schema, **plain}).encode() + b"\n"
    part = directory.record.with_suffix(".part")
    try:
        with part.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(directory.record)
    except OSError as error:
        raise Unwritable(
            problem=f"“{directory.record}” can't be written",
            facts=(("because", str(error.strerror)),),
            way_on="make room, or choose another place with --out",
        ) from error
