"""
The way in: `fairtrial …`.

The front page and the version are answered here, before anything is imported; the rest goes to
`dispatch`.
"""

import os
import sys
from collections.abc import Sequence

from fairtrial.cli.streams import emit, flush, settle_streams

_FRONT: tuple[list[str], ...] = ([], ["--help"], ["-h"])
_COMPLETING = "_FAIRTRIAL_COMPLETE"


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
        return _run(arguments)
    finally:
        flush()


def _run(arguments: list[str]) -> int:
    if _COMPLETING not in os.environ:
        if arguments in _FRONT:
            from fairtrial.cli.front import front_page

            emit(front_page())
            return 0
        if arguments == ["--version"]:
            from importlib.metadata import version

            emit(f"fairtrial {version('fairtrial-core')}\n")
            return 0
    from fairtrial.cli.dispatch import dispatch

    return dispatch(arguments)
