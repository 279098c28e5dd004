"""Whether there is room to work: on a full disk an agent fails for a reason that isn't its own."""

import shutil
from pathlib import Path

from fairtrial.api import MachineError

LEAST_FREE_MIB = 16
"""What a workspace must find free when it is opened, so that nothing of a trial is in it yet."""


def refuse_full(root: Path) -> None:
    """
    Refuses a workspace on a disk that is as good as full.

    Only one that was just opened may be looked at: code that fills the disk while it is judged has
    failed by its own doing.

    Raises:
        MachineError: There is too little room.
    """
    free_mib = shutil.disk_usage(root).free / 2**20
    if free_mib < LEAST_FREE_MIB:
        raise MachineError(
            problem=f"the disk of the workspaces is full: {free_mib:.1f} MiB are free in {root.parent}",
            way_on="make room there, or set TMPDIR to another place",
        )
