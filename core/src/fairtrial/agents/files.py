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
        raise _not_copied(folder, asked_in, str(error)) from error


def lacks_files(folder: Path | None, asked_in: str) -> MachineError | None:
    """Says, before an attempt, that such a folder isn't there; None where it is, or none is asked."""
    if folder is None or folder.is_dir():
        return None
    return _not_copied(folder, asked_in, "there is no such folder")


def _not_copied(folder: Path, asked_in: str, because: str) -> MachineError:
    return MachineError(
        problem=f"the folder “{folder}” can't be copied",
        facts=(("asked for in", asked_in), ("because", because)),
        way_on="make it a folder that you can read, relative to the config's own",
    )
