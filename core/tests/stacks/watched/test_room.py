"""What the harness writes into a tree, and takes out again, after hostile code has run there."""

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.api import Workspace
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.stacks.watched import regular
from fairtrial.stacks.watched.room import room_in

LIB = PurePosixPath("src/lib.rs")


def _swap(root: Path, outside: Path) -> None:
    (root / "src").rename(root / "gone")
    (root / "src").symlink_to(outside)


def _pipe(root: Path, _: Path) -> None:
    (root / LIB).unlink()
    os.mkfifo(root / LIB)


def _link(root: Path, outside: Path) -> None:
    (root / LIB).unlink()
    (root / LIB).symlink_to(outside / "theirs.rs")


@pytest.mark.parametrize("deed", [_swap, _pipe, _link])
def test_nothing_is_written_or_removed_through_what_the_code_left(
    tmp_path: Path, deed: Callable[[Path, Path], None]
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "lib.rs").write_text("theirs\n")
    (outside / "theirs.rs").write_text("theirs\n")
    with open_local("test") as workspace:
        (workspace.root / "src").mkdir()
        (workspace.root / LIB).write_text("agent's\n")
        with room_in(workspace) as room:
            room.lay({LIB: b"with canaries\n"})
            deed(workspace.root, outside)
            assert room.touched()
    assert {"lib.rs": "theirs\n", "theirs.rs": "theirs\n"} == {
        file.name: file.read_text() for file in outside.iterdir()
    }


def test_what_lay_there_comes_back() -> None:
    with open_local("test") as workspace:
        (workspace.root / "src").mkdir()
        (workspace.root / LIB).write_text("agent's\n")
        with room_in(workspace) as room:
            room.lay({LIB: b"with canaries\n", PurePosixPath("new/x.rs"): b"x"})
            assert not room.touched()
            assert b"with canaries\n" == (workspace.root / LIB).read_bytes()
        assert "agent's\n" == (workspace.root / LIB).read_text()
        assert ["src"] == [path.name for path in workspace.root.iterdir()]


def _tree(workspace: Workspace) -> Path:
    root = workspace.root
    (root / "inner").mkdir()
    (root / "inner/file").write_text("text")
    (root / "near").symlink_to("inner/file")
    (root / "away").symlink_to("/etc/passwd")
    (root / "folder").symlink_to("/etc")
    (root / "endless").symlink_to("/dev/zero")
    os.mkfifo(root / "pipe")
    with (root / "long").open("wb") as file:
        file.truncate(regular.LARGEST_SOURCE + 1)
    return root


@pytest.mark.parametrize(
    ("path", "held"),
    [
        ("inner/file", b"text"),
        ("near", b"text"),
        ("inner", None),
        ("away", None),
        ("folder/passwd", None),
        ("endless", None),
        ("pipe", None),
        ("long", None),
        ("nothing", None),
        ("../x", None),
    ],
)
def test_only_plain_files_of_the_tree_are_read(path: str, held: bytes | None) -> None:
    with open_local("test") as workspace:
        assert held == regular.read(_tree(workspace), PurePosixPath(path))


def test_only_folders_of_the_tree_are_folders() -> None:
    with open_local("test") as workspace:
        root = _tree(workspace)
        assert [True, False, False] == [
            regular.is_folder(root, PurePosixPath(name)) for name in ("inner", "folder", "near")
        ]
