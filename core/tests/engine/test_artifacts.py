"""What a trial leaves beside its line."""

import tracemalloc
from pathlib import Path, PurePosixPath

import pytest
from fairtrial import serial
from fairtrial.api import AssistantText, Change, Patch, RunError
from fairtrial.engine import artifacts


def test_a_patch_is_read_back_byte_for_byte(tmp_path: Path) -> None:
    changes = (
        Change(path=PurePosixPath("a"), after=bytes(range(256)), mode=0o755),
        Change(path=PurePosixPath("gone"), after=None),
        Change(path=PurePosixPath("ln"), after=None, link="a"),
    )
    for kept in (Patch(changes=changes), Patch(changes=changes[:1])):
        artifacts.keep_tree(tmp_path / "t", kept)
        assert kept == artifacts.tree(tmp_path / "t")
        assert serial.dumps(kept) == (tmp_path / "t" / artifacts.TREE).read_text()


def test_a_large_tree_is_kept_in_the_memory_of_one_file(tmp_path: Path) -> None:
    places = [PurePosixPath(f"f{number}") for number in range(16)]
    kept = Patch(changes=tuple(Change(path=place, after=bytes(2**20)) for place in places))
    tracemalloc.start()
    try:
        artifacts.keep_tree(tmp_path, kept)
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


def test_an_attempt_that_changed_nothing_leaves_no_file(tmp_path: Path) -> None:
    artifacts.keep_tree(tmp_path / "t", Patch())
    artifacts.keep_output(tmp_path / "t", "")
    assert not (tmp_path / "t").exists()
    assert Patch() == artifacts.tree(tmp_path / "t")


def test_of_what_checks_print_without_end_the_last_lines_are_kept(tmp_path: Path) -> None:
    key = f"{'x' * 40}\n"
    lines = f"{key * (artifacts.LARGEST_OUTPUT // len(key))}the end\n"
    artifacts.keep_output(tmp_path, f"first\n{lines}")
    kept = (tmp_path / "check-output").read_text()
    assert kept.startswith(f"{artifacts.LEFT_OUT}{key}{key}")
    assert kept.endswith(f"{key}the end\n")
    artifacts.keep_output(tmp_path, "x" * (artifacts.LARGEST_OUTPUT + 1))
    assert artifacts.LEFT_OUT + artifacts.ONE_LINE == (tmp_path / "check-output").read_text()
    artifacts.keep_output(tmp_path, "short\n")
    assert "short\n" == (tmp_path / "check-output").read_text()


def test_no_log_is_another_thing_than_an_empty_one(tmp_path: Path) -> None:
    assert artifacts.events(tmp_path) is None
    (tmp_path / artifacts.TRAJECTORY).touch()
    assert () == tuple(artifacts.events(tmp_path) or ())


def test_torn_lines_of_a_log_are_passed_over(tmp_path: Path) -> None:
    good = b'{"seq":1,"ts":"t","type":"assistant_text","text":"hi"}\n'
    (tmp_path / artifacts.TRAJECTORY).write_bytes(b"\xff\n" + good + b'{"seq":2,"ty')
    assert (AssistantText(ts="t", text="hi"),) == tuple(artifacts.events(tmp_path) or ())


def test_a_full_disk_stops_the_run_with_one_clear_error() -> None:
    with pytest.raises(RunError, match="be written"):
        artifacts.keep_tree(
            Path("/dev/full"), Patch(changes=(Change(path=PurePosixPath("a"), after=b""),))
        )
