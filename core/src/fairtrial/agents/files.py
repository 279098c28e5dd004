"""The user's own files, laid where a program finds them in every sandbox; fairtrial's apart."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.api import MachineError

OWN = ".fairtrial"
"""The folder of an attempt's private directory in which nothing of the user's lies."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def own_folder(scratch: Path) -> Path:
    """Returns the folder for what a program is given by fairtrial itself; makes it."""
    own = scratch / OWN
    own.mkdir(exist_ok=True)
    return own


@contextmanager
def logs_apart(scratch: Path) -> Iterator[Path]:
    """
    Yields a folder for the logs of a program; in the end they are moved to `native`.

    Until then `native` is the program's own: there may be a file of that name among the user's.
    A folder is made for it where there is none, since a program may want to leave its own logs.
    """
    logs, native = own_folder(scratch) / "native", scratch / "native"
    logs.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        native.mkdir()
    # Opened before a program runs: a link that takes its place later would lead anywhere.
    source = os.open(logs, _FOLDER)
    try:
        yield logs
    finally:
        # What a program did to the place of its own logs is no reason to break off.
        with suppress(OSError):
            _move(source, native)
        os.close(source)


def _move(source: int, native: Path) -> None:
    if native.is_symlink() or not native.is_dir():
        native.unlink(missing_ok=True)
        native.mkdir()
    target = os.open(native, _FOLDER)
    try:
        for name in os.listdir(source):
            with suppress(OSError):
                _put(name, source, target)
    finally:
        os.close(target)


def _put(name: str, source: int, target: int) -> None:
    try:
        os.rename(name, name, src_dir_fd=source, dst_dir_fd=target)
    except IsADirectoryError:
        shutil.rmtree(name, dir_fd=target)
        os.rename(name, name, src_dir_fd=source, dst_dir_fd=target)


def lay_files(folder: Path, scratch: Path, asked_in: str) -> None:
    """
    Copies a folder's content into the private directory of an attempt; links stay links.

    Args:
        folder: The user's folder.
        scratch: The private directory.
        asked_in: Where it is named, for the message.

    Raises:
        MachineError: It isn't there, can't be read, or holds what is fairtrial's.
    """
    lack = lacks_files(folder, asked_in)
    if lack is not None:
        raise lack
    mode = scratch.stat().st_mode
    try:
        shutil.copytree(folder, scratch, symlinks=True, dirs_exist_ok=True)
        # The folder's own mode was copied, too; the directory stays private.
        scratch.chmod(mode)
    except (OSError, shutil.Error) as error:
        raise _not_copied(folder, asked_in, str(error)) from error


def lacks_files(folder: Path | None, asked_in: str) -> MachineError | None:
    """Says, before an attempt, why such a folder can't be laid; None for one that can, or none."""
    if folder is None:
        return None
    if not folder.is_dir():
        return _not_copied(folder, asked_in, "there is no such folder")
    if os.path.lexists(folder / OWN):
        return MachineError(
            problem=f"the folder “{folder}” holds “{OWN}”, which is fairtrial's own name",
            facts=(("asked for in", asked_in),),
            way_on="give it another name",
        )
    return None


def _not_copied(folder: Path, asked_in: str, because: str) -> MachineError:
    return MachineError(
        problem=f"the folder “{folder}” can't be copied",
        facts=(("asked for in", asked_in), ("because", because)),
        way_on="make it a folder that you can read, relative to the config's own",
    )
