"""Paths against globs."""

from pathlib import PurePosixPath

import pytest
from fairtrial.stacks.globs import exactly, matches


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("conftest.py", "conftest.py"),
        ("a/b/conftest.py", "conftest.py"),
        ("a/Conftest.PY", "conftest.py"),
        (".git/hooks/pre-commit", ".git"),
        ("deep/.git/config", ".git"),
        ("tests/unit/test_a.py", "tests/**/test_*.py"),
        ("tests/test_a.py", "tests/**/test_*.py"),
        ("tests/data/x", "tests/"),
        ("tests/data/x", "tests/data"),
        ("a/x.pth", "*.pth"),
        ("src/a.c", "src/[ab].c"),
        ("src/c.c", "src/[!ab].c"),
        ("x\ny", "x?y"),
        ("./a".removeprefix("./"), "./a"),
    ],
)
def test_a_glob_matches(path: str, pattern: str) -> None:
    assert matches(path, (pattern,))


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("conftest.py.txt", "conftest.py"),
        ("src/tests/x", "tests/x"),
        ("tests/a/b.py", "tests/*.py"),
        ("gitx/config", ".git"),
        ("src/a.c", "src/[!ab].c"),
        ("src/sub/a.c", "src[!x]sub/a.c"),
        ("anything", ""),
    ],
)
def test_a_glob_does_not_match(path: str, pattern: str) -> None:
    assert not matches(path, (pattern,) if pattern else ())


@pytest.mark.parametrize("path", ["a.py", "tests", "tests/[x]*.py", "we?ird/~[a-b]/f"])
def test_an_exact_glob_matches_its_path_and_what_is_below(path: str) -> None:
    pattern = exactly(PurePosixPath(path))
    assert matches(path, (pattern,))
    assert matches(f"{path}/below", (pattern,))
    assert not matches(f"deep/{path}", (pattern,))
    assert not matches(f"{path}x", (pattern,))
