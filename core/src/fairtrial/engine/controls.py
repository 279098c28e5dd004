"""
The control arms, and the proof that a task's oracle can be trusted.

`reference` lays the known-good fix and must resolve every task; `noop` does nothing and must
resolve none. They are the engine's own, since a solver that could fetch the fix would need an
interface through which any solver could.
"""

import hashlib
import os
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import structlog
from attrs import define, evolve, field, frozen
from platformdirs import user_cache_path

from fairtrial.api import (
    Attempt,
    Check,
    Ending,
    Equipment,
    FairtrialError,
    HeldOut,
    Patch,
    PlannedTask,
    Referenced,
    Session,
    Solver,
    Suite,
    Task,
    Verdict,
)
from fairtrial.engine.cleanroom import lay
from fairtrial.engine.journal import Journal
from fairtrial.engine.room import Room

log = structlog.get_logger()


@frozen
class ReferenceArm:
    """Lays the known-good fix over the tree: the ceiling."""

    patch: Patch | None

    def solve(self, session: Session, /) -> Attempt:
        """Lays the fix; a task without one can't be part of this arm."""
        if self.patch is None:
            return Attempt(ending=Ending.INFRA, note="the suite has no reference for this task")
        lay(self.patch, session.workspace.root)
        return Attempt(ending=Ending.FINISHED)


@frozen
class NoopArm:
    """Does nothing: the floor."""

    def solve(self, session: Session, /) -> Attempt:
        """Leaves the tree as it was."""
        return Attempt(ending=Ending.FINISHED)


def control(name: str, suite: Suite, task: Task) -> Solver | None:
    """Returns the control arm of that name; None where the name is a solver's."""
    if name == "noop":
        return NoopArm()
    if name == "reference":
        return ReferenceArm(reference_of(suite, task))
    return None


def reference_of(suite: Suite, task: Task) -> Patch | None:
    """Returns what the known-good fix of a task changes; None where the suite knows none."""
    return suite.reference(task) if isinstance(suite, Referenced) else None


@define
class Proofs:
    """
    Proves each task's oracle once, and remembers it.

    The bare tree must not be resolved, and the reference, where there is one, must be. What was
    proved is cached by the task's digest, so that it costs nothing the next time.
    """

    room: Room
    journal: Journal
    proved: Callable[[PlannedTask], None]
    _locks: dict[str, threading.Lock] = field(factory=dict)
    _known: dict[str, PlannedTask] = field(factory=dict)
    _guard: threading.Lock = field(factory=threading.Lock)

    def prove(self, task: Task) -> PlannedTask:
        """
        Returns the task as planned, with the reason where it is invalid.

        Raises:
            NeedMissing: Its programs aren't here, so that nothing can be said.
            MachineError: An attempt has changed programs that grade.
        """
        with self._guard:
            lock = self._locks.setdefault(task.id, threading.Lock())
        with lock:
            if task.id not in self._known:
                self._known[task.id] = self._prove_once(task)
                self.journal.append(self._known[task.id])
                self.proved(self._known[task.id])
            return self._known[task.id]

    def _prove_once(self, task: Task) -> PlannedTask:
        planned = PlannedTask(
            id=task.id, family=task.family, digest=task.digest, quarantine=task.quarantine
        )
        remembered = _cached(task, self.room, self._sandbox)
        if remembered.exists():
            return planned
        self.room.watch_programs()
        invalid = fault_of(task, self.room)
        if self.room.stop.is_set():
            # Checks that were killed say nothing of the task.
            raise FairtrialError(problem="the run was stopped by the user")
        # Beside attempts that run at the same time, a proof is worth what its programs are.
        self.room.guard.inspect()
        if invalid:
            # Whoever watches the run is told by `proved`, and says it once.
            log.info("task is invalid", task=task.id, why=invalid)
            return evolve(planned, invalid=invalid)
        _remember(remembered)
        return planned

    @cached_property
    def _sandbox(self) -> tuple[str, ...]:
        """What checks really run in, and its image: what is configured may choose by itself."""
        with self.room.open_for_checks("proof", Equipment()) as workspace:
            kept = workspace.enforced
        return kept.get("sandbox", ""), kept.get("image", "")


def fault_of(task: Task, room: Room) -> str:
    """
    Says what is wrong with a task's oracle; empty where it is sound.

    Raises:
        NeedMissing: Its programs aren't here.
    """
    bare = graded(task, room, Patch())
    if bare.resolved is True:
        return "the checks pass on the bare tree: there is nothing to fix"
    reference = reference_of(room.suite, task)
    if reference is None:
        return "" if bare.resolved is False else "no check could be judged on the bare tree"
    fixed = graded(task, room, reference)
    if fixed.resolved is not True:
        return f"the reference does not resolve it: {_reasons(fixed)}"
    outside = () if task.allowed is None else set(reference.paths) - set(task.allowed)
    if outside:
        return f"the reference changes what is out of scope: {', '.join(sorted(outside))}"
    return _fault_of_held_out(task, room, reference)


def _fault_of_held_out(task: Task, room: Room, reference: Patch) -> str:
    if not isinstance(room.suite, HeldOut):
        return ""
    if second_opinion(task, room, Patch()).passed is True:
        return "its held-out check passes on the bare tree: it says nothing"
    if second_opinion(task, room, reference).passed is not True:
        return "its held-out check does not pass with the reference"
    return ""


def second_opinion(task: Task, room: Room, patch: Patch) -> Check:
    """Has a patch graded by the suite's held-out check, in a workspace of its own."""
    suite = room.suite
    assert isinstance(suite, HeldOut)  # noqa: S101 - the caller has looked
    with room.open_for_checks(f"{task.id}·held-out", room.equip(task)) as workspace:
        room.suite.seed(task, workspace)
        lay(patch, workspace.root)
        return suite.grade_held_out(task, workspace)


def graded(task: Task, room: Room, patch: Patch) -> Verdict:
    """Grades a patch of the harness's own in a workspace of its own."""
    equipment = room.equip(task)
    with room.open_for_checks(f"{task.id}·proof", equipment) as workspace:
        room.suite.seed(task, workspace)
        refused = lay(patch, workspace.root)
        if refused:
            log.warning("reference could not be laid", paths=refused)
        return room.suite.grade(task, workspace)


def _reasons(verdict: Verdict) -> str:
    wrong = [check for check in verdict.checks if check.passed is not True]
    return "; ".join(f"{check.name}: {_last_line(check.why) or check.code}" for check in wrong)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _cached(task: Task, room: Room, sandbox: tuple[str, ...]) -> Path:
    root = os.environ.get("FAIRTRIAL_CACHE")
    cache = Path(root) if root else user_cache_path("fairtrial")
    parts = [task.digest, room.suite.version, type(room.sandbox).__name__, *sandbox]
    if isinstance(room.suite, HeldOut):
        parts.append(room.suite.held_out_version())
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return cache / "proofs" / name


def _remember(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        # A cache that can't be kept costs time, nothing else.
        log.warning("proof not remembered", because=error.strerror)
