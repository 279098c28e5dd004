"""From an entry to its trees: what is laid, and what the reference makes of it."""

import functools
from pathlib import Path

from fairtrial.api.attempt import Patch
from fairtrial.api.errors import SuiteError

from fairtrial_suite_folder import sources
from fairtrial_suite_folder.entry import Entry
from fairtrial_suite_folder.tree import Tree, difference, read_tree
from fairtrial_suite_folder.unified import PatchRefused, apply


def fetch(entry: Entry, cache: Path) -> None:
    """
    Makes sure that the task's tree can be made without a network, and is as the task says.

    Raises:
        SuiteError: It can't be had, or a test file is not in it.
    """
    tree = tree_of(entry, cache)
    for path in entry.oracle.test_files:
        if not any(path == at or path in at.parents for at in tree):
            problem = f"the test file “{path}” is not in the source's tree"
            raise _fault(entry, problem, "mend test_files, or add the file by the patch")


@functools.lru_cache(maxsize=32)
def tree_of(entry: Entry, cache: Path) -> Tree:
    """Returns the tree that a solver is given."""
    pristine = _pristine(entry, cache)
    plant = entry.origin.plant
    if plant is None:
        return pristine
    try:
        return apply(plant.read_bytes(), pristine)
    except PatchRefused as refused:
        problem = f"the patch “{plant.name}” can't be applied: {refused}"
        raise _fault(entry, problem, "make it anew against exactly this tree") from refused


def _pristine(entry: Entry, cache: Path) -> Tree:
    if entry.origin.source is not None:
        return sources.tree(entry.origin.source, cache, entry.task.id)
    assert entry.origin.before is not None  # noqa: S101 - one of the two is always there
    return read_tree(entry.origin.before, entry.task.id)


@functools.lru_cache(maxsize=32)
def reference_of(entry: Entry, cache: Path) -> Patch | None:
    """Returns the known-good fix: the folder's files, else the planted patch taken back."""
    planted = tree_of(entry, cache)
    if entry.reference is not None:
        fix = read_tree(entry.reference, entry.task.id)
        return difference(planted, {**planted, **fix})
    if entry.origin.plant is not None:
        return difference(planted, _pristine(entry, cache))
    return None


def _fault(entry: Entry, problem: str, way_on: str) -> SuiteError:
    return SuiteError(
        problem=f"task “{entry.task.id}”: {problem}",
        facts=(("file", str(entry.file)),),
        way_on=way_on,
        task=entry.task.id,
    )
