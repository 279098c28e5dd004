import threading

from fairtrial.processes.lines import LONGEST_LINE, ROOM_BYTES, Feed
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.binary(max_size=9), max_size=20))
def test_lines_do_not_depend_on_how_the_bytes_came(pieces: list[bytes]) -> None:
    feed = Feed()
    for piece in filter(None, pieces):
        feed.add(piece)
    feed.close()
    whole = b"".join(pieces)
    expected = [line.removesuffix(b"\r").decode(errors="replace") for line in whole.split(b"\n")]
    assert (expected if not whole.endswith(b"\n") and whole else expected[:-1]) == list(
        feed.lines()
    )


def test_a_giant_line_comes_in_pieces() -> None:
    feed = Feed()
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(feed.lines()))
    reader.start()
    for _ in range(25):
        feed.add(b"x" * (1 << 20))
    feed.add(b"\nshort\n")
    feed.close()
    reader.join()
    sizes = [len(line) for line in lines]
    assert [LONGEST_LINE, LONGEST_LINE, (25 << 20) - 2 * LONGEST_LINE, 5] == sizes


def test_without_a_reader_a_full_feed_asks_nobody_to_wait() -> None:
    feed = Feed()
    for _ in range(2 * ROOM_BYTES // 1024):
        assert not feed.add(b"x" * 1024)
    feed.close()
    assert ROOM_BYTES == len("".join(feed.lines()))


def test_a_full_feed_calls_when_its_reader_made_room_or_left() -> None:
    calls: list[str] = []
    feed = Feed()
    feed.on_room = lambda: calls.append("room")
    feed.add(b"first\nsecond\n")
    lines = feed.lines()
    assert "first" == next(lines)
    assert feed.add(b"y" * ROOM_BYTES)
    assert [] == calls
    assert "second" == next(lines)
    lines.close()  # type: ignore[attr-defined] # a generator, which the interface need not promise
    assert ["room"] == calls
