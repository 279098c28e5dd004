"""
The way in: `fairtrial …`.

The front page and the version are answered here, before anything is imported; the rest goes to
`dispatch`.
"""

import gc
import os
import sys
from collections.abc import Sequence

from fairtrial.cli.commands import COMPLETING
from fairtrial.cli.streams import emit, flush, settle_streams

_COLLECTED_EVERY = 200_000
"""New objects after which cycles are looked for: importing makes many objects, and no garbage."""

_FRONT: tuple[list[str], ...] = ([], ["--help"], ["-h"])


def main(argv: Sequence[str] | None = None) -> int:
    """
    Runs one command line.

    Args:
        argv: The arguments after the program's name; by default those of this process.

    Returns:
        The exit code: 0 fine, 1 a gate failed, 2 config, plugin or usage, 3 the machine can't,
        130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    settle_streams()
    try:
        code = _run(arguments)
        return code or _say("")
    finally:
        flush()


def _run(arguments: list[str]) -> int:
    if COMPLETING not in os.environ:
        if arguments in _FRONT:
            from fairtrial.cli.front import front_page

            return _say(front_page())
        if arguments == ["--version"]:
            from importlib.metadata import version

            return _say(f"fairtrial {version('fairtrial-core')}\n")
    gc.set_threshold(_COLLECTED_EVERY)
    from fairtrial.cli.dispatch import dispatch

    return dispatch(arguments)


def _say(text: str) -> int:
    try:
        emit(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is shown, not lost
        from fairtrial.cli.show_error import show_error

        return show_error(error, verbose=False)
    return 0
