"""Where an attempt happens: its way to the model, its private scratch, its workspace."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import frozen

from fairtrial.api import (
    CpuCounted,
    Equipment,
    GatewaySession,
    MachineError,
    Network,
    Workspace,
)
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.secrecy import copy_without_keys, holds_logs
from fairtrial.processes.leftovers import owned_prefix
from fairtrial.processes.relay import MODEL_URL
from fairtrial.processes.removal import remove_tree

_LOOPBACK = re.compile(r"https?://(?:127\.0\.0\.1|localhost):\d+")


@frozen(kw_only=True)
class Bench:
    """
    All that one attempt is given.

    Attributes:
        workspace: Where it works.
        scratch: A private directory for the agent's own files; None for a control arm.
        gateway: Its metered way to the model, where one is configured.
        equipment: What the task's programs need.
    """

    workspace: Workspace
    scratch: Path | None
    gateway: GatewaySession | None
    equipment: Equipment

    @property
    def environment(self) -> dict[str, str]:
        """
        What the agent needs to find its model.

        Where the workspace lets the gateway's socket through and nothing else, every address on
        this machine that the gateway tells stands for that socket, and is the relay's inside.
        """
        told = {} if self.gateway is None else dict(self.gateway.environment)
        if self.workspace.enforced.get("network") != Network.MODEL_ONLY.value:
            return told
        return {name: _LOOPBACK.sub(MODEL_URL, value) for name, value in told.items()}

    @property
    def apart(self) -> bool:
        """Whether programs run in control groups of their own: containers, or one with a limit."""
        kept = self.workspace.enforced
        return kept.get("processes") == "container" or kept.get("memory", "").startswith("all:")

    def cpu_us(self) -> int | None:
        """Returns the CPU microseconds of the workspace's programs so far; None if not known."""
        return self.workspace.cpu_us() if isinstance(self.workspace, CpuCounted) else None

    def cpu_us_since(self, before_us: int | None) -> int | None:
        """
        Returns the CPU microseconds that programs of the workspace used since `cpu_us` was read.

        Where no program ran, the solver worked in this process if at all, and nothing is known.
        """
        after_us = self.cpu_us()
        if before_us is None or after_us is None or after_us <= before_us:
            return None
        return after_us - before_us


@contextmanager
def bench(cell: Cell, room: Room, equipment: Equipment | None = None) -> Iterator[Bench]:
    """
    Lays out one attempt's bench and clears it away again.

    What the attempt leaves in `scratch/native` goes to the trial's artifacts.

    Args:
        cell: The trial.
        room: What all trials share.
        equipment: In place of what the task needs.

    Raises:
        NeedMissing: The task needs what isn't here.
        MachineError: The fence is required and can't be had.
    """
    equipment = room.equip(cell.task) if equipment is None else equipment
    with ExitStack() as stack:
        gateway = None
        if room.gateway is not None and not cell.control:
            gateway = room.gateway.open(cell.label, cell.task.brief.budget_usd)
            stack.callback(gateway.close)
            room.metered(cell.label, gateway.usage)
            _refuse_without_socket(gateway, room)
        scratch = None
        if not cell.control:
            scratch = Path(tempfile.mkdtemp(prefix=owned_prefix()))
            stack.callback(remove_tree, scratch)
            stack.callback(_keep_native, scratch, cell, room)
        workspace = stack.enter_context(
            room.open_for_attempt(
                cell.label, equipment, scratch, None if gateway is None else gateway.socket
            )
        )
        yield Bench(workspace=workspace, scratch=scratch, gateway=gateway, equipment=equipment)


def _refuse_without_socket(gateway: GatewaySession, room: Room) -> None:
    if room.fence.network is Network.MODEL_ONLY and gateway.socket is None:
        raise MachineError(
            problem="the gateway has no socket, so that a model-only fence lets nothing through",
            way_on="choose a gateway that listens on a socket, or another network",
        )


def _keep_native(scratch: Path, cell: Cell, room: Room) -> None:
    native = scratch / "native"
    if not holds_logs(native):
        return
    target = room.directory.trial(cell.task.id, cell.solver, cell.rollout) / "native"
    shutil.rmtree(target, ignore_errors=True)
    copy_without_keys(native, target)
