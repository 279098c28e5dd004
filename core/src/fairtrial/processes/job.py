"""What to start: a program, its arguments, its environment, its place and its limits."""

import marshal
import os
import resource
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen
from attrs.validators import ge, gt, min_len, optional

LEAST_MEMORY_MB = 32
"""The warden, which sets the limits on itself before it starts the program, needs so much."""


@frozen(kw_only=True)
class Limits:
    """
    Limits that the kernel holds, each for every single process.

    Attributes:
        memory_mb: Most private memory (`RLIMIT_DATA`), in MiB.
        file_mb: Longest file that may be written (`RLIMIT_FSIZE`), in MiB.
    """

    memory_mb: int | None = field(default=None, validator=optional(ge(LEAST_MEMORY_MB)))
    file_mb: int | None = field(default=None, validator=optional(gt(0)))

    def pairs(self) -> list[tuple[int, int]]:
        """Returns the limits that are set, as `setrlimit` takes them."""
        asked = ((resource.RLIMIT_DATA, self.memory_mb), (resource.RLIMIT_FSIZE, self.file_mb))
        return [(what, mb << 20) for what, mb in asked if mb]


@frozen(kw_only=True)
class Job:
    """
    One program to start.

    Attributes:
        argv: The program and its arguments, as it sees them.
        env: Its whole environment; nothing is inherited.
        cwd: The directory in which it starts.
        label: For people who look at processes.
        limits: What it may use.
        status: A file that is its descriptor 3, to be appended to; for a sandbox's own programs.
    """

    argv: tuple[str, ...] = field(validator=min_len(1))
    env: Mapping[str, str]
    cwd: Path
    label: str = ""
    limits: Limits = Limits()
    status: Path | None = None

    def encode(self) -> bytes:
        """
        Returns the message from which a warden starts it.

        Raises:
            FileNotFoundError: The program isn't on the PATH that the job itself gives.
            ValueError: A text holds a NUL, which no program can be given.
        """
        texts = (*self.argv, *self.env.keys(), *self.env.values())
        if any("\0" in text for text in texts):
            raise ValueError("a program's arguments and environment can't hold a NUL character")
        body = marshal.dumps(
            {
                "argv": [os.fsencode(text) for text in self.argv],
                "env": {os.fsencode(k): os.fsencode(v) for k, v in self.env.items()},
                "cwd": os.fsencode(self.cwd),
                "program": os.fsencode(find_program(self.argv[0], self.env.get("PATH", ""))),
                "name": f"ft {self.label}".encode("ascii", "replace"),
                "limits": self.limits.pairs(),
                "status": b"" if self.status is None else os.fsencode(self.status),
            }
        )
        return len(body).to_bytes(8, "big") + body


def find_program(name: str, path: str) -> str:
    """
    Returns the file that a program's name stands for.

    Args:
        name: With a slash it is a file already, and is returned as it is.
        path: Directories, joined by `:`; relative ones are passed over.

    Raises:
        FileNotFoundError: No directory holds an executable file of that name.
    """
    if "/" in name:
        return name
    for folder in path.split(":") if name else ():
        candidate = f"{folder}/{name}"
        # `isfile` guards against directories, which are executable too.
        if folder.startswith("/") and os.access(candidate, os.X_OK) and os.path.isfile(candidate):  # noqa: PTH113 - Path would double the cost of each start
            return candidate
    raise FileNotFoundError(2, "no such program on the PATH", name)
