"""Logs as they are found: rotated, torn, garbled, huge, empty, missing."""

import json
from pathlib import Path

import pytest
from fairtrial.api import Agent, AssistantText, Event, OtherEvent, ToolCall, ToolResult, TurnEnd
from fairtrial.engine import artifacts, eventlog
from fairtrial.engine.eventlog import EventLog, logs, numbered


def line(**row: object) -> bytes:
    return json.dumps(row).encode() + b"\n"


def text(said: str) -> bytes:
    return line(type="assistant_text", text=said)


def event_of(row: bytes) -> Event | None:
    return numbered(row)[1]


def said(log: EventLog | None) -> list[str]:
    return [event.text for event in log or () if isinstance(event, AssistantText)]


def test_archives_come_first_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in (
        "events.jsonl",
        "events-10.jsonl",
        "events-2.jsonl",
        "other.jsonl",
        "audit.jsonl",
    ):
        (tmp_path / name).write_bytes(text(name))
    names = ["events-2.jsonl", "events-10.jsonl", "events.jsonl"]
    assert names == [path.name for path in logs(tmp_path)]
    assert names == said(artifacts.events(tmp_path))


def test_no_log_is_another_thing_than_an_empty_one(tmp_path: Path) -> None:
    assert artifacts.events(tmp_path) is None
    assert artifacts.events(tmp_path / "nowhere") is None
    (tmp_path / "trajectory.jsonl").touch()
    empty = artifacts.events(tmp_path)
    assert empty is not None
    assert (False, 0, []) == (bool(empty), len(empty), list(empty))


def test_a_log_is_read_anew_on_each_pass_and_knows_its_length(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    path.write_bytes(text("a") + b"\n  \n" + text("b"))
    log = EventLog((path,))
    assert 2 == len(log)
    assert ["a", "b"] == said(log)
    path.write_bytes(text("a") + text("b") + text("c"))
    assert ["a", "b", "c"] == said(log)
    assert 3 == len(log)
    assert AssistantText(text="c") in log
    assert TurnEnd() not in log
    assert bool(log)


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    rows = [text("a"), b"[1, 2]\n", b'"x"\n', b"{}\n", b'{"type": 3}\n', b"\xff\xfe\n", text("b")]
    path.write_bytes(b"".join(rows) + text("c")[:20])
    assert ["a", "b"] == said(EventLog((path,)))


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.jsonl"
    path.write_bytes(text("x" * 10_000_000) + text("b"))
    assert [10_000_000, 1] == [len(one) for one in said(EventLog((path,)))]


def test_a_longer_line_is_passed_over_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eventlog, "LONGEST", 100)
    path = tmp_path / "trajectory.jsonl"
    path.write_bytes(text("a") + text("x" * 950) + text("b") + text("y" * 300))
    assert ["a", "b"] == said(EventLog((path,)))


def test_a_stray_byte_hides_no_call() -> None:
    row = b'{"type": "tool_call", "tool_call_id": "c", "name": "Bash", "input": {"command": "x\xff"}}'
    call = event_of(row)
    assert isinstance(call, ToolCall)
    assert {"command": "x\ufffd"} == call.input


def test_a_missing_or_wrong_field_hides_no_call() -> None:
    by = Agent(id="sub-1")
    assert ToolCall(tool_call_id="", name="Bash", input={"a": 1}, agent=by) == event_of(
        line(type="tool_call", name="Bash", input={"a": 1}, agent="sub-1")
    )
    assert ToolResult(tool_call_id="c", output="") == event_of(
        line(type="tool_result", tool_call_id="c")
    )
    assert TurnEnd() == event_of(line(type="turn_end", model_usage={"m": 5}))
    assert AssistantText(text="a", agent=Agent(id="1", name="n")) == event_of(
        b"\xef\xbb\xbf" + line(type="assistant_text", text="a", agent={"id": "1", "name": "n"})
    )


def test_an_unknown_type_is_kept_as_it_was_read() -> None:
    event = event_of(line(type="finding", title="x", agent=[1]))
    assert isinstance(event, OtherEvent)
    assert ("finding", "x") == (event.kind, event.fields["title"])


def test_nesting_without_end_is_no_event() -> None:
    assert event_of(b'{"type": "tool_call", "input": ' + b"[" * 200_000) is None
