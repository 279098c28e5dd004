from pathlib import Path

import pytest
from fairtrial.processes import output
from fairtrial.processes.output import HEAD_BYTES, TAIL_BYTES, Kept, LogFile
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.integers(0, 70_000), max_size=8))
def test_what_is_kept_is_the_first_and_the_last_part(sizes: list[int]) -> None:
    kept = Kept()
    whole = b""
    for number, size in enumerate(sizes):
        piece = bytes([number]) * size
        whole += piece
        kept.add(piece)
    left_out = max(0, len(whole) - HEAD_BYTES - TAIL_BYTES)
    assert (len(whole), left_out) == (kept.total, kept.left_out)
    if left_out:
        between = b"\n[... %d bytes left out ...]\n" % left_out
        assert whole[:HEAD_BYTES] + between + whole[-TAIL_BYTES:] == kept.text()
    else:
        assert whole == kept.text()


def test_a_log_ends_at_its_cap_with_a_line_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "LOG_BYTES", 10)
    log = LogFile(tmp_path / "log")
    for piece in (b"12345", b"67890", b"more", b"and more"):
        log.add(piece)
    log.close()
    assert log.truncated
    assert b"1234567890\n[the rest is left out]\n" == (tmp_path / "log").read_bytes()


def test_a_log_that_fits_exactly_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "LOG_BYTES", 10)
    log = LogFile(tmp_path / "log")
    log.add(b"1234567890")
    log.close()
    assert not log.truncated
    assert b"1234567890" == (tmp_path / "log").read_bytes()


def test_a_full_disk_ends_the_log_and_nothing_else() -> None:
    log = LogFile(Path("/dev/full"))
    log.add(b"x")
    log.add(b"x")
    assert log.truncated
