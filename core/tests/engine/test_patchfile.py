"""The readable patch, held against git."""

import subprocess
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import Change, Patch
from fairtrial.engine.patchfile import line_counts, unified

BEFORE = {
    "a.txt": b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n",
    "gone.txt": b"gone\n",
    "tail.txt": b"no newline",
    "dos.txt": b"one\r\ntwo\r\n",
}
AFTER = {
    "a.txt": b"one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\nTEN\n",
    "gone.txt": None,
    "new/n.txt": b"new\n\nfile",
    "tail.txt": b"no newline\nmore",
    "dos.txt": b"one\r\nTWO\r\n",
}


@pytest.fixture
def patch() -> Patch:
    return Patch(
        changes=tuple(
            Change(path=PurePosixPath(path), after=after) for path, after in AFTER.items()
        )
    )


def test_git_applies_the_patch_to_the_same_bytes(patch: Patch, tmp_path: Path) -> None:
    for name, content in BEFORE.items():
        (tmp_path / name).write_bytes(content)
    diff = unified(patch, BEFORE.get)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff, check=True)
    found = {
        str(path.relative_to(tmp_path)): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert {name: content for name, content in AFTER.items() if content is not None} == found


def test_the_line_counts_are_those_of_git(patch: Patch) -> None:
    # Per file: two and two, none and one, three and none, two and one, one and one.
    assert (8, 5) == line_counts(patch, BEFORE.get)


def test_a_binary_file_is_named_not_shown() -> None:
    change = Change(path=PurePosixPath("b"), after=b"\0\1")
    diff = unified(Patch(changes=(change,)), {}.get)
    assert b"diff --git a/b b/b\nnew file mode 100644\nBinary files differ\n" == diff
    assert (0, 0) == line_counts(Patch(changes=(change,)), {}.get)


def test_a_link_is_shown_by_its_target() -> None:
    change = Change(path=PurePosixPath("ln"), after=None, link="a/b")
    diff = unified(Patch(changes=(change,)), {}.get)
    assert b"new file mode 120000" in diff
    assert b"+a/b\n\\ No newline at end of file\n" in diff
