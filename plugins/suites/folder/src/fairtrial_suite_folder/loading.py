"""Finding the tasks of a suite, in whichever format they are."""

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve
from fairtrial.api.errors import SuiteError

from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.manifest import read_manifest
from fairtrial_suite_folder.mishap import mishap
from fairtrial_suite_folder.standing import FILE, FOLDER, found_at
from fairtrial_suite_folder.taskfile import read_task

MANIFESTS = ("tasks.toml", "tasks.json")
TASK_FILE = "task.toml"


def attempts(path: Path) -> Iterator[Entry | SuiteError]:
    """
    Yields each task at a path: a manifest, a folder that holds one, or a folder of task folders.

    In place of a task that can't be read comes the reason, so that the others are read all the
    same.

    Raises:
        SuiteError: The suite as a whole can't be read, or is empty.
    """
    found: dict[str, Entry] = {}
    several = False
    for entry in _each(path):
        several = True
        if isinstance(entry, SuiteError):
            yield entry
            continue
        # Ids are folder names in the records, so two that differ in case alone would collide.
        key = entry.task.id.casefold()
        yield _twin(found[key], entry) if key in found else entry
        found[key] = entry
    if not several:
        way_on = "add a folder with a task.toml, or a manifest"
        raise _fault(path, f"the suite “{path.name}” has no tasks", way_on)


def _each(path: Path) -> Iterator[Entry | SuiteError]:
    found = found_at(path)
    if found == FILE:
        return read_manifest(path)
    if found != FOLDER:
        raise SuiteError(
            problem=f"“{path}” is {found}, not a suite"
            if found
            else f"there is no suite at “{path}”",
            way_on="mend `path` of the suite's table",
        )
    if found_at(path / TASK_FILE):
        above = path.absolute().parent
        problem = f"“{path.name}” is one task; its suite is the folder above, “{above.name}”"
        raise _fault(path, problem, f"name that folder, and choose the task by --only {path.name}")
    manifests = [path / name for name in MANIFESTS if found_at(path / name) not in ("", FOLDER)]
    if len(manifests) > 1:
        raise _fault(path, f"“{path.name}” holds two manifests", "keep tasks.toml or tasks.json")
    return read_manifest(manifests[0]) if manifests else _folders(path)


def _folders(path: Path) -> Iterator[Entry | SuiteError]:
    try:
        folders = sorted(path.iterdir())
    except OSError as error:
        problem = f"“{path}” can't be read: {error.strerror}"
        raise _fault(path, problem, "make it readable") from error
    for folder in folders:
        if folder.name.startswith((".", "_")) or found_at(folder) in ("", FILE):
            continue
        try:
            yield _folder(folder)
        except SuiteError as error:
            yield evolve(error, task=error.task or folder.name)
        except Exception as error:  # noqa: BLE001 - one task, whatever it is, hides no other
            yield mishap(folder.name, folder / TASK_FILE, error)


def _folder(folder: Path) -> Entry:
    found = found_at(folder)
    if found != FOLDER:
        problem = f"“{folder.name}” is {found}, not a task's folder"
        raise _fault(folder, problem, "mend it, or put “_” before its name")
    if not found_at(folder / TASK_FILE):
        problem = f"the task folder “{folder.name}” has no task.toml"
        raise _fault(folder, problem, "add one, or put “_” before the folder's name")
    return read_task(folder / TASK_FILE)


def _twin(first: Entry, second: Entry) -> SuiteError:
    name = second.task.id
    files = f"{first.file} and {second.file}"
    error = _fault(second.file, f"two tasks have the id “{name}”", f"rename one of {files}")
    return evolve(error, task=name)


def _fault(path: Path, problem: str, way_on: str) -> SuiteError:
    return SuiteError(problem=problem, facts=(("suite", str(path)),), way_on=way_on)
