"""Running a command whose standard output is its report."""

from fairtrial.stacks.watched.room import Room

_LINE = 'exec >"$0" && rm -f "$0" && exec "$@"'
_BOTH = 'exec >"$0" 2>&1 && rm -f "$0" && exec "$@"'


def started(argv: tuple[str, ...]) -> str:
    """Returns the program that a command starts, by way of `into_report` or not."""
    return argv[4] if argv[:2] == ("sh", "-c") and argv[2] in (_LINE, _BOTH) else argv[0]


def into_report(argv: tuple[str, ...], room: Room, *, both: bool = False) -> tuple[str, ...]:
    """
    Returns the command with its standard output, or both, in the report's file.

    The file is open before the command starts and has no name by then, and it is not cut off
    where a long output would be.
    """
    return ("sh", "-c", _BOTH if both else _LINE, str(room.report), *argv)
