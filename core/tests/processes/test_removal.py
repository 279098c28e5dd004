import os
from pathlib import Path

import pytest
from fairtrial.processes.removal import remove_tree


def test_a_tree_of_odd_things_is_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "read only" / "deeper").mkdir(parents=True)
    (root / "read only" / "deeper" / "file").write_text("x")
    (root / "read only" / "deeper").chmod(0o000)
    (root / "read only").chmod(0o500)
    os.mkfifo(root / "pipe")
    for name in (b"\xff\xfe", b"new\nline", b"-rf", "ä".encode(), b" "):
        (root / os.fsdecode(name)).mkdir()
    root.chmod(0o000)
    assert remove_tree(root)
    assert [] == list(tmp_path.iterdir())


def test_links_are_removed_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "file").write_text("keep")
    (outside / "folder").chmod(0o755)
    (tmp_path / "root").mkdir()
    (tmp_path / "root/file").symlink_to(outside / "file")
    (tmp_path / "root/folder").symlink_to(outside / "folder")
    (tmp_path / "root/hard").hardlink_to(outside / "file")
    assert remove_tree(tmp_path / "root")
    assert "keep" == (outside / "file").read_text()
    assert 0o755 == (outside / "folder").stat().st_mode & 0o777


def test_a_root_that_became_a_link_is_only_unlinked(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("keep")
    (tmp_path / "root").symlink_to(tmp_path / "outside")
    assert remove_tree(tmp_path / "root")
    assert ["outside"] == [path.name for path in tmp_path.iterdir()]
    assert "keep" == (tmp_path / "outside/file").read_text()


def test_a_tree_deeper_than_any_path_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    for _ in range(3000):
        Path("d" * 50).mkdir()
        os.chdir("d" * 50)
    monkeypatch.chdir(tmp_path)
    assert remove_tree(root)
    assert not root.exists()


def test_what_is_gone_already_is_gone(tmp_path: Path) -> None:
    assert remove_tree(tmp_path / "nothing here")
