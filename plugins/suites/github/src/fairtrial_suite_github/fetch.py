"""
Programs that the suite runs on the host: `gh`, with the user's own credentials, and `git`.

This is the suite's only module that starts a process. What it starts is named by this package;
it reads no terminal, and it is bounded. It is reached before a run and after an attempt, never
while one is under way.
"""

import os
import subprocess  # the one place: see above
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen
from fairtrial.api.errors import MachineError

TIMEOUT_S = 120.0

QUIET = {
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_SPINNER_DISABLED": "1",
    "NO_COLOR": "1",
    "CLICOLOR_FORCE": "",
    "GH_DEBUG": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    "GIT_DIR": "",
    "GIT_WORK_TREE": "",
    "GIT_INDEX_FILE": "",
}
"""Variables that make both say the same everywhere; an empty one is taken away."""


@frozen(kw_only=True)
class Ran:
    """
    How a program ended.

    Attributes:
        code: Its exit status.
        stdout: What it printed.
        stderr: What it complained about.
    """

    code: int
    stdout: bytes
    stderr: str


def run(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """
    Runs a program to its end.

    Raises:
        MachineError: It isn't here, or doesn't end in time.
    """
    variables = {**os.environ, **QUIET, **(env or {})}
    try:
        done = subprocess.run(  # noqa: S603 - argv is this package's own; see the module
            argv,
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT_S,
            cwd=cwd,
            env={name: value for name, value in variables.items() if value},
            check=False,
        )
    except FileNotFoundError as error:
        raise MachineError(
            problem=f"the program “{argv[0]}” isn't here", way_on=f"install {argv[0]}"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise MachineError(
            problem=f"“{argv[0]} {argv[1]}” did not end within {TIMEOUT_S:g} s",
            way_on="look at the network, then try again",
        ) from error
    return Ran(
        code=done.returncode,
        stdout=done.stdout,
        stderr=done.stderr.decode("utf-8", "replace").strip(),
    )
