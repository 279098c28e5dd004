"""What nobody foresaw of one task, as a fault of that task: the others are read all the same."""

from pathlib import Path

from fairtrial.api.errors import SuiteError


def mishap(task: str, file: Path, error: Exception) -> SuiteError:
    """
    Returns the error of a task at which the suite stumbled; the traceback stays with it.

    Args:
        task: Its id, or what comes nearest to one.
        file: The file that it is read from.
        error: What was raised.
    """
    said = f"unexpected {type(error).__name__}: {error}"
    if isinstance(error, OSError) and error.strerror:
        said = f"{error.strerror}: “{error.filename}”" if error.filename else error.strerror
    if isinstance(error, RecursionError):
        said = "its folders, or what is in one of its files, are nested too deeply"
    wrong = SuiteError(
        problem=f"task “{task}”: {said}",
        facts=(("file", str(file)),),
        way_on="mend the task, or take it out of the suite",
        task=task,
    )
    wrong.__cause__ = error
    return wrong
