"""What a file says, read strictly: each fault names the file, the key and the way on."""

import difflib
import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TypeVar

from attrs import evolve, frozen
from fairtrial.api.errors import Facts, SuiteError

T = TypeVar("T")

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""What the id of a task looks like: it becomes the name of a folder."""

LONGEST_ID = 100
"""Most characters of such an id, as of every name in a run config; folders take 255 bytes."""

LONGEST_PART = 255
"""Most bytes between two slashes of a path, on every file system that is in use."""

LONGEST_S = 2_000_000
"""Most seconds of a limit, 23 days: a system counts what it waits for in 2³¹ milliseconds."""

MOST = 1_000_000
"""The largest whole number that says how many."""

_SHOWN = 60
"""Characters of a value that an error shows."""

WORDS: Mapping[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


@frozen(kw_only=True)
class Table:
    """
    One table of a file, which knows where it stands.

    Attributes:
        values: Its keys and values.
        file: The file that it was read from.
        task: The id of the task that it is about, once that is known.
        place: Where in the file it stands, such as `[source]`; empty for the top.
    """

    values: Mapping[str, object]
    file: Path
    task: str | None = None
    place: str = ""

    def about(self, task: str) -> "Table":
        """Returns the same table, whose faults name the task; of a name too long, its start."""
        short = task if len(task) <= LONGEST_ID else f"{task[: LONGEST_ID - 1]}…"
        return evolve(self, task=short)

    def fault(self, key: str, problem: str, way_on: str) -> SuiteError:
        """Returns the error for what is wrong at a key; an empty key means the whole table."""
        place = " ".join(part for part in (self.place, key) if part)
        facts: Facts = (("file", str(self.file)), *((("at", place),) if place else ()))
        whose = f"task “{self.task}”: " if self.task else ""
        return SuiteError(problem=whose + problem, facts=facts, way_on=way_on, task=self.task)

    def only(self, *known: str) -> None:
        """
        Refuses keys that the format doesn't know.

        Raises:
            SuiteError: There is one.
        """
        for key in self.values:
            if key in known:
                continue
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean “{near[0]}”?" if near else f"known keys: {', '.join(known)}"
            raise self.fault(key, f"unknown key “{key}”", hint)

    def _typed(self, key: str, kind: type[T], value: object) -> T:
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not right:
            problem = f"“{key}” must be {WORDS[kind]}, not {shown(value)}"
            raise self.fault(key, problem, f"write {WORDS[kind]} there")
        assert isinstance(value, kind)  # noqa: S101 - tells mypy what was just tested
        if isinstance(value, str):
            self.sayable(key, value)
        return value

    def sayable(self, key: str, text: str, whose: str = "") -> None:
        """
        Refuses text that can't be handed to a program or written into a file.

        Args:
            key: Where the text comes from.
            text: The text.
            whose: What an error calls it, where that isn't the key.

        Raises:
            SuiteError: It holds a NUL character, or half of a pair that JSON may write alone.
        """
        if "\0" in text:
            problem = f"“{whose or key}” holds a NUL character"
            way_on = "take it out: no program can be given text with it"
            raise self.fault(key, problem, way_on)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            problem = f"“{whose or key}” holds half a character"
            way_on = r"write \ud800 to \udfff only in pairs"
            raise self.fault(key, problem, way_on) from error

    def text(self, key: str) -> str:
        """
        Returns a text that must be there and not be blank.

        Raises:
            SuiteError: It is missing, blank, or no text.
        """
        if key not in self.values:
            raise self.fault(key, f"the key “{key}” is missing", f"add {key} = …")
        value = self._typed(key, str, self.values[key])
        if not value.strip():
            raise self.fault(key, f"“{key}” is empty", "write something there")
        return value

    def maybe_text(self, key: str) -> str:
        """Returns a text, or an empty one where the key is absent."""
        return self._typed(key, str, self.values.get(key, ""))

    def seconds(self, key: str, default: float) -> float:
        """Returns a number of seconds above 0 which a system can wait for."""
        number = self.positive(key, default)
        if number > LONGEST_S:
            problem = f"“{key}” must be at most {LONGEST_S}, not {shown(self.values[key])}"
            way_on = f"give at most {LONGEST_S} seconds, which are 23 days"
            raise self.fault(key, problem, way_on)
        return number

    def positive(self, key: str, default: float) -> float:
        """Returns a finite number above 0."""
        value = self.values.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError as error:
                problem = f"“{key}” is too large: {shown(value)}"
                raise self.fault(key, problem, "give a smaller number") from error
        else:
            number = self._typed(key, float, value)
        if not 0 < number < float("inf"):
            problem = f"“{key}” must be above 0, not {shown(value)}"
            raise self.fault(key, problem, "give a number above 0")
        return number

    def count(self, key: str) -> int | None:
        """Returns a whole number of at least 0; None where the key is absent or null."""
        value = self.values.get(key)
        if value is None:
            return None
        number = self._typed(key, int, value)
        if number < 0:
            raise self.fault(key, f"“{key}” must not be below 0", "give 0 or more")
        if number > MOST:
            raise self.fault(key, f"“{key}” must be at most {MOST}", "give a smaller number")
        return number

    def flag(self, key: str, *, default: bool) -> bool:
        """Returns true or false."""
        return self._typed(key, bool, self.values.get(key, default))

    def texts(self, key: str) -> tuple[str, ...]:
        """Returns a list of texts; empty where the key is absent."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            raise self.fault(key, f"“{key}” must be a list of texts", f'write {key} = ["…"]')
        return tuple(self._typed(f"{key}[{at}]", str, part) for at, part in enumerate(value))

    def command(self, key: str) -> tuple[str, ...]:
        """Returns an argv: a list as it is, a text as a line for `sh -c`; empty if absent."""
        value = self.values.get(key, [])
        if isinstance(value, str):
            return ("sh", "-c", self.text(key))
        argv = self.texts(key)
        if key in self.values and not (argv and argv[0]):
            raise self.fault(key, f"“{key}” names no program", "give a program and its arguments")
        return argv

    def variables(self, key: str) -> tuple[tuple[str, str], ...]:
        """Returns variables of an environment, in order of their names; none if absent."""
        table = self.table(key)
        if table is None:
            return ()
        for name in table.values:
            if not VARIABLE.fullmatch(name) or name == "PATH":
                way_on = "use letters, digits and “_”; what is on PATH is for `needs` to say"
                raise table.fault(name, f"the variable “{name}” can't be set", way_on)
        return tuple((name, table.maybe_text(name)) for name in sorted(table.values))

    def paths(self, key: str) -> tuple[PurePosixPath, ...]:
        """Returns a list of relative paths that stay inside."""
        return tuple(self.path(f"{key}[{at}]", text) for at, text in enumerate(self.texts(key)))

    def path(self, key: str, text: str) -> PurePosixPath:
        """
        Returns a relative path that stays inside of what it is relative to.

        Raises:
            SuiteError: It is empty, absolute, has a drive or a `..`, or a backslash, or is
                longer than a file's can be.
        """
        path = PurePosixPath(text)
        bad = (
            not path.parts
            or path.is_absolute()
            or ".." in path.parts
            or "\\" in text
            or text[1:2] == ":"
        )
        if bad:
            problem = f"the path “{text}” is not a relative path that stays inside"
            raise self.fault(key, problem, "give a path without a leading “/” and without “..”")
        if too_long(text):
            problem = f"the path “{cut(text)}” has a part of more than {LONGEST_PART} bytes"
            raise self.fault(key, problem, "give a shorter one: no file can bear that name")
        return path

    def table(self, key: str) -> "Table | None":
        """Returns the table at a key; None where it is absent."""
        if key not in self.values:
            return None
        return self._below(key, f"{self.place}[{key}]", self.values[key])

    def tables(self, key: str) -> tuple["Table", ...]:
        """Returns the list of tables at a key."""
        value = self.values.get(key)
        if not isinstance(value, list):
            raise self.fault(key, f"“{key}” must be a list of tables", f"write [[{key}]]")
        return tuple(
            self._below(key, f"{self.place}{key}[{at}]", part) for at, part in enumerate(value)
        )

    def _below(self, key: str, place: str, value: object) -> "Table":
        if not isinstance(value, dict):
            raise self.fault(key, f"“{key}” must be a table", f"write [{key}]")
        return Table(values=value, file=self.file, task=self.task, place=place)


def shown(value: object) -> str:
    """Returns a value as its author may know it again, however long it is."""
    try:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        text = str(value) if number else json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        # Python doesn't write out whole numbers of many thousand digits.
        return "something too long to show"
    return cut(text)


def cut(text: str) -> str:
    """Returns as much of a text as an error shows."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def too_long(path: str) -> bool:
    """Tells whether a path names what no file can be called."""
    return any(len(part.encode()) > LONGEST_PART for part in path.split("/"))
