"""The suite itself: another suite as it is, and one more opinion of what was delivered."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen
from attrs.validators import gt
from fairtrial.api.attempt import Patch
from fairtrial.api.errors import SuiteError
from fairtrial.api.sandbox import Workspace
from fairtrial.api.suite import (
    Checked,
    Concluding,
    Equipment,
    Equipped,
    Fault,
    HeldOut,
    PartlyRead,
    Preflighted,
    Receiving,
    Referenced,
    Suite,
)
from fairtrial.api.task import Task
from fairtrial.api.verdict import Check, CheckKind, Verdict

from fairtrial_suite_heldout.companions import Companions
from fairtrial_suite_heldout.keeping import Keeper
from fairtrial_suite_heldout.place import worktree
from fairtrial_suite_heldout.scoring import Held, score


@frozen(kw_only=True)
class HeldoutSuite:
    """
    The tasks of another suite, whose deliveries are graded once more by checks nobody has seen.

    Attributes:
        inner: The suite that has the tasks: a `[suites.*]` table, or a suite plugin.
        companions: The directory of the held-out set, outside the work tree.
        timeout_s: Seconds after which a held-out check has failed.
        root: The work tree, which must not hold the set; by default the repository around the
            current directory.
    """

    inner: Suite
    companions: Path = field(converter=Path)
    timeout_s: float = field(default=300.0, validator=gt(0))
    root: Path = field(factory=worktree, converter=Path)

    @property
    def version(self) -> str:
        """The inner suite's version: its verdicts are the same with and without a held-out set."""
        return self.inner.version

    @functools.cached_property
    def _set(self) -> Companions:
        return self._keeper.read()

    @functools.cached_property
    def _families(self) -> dict[str, str]:
        """Task id → family, of the tasks that this run scores."""
        return {task.id: task.family for task in self.inner.tasks()}

    @functools.cached_property
    def _held(self) -> dict[str, Held]:
        """Family → its companion's bytes, kept from the moment they are first read."""
        return {}

    @property
    def _keeper(self) -> Keeper:
        return Keeper(directory=self.companions.absolute(), root=self.root)

    def tasks(self) -> Iterable[Task]:
        """Yields the inner suite's tasks."""
        return self.inner.tasks()

    def preflight(self, tasks: Sequence[Task], /) -> None:
        """
        Finds the companion of every family, and lets the inner suite make ready.

        Raises:
            ConfigError: The set lies inside the work tree.
            SuiteError: Families have no companion; all of them are named.
        """
        families = dict.fromkeys(task.family for task in tasks)
        missing = [family for family in families if self._set.active(family) is None]
        if missing:
            raise SuiteError(
                problem=f"no active held-out check for {', '.join(missing)}",
                facts=(("set", str(self.companions)), ("version", str(self._set.version))),
                way_on="add one a family, by `fairtrial heldout add --family … --check …`",
            )
        for family in families:
            self._companion(family)
        if isinstance(self.inner, Preflighted):
            self.inner.preflight(tasks)

    def _companion(self, family: str) -> Held:
        if family not in self._held:
            active = self._set.active(family)
            if active is None:
                raise SuiteError(
                    problem=f"no active held-out check for {family}",
                    facts=(("set", str(self.companions)),),
                    way_on="add one, by `fairtrial heldout add --family … --check …`",
                )
            content = (self.companions / active.file).read_bytes()
            self._held[family] = Held(id=active.id, content=content)
        return self._held[family]

    def equip(self, task: Task, /) -> Equipment:
        """Finds what the task needs, and keeps the set out of every sandbox's sight."""
        equipment = self.inner.equip(task) if isinstance(self.inner, Equipped) else Equipment()
        return evolve(equipment, hidden=(*equipment.hidden, self.companions.resolve()))

    def seed(self, task: Task, workspace: Workspace, /) -> None:
        """Lays the task's tree, as the inner suite does."""
        self.inner.seed(task, workspace)

    def reference(self, task: Task, /) -> Patch | None:
        """Returns the inner suite's known-good fix."""
        return self.inner.reference(task) if isinstance(self.inner, Referenced) else None

    def grade(self, task: Task, workspace: Workspace, /) -> Verdict:
        """Grades the tree as the inner suite does; nothing of a companion is near."""
        return self.inner.grade(task, workspace)

    def receive(self, task: Task, submission: str, repository: Path, /) -> str | None:
        """Fetches what was delivered elsewhere, where the inner suite can."""
        if isinstance(self.inner, Receiving):
            return self.inner.receive(task, submission, repository)
        return None

    def held_out_version(self) -> str:
        """Returns the version of the set as this run scores it."""
        return str(self._set.version)

    def grade_held_out(self, task: Task, workspace: Workspace, /) -> Check:
        """Scores the tree by the companion of the task's family."""
        held = self._companion(task.family)
        passed = score(held, task.stack, workspace, self.timeout_s)
        return Check(name=held.id, kind=CheckKind.HELD_OUT, passed=passed)

    def conclude(self, verdicts: Mapping[str, Sequence[bool | None]], /) -> Mapping[str, object]:
        """
        Counts one decision for every task in which a companion was scored.

        However many solvers and rollouts met it there, whoever reads the run decides once.

        Raises:
            SuiteError: The set can't be written now.
        """
        counts: dict[str, int] = {}
        for task, outcomes in verdicts.items():
            if any(outcome is not None for outcome in outcomes):
                held = self._companion(self._families[task])
                counts[held.id] = counts.get(held.id, 0) + 1
        version = self._set.version
        after = self._keeper.decide(counts) if counts else self._set
        told: dict[str, object] = {"version": version}
        if after.version != version:
            told["next_version"] = after.version
        return told

    def readable(self) -> Sequence[Task]:
        """Returns the inner suite's tasks, those that can't be read left out where it can."""
        return tuple(
            self.inner.readable() if isinstance(self.inner, PartlyRead) else self.inner.tasks()
        )

    def faults(self) -> Sequence[Fault]:
        """Returns the broken rules of the inner suite, and the families without a companion."""
        faults = tuple(self.inner.faults()) if isinstance(self.inner, Checked) else ()
        return (*faults, *self._own_faults(faults))

    def _own_faults(self, told: Iterable[Fault]) -> Iterable[Fault]:
        try:
            known = {task.family: task.id for task in reversed(tuple(self.inner.tasks()))}
            missing = [family for family in known if self._set.active(family) is None]
        except SuiteError as error:
            if not any(error.problem in fault.problem for fault in told):
                problem = f"{error.problem}; {error.way_on}" if error.way_on else error.problem
                yield Fault(task=error.task or "", rule="held-out", problem=problem)
            return
        for family in missing:
            problem = f"family “{family}” has no active held-out check"
            yield Fault(task=known[family], rule="held-out", problem=problem)


_: type[Suite] = HeldoutSuite
_referenced: type[Referenced] = HeldoutSuite
_preflighted: type[Preflighted] = HeldoutSuite
_equipped: type[Equipped] = HeldoutSuite
_checked: type[Checked] = HeldoutSuite
_partly_read: type[PartlyRead] = HeldoutSuite
_held_out: type[HeldOut] = HeldoutSuite
_concluding: type[Concluding] = HeldoutSuite
_receiving: type[Receiving] = HeldoutSuite
