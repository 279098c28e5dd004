"""What a selector may look at for one task × solver, with the cost of each look."""

import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from attrs import define, evolve, field

from fairtrial import serial
from fairtrial.api import (
    Brief,
    BudgetError,
    Candidate,
    Change,
    CheckKind,
    Finished,
    MachineError,
    Patch,
    RunError,
    Selector,
    Solver,
    Spender,
    Task,
    Trial,
    Usage,
)
from fairtrial.energy.ledger import Window
from fairtrial.engine import artifacts
from fairtrial.engine.attempt import Outcome, attempt
from fairtrial.engine.bench import bench
from fairtrial.engine.budget import Purse
from fairtrial.engine.cleanroom import admit, lay
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.figures.rates import money

CONSULTED = "·consulted"
"""Who spent, in the purse, where a selector asked a solver that can."""

LONGEST_ANSWER = 64 * 1024
"""Bytes of an answer that are read."""


@define(kw_only=True)
class Selecting:
    """
    Implements `fairtrial.api.SelectionSession`.

    Attributes:
        label: What its consultations are called, in labels and below `trials/`.
        task: The task.
        trials: The attempts to choose from, by rollout.
        room: What all trials share.
        purse: Guards the run's budget.
        window: Its own window of joules; None until it is open.
        asks: Whether solvers may be asked; not where a stored run is graded again.
        peeked: Whether it asked what the hidden checks said.
        runs: How many programs it ran.
        outcomes: Of the consultations, in their order.
    """

    label: str
    task: Task
    trials: Mapping[int, Trial]
    room: Room
    purse: Purse
    window: Window | None = None
    asks: bool = True
    peeked: bool = False
    runs: int = 0
    outcomes: list[Outcome] = field(factory=list)

    @property
    def brief(self) -> Brief:
        """What was asked of the solver."""
        return self.task.brief

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The attempts that left a tree, by their rollout."""
        return tuple(self._candidate(trial) for trial in self.trials.values())

    def _candidate(self, trial: Trial) -> Candidate:
        patch = self._admitted(trial.rollout)
        checks = () if trial.verdict is None else trial.verdict.checks
        outcomes = [check.passed for check in checks if check.kind is CheckKind.REGRESSION]
        return Candidate(
            rollout=trial.rollout,
            ending=trial.ending,
            tree=hashlib.sha256(serial.dumps(patch).encode()).hexdigest(),
            changed=patch.paths,
            tests_passed=None if not outcomes or None in outcomes else all(outcomes),
        )

    def diff(self, rollout: int, /) -> str:
        """Returns what an attempt changed, as a unified diff."""
        path = self._place(rollout) / "patch.diff"
        return path.read_bytes().decode(errors="replace") if path.is_file() else ""

    def run(self, rollout: int, argv: Sequence[str], /, *, timeout_s: float) -> Finished:
        """Runs a program in a fresh workspace that holds an attempt's tree."""
        self.runs += 1
        equipment = self.room.equip(self.task)
        with self.room.open_for_checks(self.label, equipment) as workspace:
            self.room.suite.seed(self.task, workspace)
            lay(self._admitted(rollout), workspace.root)
            try:
                return workspace.run(list(argv), timeout_s=timeout_s)
            except (OSError, ValueError) as error:
                raise MachineError(
                    problem=f"“{argv[0]}” can't be started to look at an attempt",
                    facts=(("because", str(error)),),
                    way_on="install it, or write its whole path",
                ) from error

    def consult(
        self, solver: Solver, prompt: str, files: Mapping[str, str], /, *, answer_in: str
    ) -> str | None:
        """Lets a solver look at the untouched tree and some files, and answer in a file."""
        if not self.asks:
            raise RunError(
                problem="no solver is asked where a stored run is graded again",
                way_on="run again with --resume",
            )
        if not self.purse.reserve():
            raise BudgetError(
                problem=f"the budget of ${money(self.purse.total_usd)} in all would not cover it",
                way_on="raise budget_usd_total, and run again with --resume",
            )
        cell = Cell(
            task=evolve(self.task, brief=evolve(self.task.brief, prompt=prompt)),
            solver=self.label,
            rollout=len(self.outcomes) + 1,
        )
        room = evolve(self.room, solvers={self.label: solver})
        began, outcome = False, None
        try:
            with bench(cell, room) as place:
                room.suite.seed(self.task, place.workspace)
                lay(_laid(files), place.workspace.root)
                began = True
                outcome = attempt(cell, room, place, self.window)
                self.outcomes.append(outcome)
                place.workspace.settle()
                return _read(place.workspace.root / answer_in, place.workspace.root)
        finally:
            if began:
                self.purse.settle(None if outcome is None else self._as_trial(solver, outcome))
            else:
                self.purse.release()

    def resolved(self, rollout: int, /) -> bool | None:
        """Tells what the hidden checks said, and remembers that it was asked for."""
        self.peeked = True
        return self.trials[rollout].resolved

    @property
    def usage(self) -> tuple[Usage, ...]:
        """What the consultations used, as the solvers tell it."""
        return tuple(usage for outcome in self.outcomes for usage in outcome.attempt.usage)

    @property
    def metered(self) -> tuple[Usage, ...] | None:
        """The same as a gateway metered it; None where there was none, or nothing was asked."""
        if not self.outcomes or any(outcome.metered is None for outcome in self.outcomes):
            return None
        return tuple(usage for outcome in self.outcomes for usage in outcome.metered or ())

    def note(self) -> str:
        """Says how the last consultation went, where it went wrong."""
        if not self.outcomes:
            return ""
        said = self.outcomes[-1].attempt
        return f"{said.ending}: {said.note}" if said.note else str(said.ending)

    def _admitted(self, rollout: int) -> Patch:
        return admit(artifacts.tree(self._place(rollout)), self.task).admitted

    def _place(self, rollout: int) -> Path:
        trial = self.trials[rollout]
        return self.room.directory.trial(trial.task, trial.solver, rollout)

    def _as_trial(self, solver: Solver, outcome: Outcome) -> Trial:
        """Returns a consultation as the purse counts it."""
        told = solver.spends if isinstance(solver, Spender) else None
        spends = self.room.gateway is not None if told is None else told
        return Trial(
            task=self.task.id,
            digest=self.task.digest,
            family=self.task.family,
            solver=CONSULTED if spends else "",
            ending=outcome.attempt.ending,
            usage=outcome.attempt.usage,
            metered=outcome.metered,
        )


def among(selector: Selector, session: Selecting) -> str:
    """Returns a digest of who chooses from what; another rollout is another one."""
    parts = [
        (each.rollout, each.tree, each.tests_passed, session.trials[each.rollout].started_at)
        for each in session.candidates
    ]
    return hashlib.sha256(repr((selector, parts)).encode()).hexdigest()


def _laid(files: Mapping[str, str]) -> Patch:
    return Patch(
        changes=tuple(
            Change(path=PurePosixPath(path), after=text.encode(errors="replace"))
            for path, text in files.items()
        )
    )


def _read(path: Path, root: Path) -> str | None:
    """Reads a short plain file below the root; no link is followed, no pipe waited for."""
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        return None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return file.read(LONGEST_ANSWER).decode(errors="replace")
