"""Whether a program is there, known before an attempt needs it, and without starting it."""

from collections.abc import Mapping

from fairtrial.api import ProgramMissing, Workspace

_LOOK = 'command -v -- : >/dev/null || exit 0; command -v -- "$1"'
"""The first half: a shell that doesn't find its own `:` so can't be asked."""
_ABSENT = (1, 127)
"""What shells exit with where a name leads nowhere."""
_LOOK_S = 30.0


def comes_with_the_task(program: str, env: Mapping[str, str]) -> bool:
    """
    Tells whether only an attempt can know where a program lies.

    So it is with a path relative to the workspace, with a placeholder, and with a PATH of either.
    """
    relative = "/" in program and not program.startswith("/")
    path = env.get("PATH", "/")
    return relative or "{" in program + path or not all(map(_absolute, path.split(":")))


def lacks_program(
    program: str, workspace: Workspace, env: Mapping[str, str], asked_in: str
) -> ProgramMissing | None:
    """
    Looks for a program where an attempt would find it.

    Args:
        program: Its name, or its whole path.
        workspace: Where it would be started.
        env: What it would get besides the sandbox's own environment.
        asked_in: Where it is named, for the message.

    Returns:
        The error of an attempt that doesn't find it; None where it is there, and where that
        can't be known.

    Raises:
        SandboxDied: The sandbox broke.
    """
    if comes_with_the_task(program, env):
        return None
    try:
        looked = workspace.run(["/bin/sh", "-c", _LOOK, "sh", program], timeout_s=_LOOK_S, env=env)
    except (OSError, ValueError):
        # No shell to ask, as in an image that holds one program alone.
        return None
    return absent(program, asked_in) if looked.code in _ABSENT else None


def absent(program: str, asked_in: str) -> ProgramMissing:
    """Returns the error for a program that isn't there."""
    return ProgramMissing(
        program=program,
        problem=f"the program “{program}” is not installed",
        facts=(("asked for in", asked_in),),
        way_on="install it, or write its whole path in `argv`",
    )


def _absolute(folder: str) -> bool:
    return folder.startswith("/")
