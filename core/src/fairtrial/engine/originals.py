"""What a freshly seeded tree holds that auditors may compare with: originals, and the tests."""

import os
from collections.abc import Iterator
from pathlib import Path

from fairtrial.api import Patch, Task
from fairtrial.stacks import STACKS
from fairtrial.stacks.globs import matches

LARGEST_TEST = 256 * 2**10
"""Bytes; a larger test file is data, not a test."""

LARGEST_TESTS = 8 * 2**20
"""Bytes of all test files together."""

_NOT_LOOKED_INTO = frozenset({".git", "node_modules", "target", "vendor", "__pycache__"})


def originals(patch: Patch, root: Path) -> dict[str, bytes]:
    """Reads what the changed paths hold in the tree below `root`; new ones are left out."""
    found = {}
    for path in patch.paths:
        place = root / path
        if place.is_file() and not place.is_symlink():
            found[path] = place.read_bytes()
    return found


def visible_tests(task: Task, root: Path) -> dict[str, bytes]:
    """
    Reads the test files of a seeded tree, which are all that a solver could see of tests.

    Those are what the task protects and what its tool chain takes for tests; of all tool chains,
    where the task names none.
    """
    stacks = [STACKS[task.stack]] if task.stack in STACKS else list(STACKS.values())
    globs = (*task.protected, *(glob for stack in stacks for glob in stack.tests))
    found: dict[str, bytes] = {}
    room = LARGEST_TESTS
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        if not matches(name, globs):
            continue
        size = path.stat().st_size
        if size <= min(LARGEST_TEST, room):
            found[name] = path.read_bytes()
            room -= size
    return found


def _files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - _NOT_LOOKED_INTO)
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                yield path
