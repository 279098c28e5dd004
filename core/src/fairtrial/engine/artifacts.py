"""What one trial leaves in the run directory, beside its line in the journal."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from fairtrial import serial
from fairtrial.api import FairtrialError, Patch
from fairtrial.engine.directory import unwritable
from fairtrial.engine.eventlog import EventLog, logs
from fairtrial.redaction import redact, redact_keys

TREE = "tree.json"
TRAJECTORY = "trajectory.jsonl"
RESTORE = "restore it from a copy"
"""The way on where one of them is lost or torn."""

LARGEST_OUTPUT = 2 * 2**20
"""Characters of what checks printed that are kept."""

LEFT_OUT = "(what was printed before is left out)\n"
ONE_LINE = "(and so is the last line, which alone is longer than what is kept)\n"


def keep_tree(place: Path, patch: Patch) -> None:
    """Keeps every byte of what an attempt changed, so that it can be graded again."""
    if patch:
        _keep(place / TREE, _lines(patch))


def _lines(patch: Patch) -> Iterator[bytes]:
    """Yields what `serial.dumps` makes of a patch, a change at a time, since one can be large."""
    yield b'{"changes":['
    for number, change in enumerate(patch.changes):
        yield b"," * bool(number) + serial.dumps(change).encode()
    yield b"]}"


def tree(place: Path) -> Patch:
    """
    Reads back what an attempt changed; an attempt that changed nothing left no file.

    Raises:
        FairtrialError: The file can't be understood.
    """
    path = place / TREE
    if not path.exists():
        return Patch()
    try:
        return serial.loads(Patch, path.read_bytes())
    except ValueError as error:
        raise FairtrialError(
            problem=f"“{path}” can't be understood: {error}", way_on=RESTORE
        ) from error


def keep_diff(place: Path, diff: bytes) -> None:
    """Keeps the patch as people read it; `tree.json` holds what was redacted here."""
    if diff:
        _keep(place / "patch.diff", [_without_keys(diff)])


def keep_output(place: Path, output: str) -> None:
    """Keeps the end of what the checks printed, in whole lines."""
    kept = output
    if len(output) > LARGEST_OUTPUT:
        # What is left of a line may begin within a key, which nobody would know for one.
        kept = LEFT_OUT + (output[-LARGEST_OUTPUT:].partition("\n")[2] or ONE_LINE)
    if kept:
        _keep(place / "check-output", [redact(kept).encode(errors="replace")])


def keep_error(place: Path, traceback: str) -> None:
    """Keeps the traceback of a plugin that raised."""
    if traceback:
        _keep(place / "error.txt", [redact(traceback).encode(errors="replace")])


def events(place: Path) -> EventLog | None:
    """
    Opens the trajectory, torn lines passed over; rotated logs come first.

    None where the attempt left no log, which is another thing than an empty one.
    """
    files = logs(place)
    return EventLog(files) if files else None


def _without_keys(diff: bytes) -> bytes:
    # Bytes that are no text come back as they were.
    text = diff.decode(errors="surrogateescape")
    return redact_keys(text).encode(errors="surrogateescape")


def _keep(path: Path, parts: Iterable[bytes]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise unwritable(path, error) from error
