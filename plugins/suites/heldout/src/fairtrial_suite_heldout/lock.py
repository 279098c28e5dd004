"""One writer of a held-out set at a time."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairtrial.api.errors import SuiteError

NAME = "heldout.lock"
STEP_S = 0.05


@contextmanager
def held(directory: Path, *, patience_s: float = 0.0) -> Iterator[None]:
    """
    Holds a set's lock, and gives it back whatever happens.

    A harness that is killed outright leaves it; nothing but a person can tell that from one that
    is still at work.

    Args:
        directory: The set's.
        patience_s: Seconds to wait for another writer.

    Raises:
        SuiteError: Another writer holds it, or the directory can't be written.
    """
    path = directory / NAME
    _take(path, time.monotonic() + patience_s)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _take(path: Path, until: float) -> None:
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            if time.monotonic() < until:
                time.sleep(STEP_S)
                continue
            raise SuiteError(
                problem=f"the held-out set in “{path.parent}” is in use",
                facts=(("lock", str(path)), ("held by", _holder(path))),
                way_on="wait for the other one; remove the lock only after a crash",
            ) from error
        except OSError as error:
            raise SuiteError(
                problem=f"the held-out set in “{path.parent}” can't be locked",
                facts=(("because", str(error.strerror)),),
                way_on="mend the directory, or name another",
            ) from error
        with os.fdopen(descriptor, "w") as file:
            file.write(f"process {os.getpid()}\n")
        return


def _holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()[:80] or "–"
    except OSError:
        return "–"
