"""Paths as agents write them."""

import re

_FOLDERS = frozenset({"test", "tests", "__tests__", "spec"})
_NAMES = re.compile(r"\.(?:test|spec)\.[^.]+\Z|_test\.[^.]+\Z|\Atest_.*\.py\Z", re.DOTALL)


def slashed(path: str) -> str:
    """Returns a path with forward slashes."""
    return path.replace("\\", "/")


def name_of(path: str) -> str:
    """Returns the last part of a path."""
    return slashed(path).rpartition("/")[2]


def is_test(path: str) -> bool:
    """
    Tells whether a path is a test's.

    It is where a folder above is called `test`, `tests`, `__tests__` or `spec`, or by its name:
    `*.test.*`, `*.spec.*`, `*_test.*`, `test_*.py`.
    """
    *folders, name = slashed(path).split("/")
    return not _FOLDERS.isdisjoint(folders) or _NAMES.search(name) is not None
