"""
Receipts: the log on disk, each line holding the hash of the line before it.

A line is canonical JSON (sorted keys, no spaces, integers and text in UTF-8; in ASCII where a text
is no UTF-8 or a number has more than 64 bits); `prev` is the SHA-256 of the line before, and the
last line holds how many there are. A receipt shows that the log was not edited afterwards and that
the joules follow from the readings. It can't show that the counter told the truth; who holds the
file could also make all of it anew, which is what a signature is for.
"""

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from io import BufferedWriter
from pathlib import Path

import orjson
from attrs import define, field

from fairtrial.api.errors import Unwritable

START = "0" * 64
"""The `prev` of the first line."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(line: bytes) -> str:
    """Returns the SHA-256 of a line without its end, in hex."""
    return hashlib.sha256(line).hexdigest()


@define(kw_only=True, eq=False)
class Receipts:
    """
    A file of receipts, open for appending.

    Attributes:
        head: Hash of the last line.
        count: How many lines there are.
        broken: Why lines are no longer written, such as a full disk; empty while they are.
    """

    head: str = START
    count: int = 0
    broken: str = ""
    _file: BufferedWriter | None = field(default=None, alias="file")

    def append(self, record: Mapping[str, object]) -> None:
        """Chains a record and writes it; it reaches the disk with `flush` or `close`."""
        line = canonical({"prev": self.head, **record})
        self.head = digest(line)
        self.count += 1
        if self._file is not None:
            try:
                self._file.write(line + b"\n")
            except OSError as error:
                self._give_up(error)

    def flush(self) -> None:
        """Hands all lines to the system."""
        self._try(lambda file: file.flush())

    def close(self, totals: Mapping[str, int]) -> None:
        """Writes the last line of this session and closes the file; may be called twice."""
        if self._file is None:
            return
        self.append(
            {"op": "close", "count": self.count, "head": self.head, "totals": dict(totals)}
        )
        self.flush()
        self._try(lambda file: os.fsync(file.fileno()))
        self._try(lambda file: file.close())
        self._file = None

    def _try(self, work: Callable[[BufferedWriter], object]) -> None:
        """Does something to the file; a disk that fails ends the receipts, never the run."""
        if self._file is None:
            return
        try:
            work(self._file)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        file, self._file = self._file, None
        self.broken = str(error.strerror or error)
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()


def open_receipts(path: Path | None) -> Receipts:
    """
    Opens a file of receipts, going on with the chain of one that is there.

    A last line that a crash cut short is cut off.

    Args:
        path: Where; None keeps the chain without a file.

    Raises:
        Unwritable: The file can't be written.
    """
    if path is None:
        return Receipts()
    try:
        lines = _whole_lines(path)
        head = digest(lines[-1]) if lines else START
        return Receipts(head=head, count=len(lines), file=path.open("ab"))
    except OSError as error:
        raise Unwritable(
            problem=f"the receipts “{path}” can't be written",
            facts=(("because", str(error.strerror or error)),),
            way_on="give the run a directory that you may write to",
        ) from error


def canonical(record: Mapping[str, object]) -> bytes:
    """Returns the line of a record, without its end."""
    try:
        return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        # It knows no whole number beyond 64 bits, and no half of a surrogate pair.
        return _ENCODER.encode(record).encode("ascii")


def _whole_lines(path: Path) -> list[bytes]:
    """Returns the lines that are there, after cutting off an unfinished last one."""
    if not path.exists():
        return []
    if not path.is_file():
        # To open a pipe would wait for whoever writes into it.
        raise OSError(errno.EINVAL, "it is no file")
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) != len(content):
        os.truncate(path, len(whole))
    return whole.splitlines()
