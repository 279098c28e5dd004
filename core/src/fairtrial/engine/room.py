"""What all trials of a run share, and how workspaces are opened for them."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from attrs import evolve, field, frozen

from fairtrial import processes
from fairtrial.agents.desk import lay_helper
from fairtrial.api import (
    Answerer,
    Auditor,
    Equipment,
    Equipped,
    Fence,
    Gateway,
    Network,
    Sandbox,
    Solver,
    Suite,
    Task,
    Workspace,
)
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.disk import refuse_full
from fairtrial.engine.guard import Guard
from fairtrial.engine.programs import names_for, not_written_in
from fairtrial.engine.watch import Meter, Unwatched
from fairtrial.processes.surroundings import search_path


@frozen(kw_only=True)
class Room:
    """
    The plugins of a run, built, and the places where it works.

    Attributes:
        suite: Where tasks come from.
        solvers: By name; control arms are not among them.
        sandbox: Opens workspaces.
        answerer: Answers what agents ask.
        auditors: By name.
        gateway: Meters on the wire, where one is configured.
        ledger: Reads the meters.
        directory: The run directory.
        fence: What the attempt's sandbox is asked for; the checks' is always without network.
        names: What the config calls the solvers, by `id`; those that are parts of others, too.
        guard: Knows whether the programs that grade are still what they were.
        metered: Told of each trial's meter, by the trial's label.
        stop: Set when the user wants to leave at once.
    """

    suite: Suite
    solvers: Mapping[str, Solver]
    sandbox: Sandbox
    answerer: Answerer
    auditors: Mapping[str, Auditor]
    gateway: Gateway | None
    ledger: EnergyLedger
    directory: RunDirectory
    fence: Fence
    names: Mapping[int, str] = field(factory=dict)
    guard: Guard = field(factory=Guard)
    metered: Callable[[str, Meter], None] = Unwatched().metered
    stop: threading.Event = field(factory=threading.Event)

    def equip(self, task: Task) -> Equipment:
        """
        Returns what the task's programs need.

        Raises:
            NeedMissing: It can't be had here.
        """
        return self.suite.equip(task) if isinstance(self.suite, Equipped) else Equipment()

    def leave(self) -> None:
        """Ends everything that runs, at once; may be called from a signal handler."""
        self.stop.set()
        processes.interrupt()

    @contextmanager
    def guarded(self, task: Task, label: str) -> Iterator[None]:
        """
        Notes that a trial of a task is under way, from before its attempt until it is graded.

        Raises:
            MachineError: Programs that grade were changed, so that nothing can be graded here.
            NeedMissing: The task needs what isn't here.
        """
        self.watch_programs()
        if self.guard.watches:
            equipment = self.equip(task)
            given = equipment.variables.get("PATH") or search_path()
            path = ":".join([*map(str, equipment.path), given])
            self.guard.include((*names_for([task]), *equipment.programs), path)
        with self.guard.trial(label):
            yield

    def watch_programs(self) -> None:
        """
        Takes the programs that grade as they are, the first time that it is called.

        Raises:
            MachineError: One is as an attempt of an earlier run has left it.
        """
        self.guard.begin(self._programs)

    def _programs(self) -> tuple[str, ...] | None:
        """Returns the programs that checks start and that may be written; None in an image."""
        names = names_for(self.suite.tasks())
        with self.open_for_checks("programs", Equipment()) as workspace:
            if not not_written_in(workspace, names):
                return names
            return None if "image" in workspace.enforced else ()

    def open_for_attempt(
        self, label: str, equipment: Equipment, scratch: Path | None, model_socket: Path | None
    ) -> AbstractContextManager[Workspace]:
        """
        Opens the workspace in which a solver works; a control arm has no scratch.

        Raises:
            MachineError: The sandbox can't be used here, or the disk is full.
        """
        fence = evolve(self._fence(equipment), model_socket=model_socket)
        if scratch is not None:
            path = (lay_helper(scratch), *fence.path)
            fence = evolve(fence, writable=(scratch,), path=path)
        return self._open(label, fence)

    def open_for_checks(
        self, label: str, equipment: Equipment
    ) -> AbstractContextManager[Workspace]:
        """
        Opens a workspace in which no solver has ever been; it never has a network.

        Raises:
            MachineError: The sandbox can't be used here, or the disk is full.
        """
        fence = evolve(self._fence(equipment), network=Network.NONE)
        return self._open(f"{label}·checks", fence)

    @contextmanager
    def _open(self, label: str, fence: Fence) -> Iterator[Workspace]:
        with self.sandbox.open(label, fence) as workspace:
            refuse_full(workspace.root)
            yield workspace

    def _fence(self, equipment: Equipment) -> Fence:
        return evolve(
            self.fence,
            readable=equipment.readable,
            hidden=(*equipment.hidden, self.directory.path.absolute()),
            path=equipment.path,
            variables=equipment.variables,
        )
