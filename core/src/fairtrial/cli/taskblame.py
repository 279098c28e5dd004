"""Whose doing an error is while tasks are checked: one task's own, or that of all that surrounds it."""

import errno
from collections.abc import Iterator, Sequence

import structlog

from fairtrial.api import FairtrialError, Preflighted, SandboxDied, Suite, SuiteError, Task

log = structlog.get_logger()

MACHINES_OWN = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What goes wrong with whichever task comes next: a full disk, too little memory."""


def blamed(task: Task, error: Exception | SystemExit) -> str:
    """
    Returns what is told of the one task at which an error came up.

    Raises:
        Exception: The same error, where it is no task's doing: of the config, a plugin that can't
            be had, or the machine.
    """
    if isinstance(error, SuiteError | SandboxDied):
        return told(error)
    machines_own = isinstance(error, OSError) and error.errno in MACHINES_OWN
    if machines_own or isinstance(error, FairtrialError):
        raise error
    log.info("task broke its check", task=task.id, exc_info=error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return f"unexpected {type(error).__name__}: {error}"


def told(error: FairtrialError) -> str:
    """Returns an error on one line, with its way on."""
    return f"{error.problem}; {error.way_on}" if error.way_on else error.problem


def made_ready(suite: Suite, tasks: Sequence[Task]) -> Iterator[tuple[Task, str]]:
    """
    Lets a suite make ready for all tasks at once, or else for one by one.

    Yields:
        Each task, and what hindered the suite, empty where nothing did.

    Raises:
        Exception: It is no task's doing.
    """
    if not isinstance(suite, Preflighted):
        yield from ((task, "") for task in tasks)
        return
    try:
        suite.preflight(tasks)
    except (Exception, SystemExit) as error:
        of_one = isinstance(error, SuiteError) and error.task is not None
        if isinstance(error, FairtrialError) and not of_one:
            raise
        yield from ((task, _hindrance(suite, task)) for task in tasks)
        return
    yield from ((task, "") for task in tasks)


def _hindrance(suite: Preflighted, task: Task) -> str:
    try:
        suite.preflight((task,))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, it hides no other task
        return blamed(task, error)
    return ""
