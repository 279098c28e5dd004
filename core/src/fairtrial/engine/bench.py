"""Where an attempt happens: its way to the model, its private scratch, its workspace."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import frozen

from fairtrial.api import Equipment, GatewaySession, Workspace
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room


@frozen(kw_only=True)
class Bench:
    """
    All that one attempt is given.

    Attributes:
        workspace: Where it works.
        scratch: A private directory for the agent's own files.
        gateway: Its metered way to the model, where one is configured.
        equipment: What the task's programs need.
    """

    workspace: Workspace
    scratch: Path
    gateway: GatewaySession | None
    equipment: Equipment


@contextmanager
def bench(cell: Cell, room: Room) -> Iterator[Bench]:
    """
    Lays out one attempt's bench and clears it away again.

    What the attempt leaves in `scratch/native` goes to the trial's artifacts.

    Raises:
        NeedMissing: The task needs what isn't here.
        MachineError: The fence is required and can't be had.
    """
    equipment = room.equip(cell.task)
    with ExitStack() as stack:
        gateway = None
        if room.gateway is not None and not cell.control:
            gateway = room.gateway.open(cell.label, cell.task.brief.budget_usd)
            stack.callback(gateway.close)
        scratch = Path(tempfile.mkdtemp(prefix="fairtrial-scratch-"))
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        stack.callback(_keep_native, scratch, cell, room)
        workspace = stack.enter_context(
            room.open_for_attempt(
                cell.label, equipment, scratch, None if gateway is None else gateway.socket
            )
        )
        yield Bench(workspace=workspace, scratch=scratch, gateway=gateway, equipment=equipment)


def _keep_native(scratch: Path, cell: Cell, room: Room) -> None:
    native = scratch / "native"
    # A link in its place would let an agent have another directory copied.
    if native.is_symlink() or not native.is_dir():
        return
    target = room.directory.trial(cell.task.id, cell.solver, cell.rollout) / "native"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(native, target, symlinks=True, ignore_dangling_symlinks=True)
