"""The user's own files, laid where a program finds them in every sandbox; fairtrial's apart."""

import os
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from fairtrial.api import LogMessage, MachineError, Session

OWN = ".fairtrial"
"""The folder of an attempt's private directory in which nothing of the user's lies."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def own_folder(scratch: Path) -> Path:
    """Returns the folder for what a program is given by fairtrial itself; makes it."""
    own = scratch / OWN
    own.mkdir(exist_ok=True)
    return own


@contextmanager
def logs_apart(session: Session) -> Iterator[Path]:
    """
    Yields a folder for the logs of a program; in the end they are moved to `native`.

    Until then `native` is the program's own: there may be a file of that name among the user's.
    A folder is made for it where there is none, since a program may want to leave its own logs.
    Where some can't be moved, that is said in the trajectory.
    """
    logs, native = own_folder(session.scratch) / "native", session.scratch / "native"
    logs.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        native.mkdir()
    # Opened before a program runs: a link that takes its place later would lead anywhere.
    source = os.open(logs, _FOLDER)
    try:
        yield logs
    finally:
        # What a program did to the place of its own logs is no reason to break off.
        lost = _move(source, native)
        os.close(source)
        if lost:
            message = f"not all logs of the program are kept: {lost}"
            session.record(LogMessage(level="warn", message=message))


@contextmanager
def only_asked(scratch: Path) -> Iterator[None]:
    """
    Takes away what a program logs that is only asked something, such as its version.

    What it leaves in `native` would be taken for the attempt's. What it leaves in fairtrial's own
    folder would be taken for fairtrial's: that goes as a whole, and has to be filled anew.
    """
    top = os.open(scratch, _FOLDER)
    before = _listed(top)
    try:
        yield
    finally:
        with suppress(OSError, RecursionError):
            _clear(top, before)
        with suppress(OSError, RecursionError):
            _remove(OWN, top)
        os.close(top)


def _listed(top: int) -> Collection[str] | None:
    """Returns what lies in `native`, which may be a file of the user's; None where it isn't there."""
    try:
        native = os.open("native", _FOLDER, dir_fd=top)
    except FileNotFoundError:
        return None
    except OSError:
        return ()
    try:
        return _names(native)
    finally:
        os.close(native)


def _clear(top: int, kept: Collection[str] | None) -> None:
    if kept is None:
        _remove("native", top)
        return
    native = os.open("native", _FOLDER, dir_fd=top)
    try:
        for name in _names(native):
            if name not in kept:
                _remove(name, native)
    finally:
        os.close(native)


def _names(folder: int) -> list[str]:
    return os.listdir(folder)


def _remove(name: str, folder: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except (IsADirectoryError, PermissionError):
        shutil.rmtree(name, dir_fd=folder)


def reclaimed(place: Path) -> int:
    """
    Opens a folder of an attempt's for writing, whatever a program did to it.

    Where there is none, or a link, it is made. One that was locked is unlocked.

    Raises:
        OSError: There is no way to have it.
    """
    if place.is_symlink() or not place.is_dir():
        place.unlink(missing_ok=True)
        place.mkdir()
    try:
        handle = os.open(place, _FOLDER)
    except PermissionError:
        place.chmod(stat.S_IRWXU)
        handle = os.open(place, _FOLDER)
    mode = stat.S_IMODE(os.fstat(handle).st_mode)
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        with suppress(OSError):
            os.fchmod(handle, mode | stat.S_IRWXU)
    return handle


def log_folder(native: Path) -> Path | None:
    """
    Returns the folder of a program's logs, ready for another start of it.

    What an earlier start put in their place would lead elsewhere, or never be open. None where
    it can't be had.
    """
    try:
        folder = reclaimed(native)
    except OSError:
        return None
    try:
        for name in ("stdout", "stderr"):
            _out_of_the_way(name, folder)
    except OSError:
        return None
    finally:
        os.close(folder)
    return native


def lay_file(folder: int, parts: Sequence[str], content: bytes) -> None:
    """
    Writes a file below an open folder, which nothing that lies there already can lead elsewhere.

    Args:
        folder: The folder.
        parts: The file's path below it.
        content: What it holds.

    Raises:
        OSError: Something that is no folder stands in the way, or it can't be written.
    """
    *folders, name = parts
    inner = os.dup(folder)
    try:
        for part in folders:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=inner)
            outer, inner = inner, os.open(part, _FOLDER, dir_fd=inner)
            os.close(outer)
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=inner)
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=inner)
    finally:
        os.close(inner)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def _move(source: int, native: Path) -> str:
    """Moves what is in an open folder; returns why some of it is lost, empty where nothing is."""
    try:
        target = reclaimed(native)
    except OSError as error:
        return reason(error)
    try:
        lost = [_put(name, source, target) for name in _names(source)]
    finally:
        os.close(target)
    return next(filter(None, lost), "")


def _put(name: str, source: int, target: int) -> str:
    try:
        _out_of_the_way(name, target)
        os.rename(name, name, src_dir_fd=source, dst_dir_fd=target)
    except OSError as error:
        return reason(error)
    return ""


def _out_of_the_way(name: str, folder: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):
        # It may be nested without end: it is not removed, but kept under another name.
        os.rename(name, f"{name}-{secrets.token_hex(4)}", src_dir_fd=folder, dst_dir_fd=folder)


def reason(error: OSError) -> str:
    """Returns what the system says of an error, without a path."""
    return error.strerror or type(error).__name__


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
