"""Grading what an attempt left, in a room in which no solver has ever been."""

import time
from collections.abc import Container, Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from fairtrial.api import Check, CheckKind, Ending, HeldOut, Patch, Verdict
from fairtrial.engine import artifacts
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.cleanroom import admit, lay, readable
from fairtrial.engine.conduct import judged, undelivered
from fairtrial.engine.controls import second_opinion
from fairtrial.engine.manifest import files_clock_ns
from fairtrial.engine.originals import originals, visible_tests
from fairtrial.engine.patchfile import line_counts, unified
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.snapshot import Difference

NOT_GRADED = frozenset({Ending.INFRA, Ending.INTERRUPTED, Ending.SKIPPED})


@frozen(kw_only=True)
class Graded:
    """
    A tree, what of it was graded, and what was said of it.

    Attributes:
        verdict: What the checks said; None where nothing was graded.
        patch: What crossed into the clean room.
        dropped: What did not, with the reason.
        added: Lines of text that the attempt added; None where nothing was graded.
        removed: Lines that it removed.
        refused: The changes behind `dropped`, as far as they could be read.
        before: What the changed paths held before; None where nobody looked.
        tests: The test files that the solver was given; None where nobody looked.
        scoring_ms: Milliseconds that grading took; None where nothing was graded.
    """

    verdict: Verdict | None
    patch: Patch = field(factory=Patch)
    dropped: Mapping[str, str] = field(factory=dict)
    added: int | None = None
    removed: int | None = None
    refused: Patch = field(factory=Patch)
    before: Mapping[str, bytes] | None = None
    tests: Mapping[str, bytes] | None = None
    scoring_ms: int | None = None


def grade(cell: Cell, room: Room, outcome: Outcome, left: Difference) -> Graded:
    """
    Takes what is allowed into a clean room and has the suite grade it there.

    Where the user ends everything meanwhile there is no verdict: checks that were killed say
    nothing of the delivery, which is kept and can be graded later.

    Raises:
        MachineError: Programs that grade were changed, and not by this trial alone.
    """
    artifacts.keep_tree(_place(cell, room), left.patch)
    unjudged = Graded(verdict=None, patch=left.patch, dropped=left.left_behind)
    if outcome.attempt.ending in NOT_GRADED:
        return unjudged
    try:
        graded = _in_a_clean_room(cell, room, outcome, left)
    except Exception:
        if not room.stop.is_set():
            raise
        return unjudged
    return unjudged if room.stop.is_set() else graded


def _in_a_clean_room(cell: Cell, room: Room, outcome: Outcome, left: Difference) -> Graded:
    place = _place(cell, room)
    start = time.monotonic()
    admission = admit(left.patch, cell.task)
    dropped = {**left.left_behind, **admission.dropped}
    with room.open_for_checks(cell.label, room.equip(cell.task)) as workspace:
        room.suite.seed(cell.task, workspace)
        before = originals(left.patch, workspace.root)
        tests = visible_tests(cell.task, workspace.root) if room.auditors else None
        artifacts.keep_diff(place, unified(readable(left.patch), before.get))
        refused = set(lay(admission.admitted, workspace.root))
        patch = _without(admission.admitted, refused)
        since_ns = files_clock_ns()
        if undelivered(cell, outcome, patch):
            # The fresh tree alone is known to fail; running its checks again would say nothing.
            verdict = Verdict(checks=(), suite_version=room.suite.version)
        else:
            verdict = room.suite.grade(cell.task, workspace)
    artifacts.keep_output(place, verdict.output)
    hidden = () if undelivered(cell, outcome, patch) else _held_out(cell, room, outcome, patch)
    dropped |= dict.fromkeys(sorted(refused), "could not be laid over the fresh tree")
    added, removed = line_counts(patch, before.get)
    verdict = judged(evolve(verdict, output=""), cell, outcome, patch)
    verdict = room.guard.judged(verdict, cell.label, since_ns)
    return Graded(
        verdict=evolve(verdict, checks=(*verdict.checks, *hidden)),
        patch=patch,
        dropped=dropped,
        added=added,
        removed=removed,
        refused=_only(left.patch, dropped),
        before=before,
        tests=tests,
        scoring_ms=round(1000 * (time.monotonic() - start)),
    )


def _place(cell: Cell, room: Room) -> Path:
    return room.directory.trial(cell.task.id, cell.solver, cell.rollout)


def look_again(cell: Cell, room: Room, left: Difference) -> Graded:
    """Divides a stored tree as grading did, and reads what was there before; grades nothing."""
    admission = admit(left.patch, cell.task)
    before = tests = None
    if room.auditors and not cell.control:
        with room.open_for_checks(cell.label, room.equip(cell.task)) as workspace:
            room.suite.seed(cell.task, workspace)
            before = originals(left.patch, workspace.root)
            tests = visible_tests(cell.task, workspace.root)
    return Graded(
        verdict=None,
        patch=admission.admitted,
        dropped={**left.left_behind, **admission.dropped},
        refused=_only(left.patch, admission.dropped),
        before=before,
        tests=tests,
    )


def _held_out(cell: Cell, room: Room, outcome: Outcome, patch: Patch) -> tuple[Check, ...]:
    """Has a delivery graded once more, where neither the solver nor the first checks have been."""
    if not isinstance(room.suite, HeldOut) or not (patch or outcome.attempt.submission):
        return ()
    check = second_opinion(cell.task, room, patch)
    code = "held-out" if check.passed is False else ""
    # What such a check printed may name its inputs, so that only the outcome is kept.
    return (Check(name=check.name, kind=CheckKind.HELD_OUT, passed=check.passed, code=code),)


def _without(patch: Patch, refused: set[str]) -> Patch:
    if not refused:
        return patch
    return Patch(changes=tuple(c for c in patch.changes if str(c.path) not in refused))


def _only(patch: Patch, paths: Container[str]) -> Patch:
    return Patch(changes=tuple(c for c in patch.changes if str(c.path) in paths))
