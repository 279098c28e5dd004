"""Reading the files of a suite: TOML, JSON and text, and the pieces that they name."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from fairtrial_suite_folder.standing import file_fault, folder_fault, found_at
from fairtrial_suite_folder.table import Table, shown


def read_table(file: Path, task: str | None = None) -> Table:
    """
    Reads a TOML or a JSON file, by its extension.

    Raises:
        SuiteError: It can't be read, isn't UTF-8, isn't well-formed, or holds no table.
    """
    blank = Table(values={}, file=file, task=task)
    text = read_text(file, blank)
    try:
        values = _json(text) if file.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if file.suffix == ".json" else "TOML"
        problem = f"“{file.name}” is not well-formed {kind}: {error}"
        raise blank.fault("", problem, "mend the file at that place") from error
    if not isinstance(values, dict):
        raise blank.fault("", f"“{file.name}” holds no table", "write an object at the top")
    return Table(values=values, file=file, task=task)


def _json(text: str) -> object:
    return json.loads(text, object_pairs_hook=_each_once)


def _each_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Makes an object of its pairs; JSON itself would let the last of two keys win."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            said = f"as {shown(found[key])} and as {shown(value)}"
            msg = f"the key “{key}” is given twice, {said}"
            raise ValueError(msg)
        found[key] = value
    return found


def read_text(file: Path, about: Table) -> str:
    """
    Reads a text file as UTF-8, without a byte order mark.

    Raises:
        SuiteError: It can't be read, isn't UTF-8, or holds a NUL; `about` says whose it is.
    """
    at = evolve(about, file=file, place="")
    if fault := file_fault(file, file.name):
        raise at.fault("", fault, "put a file there")
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"“{file.name}” is not UTF-8: byte {error.start} can't be decoded"
        raise at.fault("", problem, "save the file as UTF-8") from error
    except OSError as error:
        problem = f"“{file.name}” can't be read: {error.strerror or error}"
        raise at.fault("", problem, "make it a readable file") from error
    at.sayable("", text, file.name)
    return text


def piece(table: Table, key: str) -> Path:
    """
    Returns a file beside the task's own, which must be there and lead nowhere else.

    Raises:
        SuiteError: It is missing, or leads out.
    """
    path = table.path(key, table.text(key))
    file = table.file.parent / path
    fault = file_fault(file, str(path))
    if not fault and not file.resolve().is_relative_to(table.file.parent.resolve()):
        fault = f"“{path}” leads out of the task's folder"
    if fault:
        raise table.fault(key, fault, f"put a file there, or mend “{key}”")
    return file


def known_fix(table: Table, place: str) -> Path | None:
    """
    Returns the folder of the known-good fix; None where there is none.

    Args:
        table: Whose fix it is.
        place: Where it lies, beside the table's file.

    Raises:
        SuiteError: Something else is there.
    """
    folder = table.file.parent / place
    if not found_at(folder):
        return None
    if fault := folder_fault(folder, place):
        raise table.fault("", fault, "make it a folder of the files that the fix adds or changes")
    stay_inside(table, "", place)
    return folder


def stay_inside(table: Table, key: str, place: str) -> None:
    """
    Refuses a folder that a link on the way to it leads out to.

    Raises:
        SuiteError: It lies elsewhere than beside the table's file.
    """
    beside = table.file.parent
    if not (beside / place).resolve().is_relative_to(beside.resolve()):
        problem = f"“{place}” leads out of the folder of “{table.file.name}”"
        raise table.fault(key, problem, "put the folder itself there, and no link to it")
