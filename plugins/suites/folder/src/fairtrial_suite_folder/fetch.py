"""
Programs that the suite itself runs on the host, before a run: package managers and git.

This is the suite's only module that starts a process outside a workspace. What it starts is named
by this package, never by a task or by what was fetched; it reads no terminal, and it is bounded.
"""

import os
import shutil
import subprocess  # the one place: see above
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen


@frozen(kw_only=True)
class Ran:
    """
    How a tool ended.

    Attributes:
        code: Its exit status; None where it did not end in time.
        stdout: What it printed.
        stderr: What it complained about.
    """

    code: int | None
    stdout: bytes = b""
    stderr: bytes = b""

    @property
    def complaint(self) -> str:
        """The last line that says something, for a message."""
        text = (self.stderr or self.stdout).decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if self.code is None:
            return "it did not end in time"
        return lines[-1][:300] if lines else f"it ended with status {self.code}"


def which(program: str, path: Sequence[Path] = ()) -> str | None:
    """Returns where a program is, asking the given folders before `PATH`."""
    folders = os.pathsep.join([*map(str, path), os.environ.get("PATH", os.defpath)])
    return shutil.which(program, path=folders)


def run(
    argv: Sequence[str],
    *,
    timeout_s: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> Ran:
    """
    Runs a tool to its end; a tool that is missing or too slow is a `Ran` like any other.

    Args:
        argv: The program and its arguments.
        timeout_s: Seconds after which it is killed.
        cwd: Where it runs.
        environment: Added to the harness's own; an empty value takes a variable away.
        stdin: What it can read.
    """
    variables = {**os.environ, **(environment or {})}
    kept = {name: value for name, value in variables.items() if value}
    try:
        done = subprocess.run(  # noqa: S603 - argv is this package's own; see the module
            argv,
            input=stdin,
            capture_output=True,
            timeout=timeout_s,
            cwd=cwd,
            env=kept,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return Ran(code=None, stdout=error.stdout or b"", stderr=error.stderr or b"")
    except OSError as error:
        return Ran(code=127, stderr=str(error).encode())
    return Ran(code=done.returncode, stdout=done.stdout, stderr=done.stderr)
