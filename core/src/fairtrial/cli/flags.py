"""A reviewer's notes on tasks, from a file."""

import csv
import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fairtrial.api.errors import ConfigError

_HEADING = "task"
_PARTS = 2


def read_flags(path: Path) -> dict[str, str]:
    """
    Returns what was noted of each task.

    A file that ends in `.toml` holds `task = "flag"` lines; any other is CSV with a task and a flag
    a line, with or without the headings `task,flag`. Several flags of one task are joined.

    Raises:
        ConfigError: The file can't be read, or is of another form.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise _unreadable(path, str(getattr(error, "strerror", None) or error)) from error
    return _toml(path, text) if path.suffix == ".toml" else _csv(path, text)


def unknown_tasks(flags: Mapping[str, str], tasks: Iterable[str]) -> Iterator[str]:
    """Yields a line for each flag of a task that isn't there; a file may speak of other tasks."""
    known = dict.fromkeys(tasks)
    for task in flags:
        if task not in known:
            near = difflib.get_close_matches(task, known, n=1)
            nearest = f"; nearest: {near[0]}" if near else ""
            yield f"warning: --flags names the task “{task}”, which is not compared{nearest}"


def _toml(path: Path, text: str) -> dict[str, str]:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(path, str(error)) from error
    for task, flag in read.items():
        if not isinstance(flag, str):
            raise _unreadable(path, f"the flag of “{task}” is no text")
    return read


def _csv(path: Path, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, row in enumerate(csv.reader(text.splitlines()), start=1):
        if not row or (number == 1 and row[0].strip().lower() == _HEADING):
            continue
        if len(row) != _PARTS:
            raise _unreadable(path, f"line {number} holds {len(row)} parts, not a task and a flag")
        task, flag = (part.strip() for part in row)
        found[task] = f"{found[task]}; {flag}" if task in found else flag
    return found


def _unreadable(path: Path, because: str) -> ConfigError:
    return ConfigError(
        problem=f"“{path}” holds no flags",
        facts=(("because", because),),
        way_on='write task = "flag" lines into a .toml file, or task,flag lines into a .csv file',
    )
