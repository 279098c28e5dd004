"""What the kernel tells of files, and of the folders that lead to them."""

import gc
import mmap
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.engine import touches
from fairtrial.engine.manifest import Manifest, files_clock_ns
from fairtrial.engine.touches import Touches

Deed = Callable[[Path], None]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """`lib` leads to `real`, which holds a module that has a second name elsewhere."""
    (tmp_path / "above/real/json").mkdir(parents=True)
    (tmp_path / "above/lib").symlink_to("real")
    place = tmp_path / "above/real/json/tool.py"
    place.write_text("assert True\n")
    os.link(place, tmp_path / "second")
    return tmp_path


@pytest.fixture
def watched(top: Path) -> Touches:
    found = Touches()
    for name in ("above/lib/json/tool.py", "above/lib/json"):
        assert found.add(os.fsencode(top / name))
    return found


def _through_a_mapping(top: Path) -> None:
    with (top / "second").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0:6] = b"assent"


def _times(top: Path) -> None:
    os.utime(top / "second", ns=(0, 0))


def _truncate(top: Path) -> None:
    os.truncate(top / "second", 3)


def _replace(top: Path) -> None:
    (top / "new").write_text("assert False\n")
    (top / "new").rename(top / "above/real/json/tool.py")


def _move_what_is_above(top: Path) -> None:
    (top / "above").rename(top / "away")
    (top / "above/lib/json").mkdir(parents=True)


def _lead_the_link_elsewhere(top: Path) -> None:
    (top / "above/lib").unlink()
    (top / "above/lib").symlink_to("evil")


def _lead_a_link_with_a_second_name_elsewhere(top: Path) -> None:
    os.link(top / "above/lib", top / "kept", follow_symlinks=False)
    _lead_the_link_elsewhere(top)


@pytest.mark.parametrize(
    "deed",
    [
        lambda top: (top / "second").write_text("assert False\n"),
        lambda top: (top / "second").chmod(0o600),
        lambda top: os.link(top / "second", top / "third"),
        lambda top: (top / "above/real/json/tool.py").unlink(),
        lambda top: (top / "above/real/json/__init__.py").touch(),
        lambda top: (top / "above/real").rename(top / "above/other"),
        _through_a_mapping,
        _times,
        _truncate,
        _replace,
        _move_what_is_above,
        _lead_the_link_elsewhere,
        _lead_a_link_with_a_second_name_elsewhere,
    ],
)
def test_a_touch_is_told_once(top: Path, watched: Touches, deed: Deed) -> None:
    assert watched.none()
    deed(top)
    assert not watched.none()
    assert watched.none()


@pytest.mark.parametrize(
    "deed",
    [
        lambda top: (top / "second").read_text(),
        lambda top: list((top / "above/lib/json").iterdir()),
        lambda top: (top / "above/neighbour").mkdir(),
        lambda top: (top / "above/real/new.py").touch(),
    ],
)
def test_reading_and_what_comes_beside_are_no_touch(
    top: Path, watched: Touches, deed: Deed
) -> None:
    deed(top)
    assert watched.none()


def test_what_is_mounted_over_a_file_is_told(
    watched: Touches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_bytes(touches.MOUNTS.read_bytes())
    monkeypatch.setattr(touches, "MOUNTS", mounts)
    assert watched.none()
    mounts.write_bytes(mounts.read_bytes() + b"999 1 254:0 /evil /usr/lib rw - ext4 /dev/vda rw\n")
    assert not watched.none()
    assert watched.none()


def test_a_circle_of_links_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b/x")
    (tmp_path / "b").symlink_to("a")
    assert not Touches().add(os.fsencode(tmp_path / "a/file"))


def test_what_is_not_there_has_to_be_looked_for(tmp_path: Path) -> None:
    assert not Touches().add(os.fsencode(tmp_path / "no-such-file"))


def handles() -> int:
    gc.collect()
    behind = [os.path.realpath(place) for place in Path("/proc/self/fd").iterdir()]
    return sum("inotify" in place for place in behind)


def test_it_is_closed_when_nobody_needs_it_any_more() -> None:
    before = handles()
    found = Touches()
    assert before + 1 == handles()
    del found
    assert before == handles()


def test_where_nothing_can_be_watched_every_file_is_looked_at(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(touches, "_opened", lambda: None)
    manifest = Manifest()
    manifest.add_folder(top / "above/real")
    assert [] == manifest.changes(files_clock_ns(), thorough=False)
    (top / "second").write_text("assert False\n")
    (change,) = manifest.changes(files_clock_ns(), thorough=False)
    assert str(top / "above/real/json/tool.py") == change.path


def test_a_file_that_was_replaced_and_admitted_is_watched_again(top: Path) -> None:
    manifest = Manifest()
    manifest.add_folder(top / "above/real")
    _replace(top)
    assert manifest.changes(files_clock_ns())
    manifest.admit(top / "above/real/json/tool.py")
    assert [] == manifest.changes(files_clock_ns(), thorough=False)
    (top / "above/real/json/tool.py").write_text("assert 0\n")
    assert manifest.changes(files_clock_ns(), thorough=False)
