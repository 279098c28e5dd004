"""Config files and settings, read from disk and from the command line into plain data."""

import os
import re
import tomllib
from pathlib import Path

from attrs import frozen

from fairtrial.api.errors import ConfigError
from fairtrial.config.schema import SET, Origin
from fairtrial.config.toml import value_text
from fairtrial.serial.wording import nearest

_DEEPEST = 100
"""Tables and lists in one another; whatever reads a config calls itself for each."""

_DESCRIPTORS = Path("/dev/fd")
"""Where a system without links for them, such as macOS, shows what a shell opened for `<(…)`."""

_PLACE = re.compile(
    r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of .*)\)"
)


def read(path: Path) -> dict[str, object]:
    """
    Reads a TOML file.

    Raises:
        ConfigError: It isn't there, can't be read, is no UTF-8 text, or no TOML.
    """
    refuse_endless(path, "name a run config")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise _missing(path) from None
    except IsADirectoryError:
        raise _folder(path) from None
    except OSError as error:
        raise ConfigError(
            problem=f"“{path}” can't be read",
            facts=(("because", error.strerror or str(error)),),
            way_on="name a file that this user may read",
        ) from error
    try:
        # A byte-order mark, as some editors write it, is no fault.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_text(path, data, error) from error
    try:
        return _shallow(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits is a ValueError of Python's own.
        raise _not_toml(path, text, error) from error


def refuse_endless(path: Path, way_on: str) -> None:
    """
    Refuses a pipe or a device by its name; a shell's `<(…)` has none of its own, and an end.

    Raises:
        ConfigError: The path is one.
    """
    real = Path(os.path.realpath(path))
    opened = real.parent == _DESCRIPTORS or not real.exists()
    if not (opened or real.is_file() or real.is_dir()):
        raise ConfigError(problem=f"“{path}” is neither a file nor a folder", way_on=way_on)


def _shallow(data: dict[str, object]) -> dict[str, object]:
    """Returns the tables; raises RecursionError where they are nested deeper than any config."""
    tables: list[tuple[int, dict[str, object] | list[object]]] = [(0, data)]
    while tables:
        depth, table = tables.pop()
        if depth > _DEEPEST:
            raise RecursionError
        inner = table.values() if isinstance(table, dict) else table
        tables += [(depth + 1, each) for each in inner if isinstance(each, dict | list)]
    return data


def _missing(path: Path) -> ConfigError:
    near = nearest(path.name, sorted(each.name for each in path.parent.glob("*.toml")))
    return ConfigError(
        problem=f"there is no file “{path}”",
        facts=(("nearest", str(path.parent / near)),) if near else (),
        way_on="name a run config; `fairtrial run CONFIG.toml` runs it"
        if not near
        else "name that file, or write the one that is missing",
    )


def _folder(path: Path) -> ConfigError:
    inside = ", ".join(sorted(each.name for each in path.glob("*.toml")))
    return ConfigError(
        problem=f"“{path}” is a folder, not a run config",
        facts=(("files in it", inside),) if inside else (),
        way_on="name a file; `fairtrial run CONFIG.toml` runs it",
    )


def _not_text(path: Path, data: bytes, error: UnicodeDecodeError) -> ConfigError:
    before = data[: error.start]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return ConfigError(
        problem=f"“{path}” is not UTF-8 text",
        facts=(
            ("at", f"line {line}, column {column}"),
            ("because", f"the byte 0x{data[error.start]:02x} can't stand there"),
        ),
        way_on="save the file as UTF-8",
    )


def _not_toml(path: Path, text: str, error: Exception) -> ConfigError:
    match = _PLACE.fullmatch(str(error))
    deep = isinstance(error, RecursionError)
    because = "it is nested too deeply" if deep else match["what"] if match else str(error)
    place, line = "the end of the file", ""
    if match and match["line"]:
        place = f"line {match['line']}, column {match['column']}"
        line = text.split("\n")[int(match["line"]) - 1].strip()
    return ConfigError(
        problem=f"“{path}” is not valid TOML",
        facts=(
            *((("at", place),) if match else ()),
            *((("which reads", line),) if line else ()),
            ("because", because),
        ),
        way_on='correct it there; text stands in quotes: key = "value"',
    )


@frozen(kw_only=True)
class Setting:
    """
    A key that is set on the command line.

    Attributes:
        text: Such as `run.jobs=2`.
        flag: The flag that sets it, as the user knows it; empty for `--set` itself.
    """

    text: str
    flag: str = ""

    @property
    def origin(self) -> Origin:
        """Where the value came from; relative paths in it start from the current directory."""
        return Origin(label=self.flag or SET, base=Path.cwd(), flag=bool(self.flag))


def setting(text: str) -> dict[str, object]:
    """
    Reads `run.jobs=2` as the tables that it stands for.

    The value is TOML; what is no TOML value is taken as text, so that a shell's quotes need no
    quotes inside.

    Raises:
        ConfigError: There is no `=`, or before it no key.
    """
    key, equals, value = text.partition("=")
    try:
        text_of = f"{key} = {_as_toml(value)}" if equals and "\n" not in key else ""
        data = _shallow(tomllib.loads(text_of))
    except (ValueError, RecursionError):
        data = {}
    if not data:
        raise ConfigError(
            problem=f"the setting “{text}” is not of the form key=value",
            way_on="write --set run.jobs=2, or --set 'solvers.fix.argv=[\"fix\"]'",
        )
    return data


def _as_toml(value: str) -> str:
    try:
        if set(tomllib.loads(f"value = {value}")) == {"value"}:
            return value
    except (ValueError, RecursionError):
        pass
    return value_text(value)
