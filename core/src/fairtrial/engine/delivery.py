"""
What an attempt delivered: the tree that it left, or the branch or pull request that it names.

Read after every process of the attempt is dead. Whatever was delivered is compared with the tree
that the attempt was given, so that nothing an agent does to its own history can hide a change.
"""

import tempfile
from pathlib import Path

import structlog
from attrs import evolve, frozen

from fairtrial.api import FairtrialError, Patch, Receiving, Workspace
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.branch import NoBranch, check_out, commit_of, make_bare, take_objects
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.snapshot import Difference, Tree, difference

log = structlog.get_logger()

BRANCH = "branch:"
"""How a submission begins that names a branch of the repository in the workspace."""


@frozen(kw_only=True)
class Delivery:
    """
    What is taken as an attempt's work.

    Attributes:
        left: How it differs from the tree that was given.
        outcome: The outcome; without a submission where what it names isn't there or changes
            nothing.
    """

    left: Difference
    outcome: Outcome


def collect(
    cell: Cell, room: Room, outcome: Outcome, before: Tree, workspace: Workspace
) -> Delivery:
    """
    Takes up what was delivered.

    Args:
        cell: The trial.
        room: Where clean rooms come from.
        outcome: What is known of the attempt.
        before: The tree that it was given.
        workspace: Where it worked; every process in it is dead.

    Raises:
        SuiteError: A delivery elsewhere can't be fetched.
        FairtrialError: The user ended everything meanwhile.
        NeedMissing: There is no git to read it with.
    """
    submission = outcome.attempt.submission
    if submission is None or cell.control:
        return Delivery(left=difference(before, workspace.root), outcome=outcome)
    with tempfile.TemporaryDirectory(prefix="fairtrial-delivery-") as place:
        bare = make_bare(Path(place) / "delivered.git")
        try:
            commit = _fetched(cell, room, submission, bare, workspace.root)
            if commit is None:
                return Delivery(left=difference(before, workspace.root), outcome=outcome)
            left = _compared(cell, room, before, bare, commit)
        except NoBranch as why:
            if room.stop.is_set():
                # Git was ended with everything else, which says nothing of the branch.
                raise FairtrialError(problem="the run was stopped by the user") from why
            log.info("nothing delivered", submission=submission, because=str(why))
            return _nothing(outcome, f"{submission}: {why}")
    return Delivery(left=left, outcome=outcome) if left.patch else _nothing(outcome)


def _fetched(cell: Cell, room: Room, submission: str, bare: Path, root: Path) -> str | None:
    """Returns the commit that was delivered, its objects in `bare`; None for the tree as it is."""
    if submission.startswith(BRANCH):
        commit = commit_of(root, submission.removeprefix(BRANCH))
        take_objects(root / ".git/objects", bare)
        return commit
    if isinstance(room.suite, Receiving):
        return room.suite.receive(cell.task, submission, bare)
    return None


def _compared(cell: Cell, room: Room, before: Tree, bare: Path, commit: str) -> Difference:
    label = f"{cell.label}·delivery"
    with room.open_for_checks(label, room.equip(cell.task)) as workspace:
        copy = make_bare(workspace.root / "delivered.git")
        take_objects(bare / "objects", copy)
        # A repository that came with the tree is no part of what a commit holds.
        given = {path: entry for path, entry in before.items() if not path.startswith(".git/")}
        return difference(given, check_out(copy, commit, workspace))


def _nothing(outcome: Outcome, why: str = "") -> Delivery:
    attempt = evolve(outcome.attempt, submission=None, note=outcome.attempt.note or why)
    empty = Difference(patch=Patch(), left_behind={})
    return Delivery(left=empty, outcome=evolve(outcome, attempt=attempt))
