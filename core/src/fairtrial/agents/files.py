"""The user's own files, laid where a program finds them in every sandbox."""

import shutil
from pathlib import Path

from fairtrial.api import MachineError


def lay_files(folder: Path, scratch: Path, asked_in: str) -> None:
    """
    Copies a folder's content into the private directory of an attempt; links stay links.

    Args:
        folder: The user's folder.
        scratch: The private directory.
        asked_in: Where it is named, for the message.

    Raises:
        MachineError: It isn't there, or can't be read.
    """
    try:
        shutil.copytree(folder, scratch, symlinks=True, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise MachineError(
            problem=f"the folder “{folder}” can't be copied",
            facts=(("asked for in", asked_in), ("because", str(error))),
            way_on="make it a folder that you can read, relative to the config's own",
        ) from error
