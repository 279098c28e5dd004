"""Finding the tasks of a suite, in whichever format they are."""

from collections.abc import Iterable
from pathlib import Path

from fairtrial.api.errors import SuiteError

from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.manifest import read_manifest
from fairtrial_suite_folder.taskfile import read_task

MANIFESTS = ("tasks.toml", "tasks.json")


def load(path: Path) -> tuple[Entry, ...]:
    """
    Reads all tasks at a path: a manifest, a folder that holds one, or a folder of task folders.

    Raises:
        SuiteError: There is nothing there, or a task can't be read.
    """
    if path.is_file():
        return _whole(path, read_manifest(path))
    if not path.is_dir():
        raise _fault(path, f"there is no suite at “{path}”", "mend `path` of the suite's table")
    manifests = [path / name for name in MANIFESTS if (path / name).is_file()]
    if len(manifests) > 1:
        raise _fault(path, f"“{path.name}” holds two manifests", "keep tasks.toml or tasks.json")
    if manifests:
        return _whole(manifests[0], read_manifest(manifests[0]))
    return _whole(path, _folders(path))


def _folders(path: Path) -> Iterable[Entry]:
    try:
        folders = sorted(path.iterdir())
    except OSError as error:
        problem = f"“{path}” can't be read: {error.strerror}"
        raise _fault(path, problem, "make it readable") from error
    for folder in folders:
        name = folder.name
        if not folder.is_dir() or name.startswith((".", "_")):
            continue
        if not (folder / "task.toml").is_file():
            problem = f"the task folder “{name}” has no task.toml"
            raise _fault(folder, problem, "add one, or put “_” before the folder's name")
        yield read_task(folder / "task.toml")


def _whole(path: Path, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    found: dict[str, Entry] = {}
    for entry in entries:
        # Ids are folder names in the records, so two that differ in case alone would collide.
        key = entry.task.id.casefold()
        if key in found:
            facts = f"{found[key].file} and {entry.file}"
            raise _fault(path, f"two tasks have the id “{entry.task.id}”", f"rename one: {facts}")
        found[key] = entry
    if not found:
        raise _fault(
            path, f"the suite “{path.name}” has no tasks", "add a folder with a task.toml"
        )
    return tuple(found.values())


def _fault(path: Path, problem: str, way_on: str) -> SuiteError:
    return SuiteError(problem=problem, facts=(("suite", str(path)),), way_on=way_on)
