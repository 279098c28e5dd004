"""Trees by content, and what differs between two."""

import os
import time
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import Change
from fairtrial.engine import snapshot
from fairtrial.engine.snapshot import difference


def changes(root: Path, before: snapshot.Tree) -> dict[str, Change]:
    return {str(change.path): change for change in difference(before, root).patch.changes}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_bytes(b"a = 1\n")
    (tmp_path / "src/b.py").write_bytes(b"b = 2\n")
    (tmp_path / "run.sh").write_bytes(b"true\n")
    (tmp_path / "here").symlink_to("src/a.py")
    return tmp_path


def test_an_untouched_tree_has_no_difference(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    os.utime(tree / "src/a.py", (1, 1))
    assert {} == changes(tree, before)


@pytest.mark.parametrize(
    "content",
    [b"no final newline", b"crlf\r\n", bytes(range(256)), b"", b"\xff\xfe\n"],
    ids=["no-newline", "crlf", "every-byte", "empty", "not-utf8"],
)
def test_every_byte_of_a_new_file_is_taken_along(tree: Path, content: bytes) -> None:
    before = snapshot.snapshot(tree)
    (tree / "new").write_bytes(content)
    assert {"new": Change(path=PurePosixPath("new"), after=content)} == changes(tree, before)


def test_a_mode_alone_is_a_change(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    (tree / "run.sh").chmod(0o755)
    assert 0o755 == changes(tree, before)["run.sh"].mode


def test_a_deletion_and_a_rename_are_seen(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    (tree / "src/a.py").rename(tree / "src/c.py")
    found = changes(tree, before)
    assert ["src/a.py", "src/c.py"] == list(found)
    assert found["src/a.py"].deleted
    assert b"a = 1\n" == found["src/c.py"].after


def test_a_link_is_taken_as_a_link_and_never_followed(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    (tree / "etc").symlink_to("/etc")
    (tree / "here").unlink()
    (tree / "here").symlink_to("src/b.py")
    found = changes(tree, before)
    assert ["etc", "here"] == list(found)
    assert ("/etc", None) == (found["etc"].link, found["etc"].after)


def test_a_directory_in_the_place_of_a_file_is_a_deletion_and_a_file(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    (tree / "run.sh").unlink()
    (tree / "run.sh").mkdir()
    (tree / "run.sh/x").write_bytes(b"x")
    found = changes(tree, before)
    assert found["run.sh"].deleted
    assert b"x" == found["run.sh/x"].after


def test_a_nested_repository_and_odd_names_are_part_of_the_tree(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    names = ["dép/.git/config", "-x", "a\nb", "sp ace", os.fsdecode(b"\xff")]
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(name.encode(errors="surrogateescape"))
    assert sorted(names) == sorted(changes(tree, before))


def test_a_pipe_is_left_behind_with_the_reason(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    os.mkfifo(tree / "pipe")
    found = difference(before, tree)
    assert {"pipe": "not a regular file"} == found.left_behind
    assert not found.patch


def test_a_file_that_was_locked_by_its_mode_is_read(tree: Path) -> None:
    before = snapshot.snapshot(tree)
    (tree / "src/a.py").write_bytes(b"a = 3\n")
    (tree / "src/a.py").chmod(0)
    (tree / "src").chmod(0)
    assert b"a = 3\n" == changes(tree, before)["src/a.py"].after


def test_a_file_that_is_too_large_is_left_behind(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot.snapshot(tree)
    monkeypatch.setattr(snapshot, "LARGEST_FILE", 10)
    (tree / "big").write_bytes(b"x" * 11)
    (tree / "src/a.py").write_bytes(b"y" * 11)
    found = difference(before, tree)
    # A changed file that is too large is no deletion of what was there.
    assert not found.patch
    assert ["big", "src/a.py"] == sorted(found.left_behind)


def test_all_changed_files_together_are_bounded(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot.snapshot(tree)
    monkeypatch.setattr(snapshot, "LARGEST_PATCH", 10)
    for name in ("n1", "n2"):
        (tree / name).write_bytes(b"x" * 6)
    found = difference(before, tree)
    assert (("n1",), ["n2"]) == (found.patch.paths, list(found.left_behind))


def test_a_file_of_a_terabyte_that_holds_nothing_is_left_behind_at_once(tmp_path: Path) -> None:
    before = snapshot.snapshot(tmp_path)
    with (tmp_path / "sparse.bin").open("wb") as file:
        file.truncate(2**40)
    start = time.monotonic()
    left = difference(before, tmp_path)
    assert time.monotonic() - start < 5
    assert {"sparse.bin": f"{2**40} bytes are more than is taken along"} == left.left_behind
    assert () == left.patch.changes


def test_a_large_file_that_was_there_before_is_no_change(tmp_path: Path) -> None:
    with (tmp_path / "data.bin").open("wb") as file:
        file.truncate(snapshot.LARGEST_FILE + 1)
    assert {} == difference(snapshot.snapshot(tmp_path), tmp_path).left_behind
