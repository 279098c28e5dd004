"""An attempt, step by step."""

import pytest
from fairtrial.api import (
    Agent,
    AssistantText,
    Event,
    LogMessage,
    OtherEvent,
    Question,
    QuestionAnswered,
    QuestionAsked,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)
from fairtrial.figures.playback import LONGEST, playback


def at(second: int) -> str:
    return f"2026-10-10T00:{second // 60:02}:{second % 60:02}Z"


def shown(*events: Event, origins: tuple[str, ...] = ()) -> list[str]:
    return list(playback(events, frozenset(origins)))


EVERY: tuple[Event, ...] = (
    UserMessage(ts=at(0), id="initial", text="Mend it.\nSoon."),
    Status(ts=at(1), state="working"),
    Thinking(ts=at(2), text="hm"),
    ToolCall(ts=at(3), tool_call_id="1", name="Bash", input={"command": "ls"}),
    ToolResult(ts=at(63), tool_call_id="1", output="no", is_error=True),
    ToolCall(ts=at(64), tool_call_id="2", name="Edit", input={"path": "a", "new": "b"}),
    QuestionAsked(ts=at(65), question_id="q", questions=(Question(text="Which?"),)),
    Status(ts=at(65), state="waiting_for_answer"),
    QuestionAnswered(ts=at(300), question_id="q", answers={"Which?": "this"}),
    AssistantText(ts=at(300), text="I see", agent=Agent(id="s1", name="scout")),
    UserMessage(ts=at(301), id="watchdog-1", text="Go on."),
    LogMessage(ts=at(302), level="warn", message="slow"),
    TurnEnd(ts=at(303), cost_usd=0.5, result="done"),
    OtherEvent(ts=at(303), kind="merged", fields={"ok": True}),
)


def test_every_kind_of_event_is_a_step_and_a_gap_is_marked_only_while_working() -> None:
    assert shown(*EVERY) == [
        "    0:00  user says:\n          Mend it.\n          Soon.",
        "    0:01  is working",
        "    0:02  thinks: hm",
        "    0:03  calls Bash: ls",
        "          ── nothing for 60 s while working ──",
        "    1:03  failed: no",
        '    1:04  calls Edit: {"path": "a", "new": "b"}',
        "    1:05  asks: Which?",
        "    1:05  is waiting_for_answer",
        '    5:00  answered: {"Which?": "this"}',
        "    5:00  says [scout]: I see",
        "    5:01  watchdog says: Go on.",
        "    5:02  log warn: slow",
        "    5:03  turn ended ($0.5000 so far): done",
        '    5:03  merged: {"ok": true}',
    ]


@pytest.mark.parametrize(
    ("origins", "starts"),
    [
        (("user",), ["user says", "answered"]),
        (("watchdog",), ["watchdog says"]),
        (("subagent", "watchdog"), ["says [scout]", "watchdog says"]),
        (("system",), ["is working", "is waiting_for_answer", "log warn", "merged"]),
        (("notify",), []),
    ],
)
def test_only_the_origins_asked_for_are_shown(origins: tuple[str, ...], starts: list[str]) -> None:
    steps = [step for step in shown(*EVERY, origins=origins) if "──" not in step]
    assert starts == [step[10:].partition(":")[0] for step in steps]


def test_a_log_tells_the_origin_itself_where_it_can() -> None:
    event = AssistantText(text="hello", origin="redteam")
    assert 1 == len(shown(event, origins=("redteam",)))
    assert [] == shown(event, origins=("agent",))


def test_no_text_reaches_the_terminal_as_a_command_and_no_key_is_shown() -> None:
    key = "sk-ant-abcdefghijklmnop"
    (step,) = shown(ToolResult(tool_call_id="1", output=f"\x1b[2J {key}\r\n\u202e"))
    assert "␛[2J sk-ant-…" in step
    assert "\x1b" not in step
    assert key not in step
    assert "\u202e" not in step


def test_a_long_text_is_cut_and_says_so() -> None:
    (step,) = shown(AssistantText(text="x" * (LONGEST + 7)))
    assert step.endswith("\n          … and 7 more characters")


def test_a_log_without_times_is_shown_without_gaps() -> None:
    assert ["       –  says: a", "       –  says: b"] == shown(
        AssistantText(text="a"), AssistantText(text="b", ts="later")
    )
