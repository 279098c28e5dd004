"""The order of a log: late lines, copies, numbers that begin anew, none at all."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from fairtrial.api import AssistantText
from fairtrial.engine import eventorder
from fairtrial.engine.eventlog import EventLog
from fairtrial.engine.eventorder import Row, in_order


def row(number: int | None, said: str = "", size: int = 100) -> Row:
    return number, size, AssistantText(text=said or str(number))


def said(rows: Sequence[Row]) -> list[str]:
    return [event.text for event in in_order(rows) if isinstance(event, AssistantText)]


def counted(last: int) -> list[str]:
    return [str(number) for number in range(1, last + 1)]


@pytest.mark.parametrize("seed", range(5))
def test_late_lines_and_copies_come_right_over_many_windows(seed: int) -> None:
    chance = random.Random(seed)
    rows = [row(number) for number in range(1, 2001)]
    rows += [one for one in rows if chance.random() < 0.2]
    rows.sort(key=lambda one: (one[0] or 0) + chance.uniform(0, eventorder.WINDOW / 2))
    assert counted(2000) == said(rows)


def test_a_number_that_two_events_claim_drops_neither() -> None:
    assert ["1", "2", "other", "3"] == said([row(1), row(2), row(2, "other"), row(3)])


@pytest.mark.parametrize("first", [3, 100, 128, 129, 300, 1000])
@pytest.mark.parametrize("second", [1, 100, 500])
def test_what_follows_a_restart_is_not_mixed_with_what_went_before(
    first: int, second: int
) -> None:
    before = [row(number, f"a{number}") for number in range(1, first + 1)]
    after = [row(number, f"b{number}") for number in range(1, second + 1)]
    assert [event.text for *_, event in before + after] == said(before + after)  # type: ignore[attr-defined]  # texts


def test_lines_without_numbers_stay_as_they_are_and_may_be_alike() -> None:
    rows = [row(None, "b"), row(None, "a"), row(None, "a"), row(3), row(2)]
    assert ["b", "a", "a", "3", "2"] == said(rows)


def test_long_lines_make_a_window_short() -> None:
    drawn = 0

    def rows() -> object:
        nonlocal drawn
        for number in range(1, 50):
            drawn += 1
            yield row(number, size=10_000_000)

    assert AssistantText(text="1") == next(in_order(rows()))  # type: ignore[arg-type]  # rows
    assert 2 == drawn


def test_a_log_on_disk_is_put_in_order(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    line = '{{"seq": {0}, "type": "assistant_text", "text": "{0}"}}\n'.format
    path.write_text("".join(map(line, (1, 3, 2, 2, 4, 1))))
    log = EventLog((path,))
    assert counted(4) == [event.text for event in log if isinstance(event, AssistantText)]
    assert 4 == len(log)
