import json
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.agents import Place
from fairtrial.api import (
    AssistantText,
    Brief,
    Ending,
    Event,
    LogMessage,
    ToolCall,
    ToolResult,
    Usage,
)
from fairtrial_solver_gemini import GeminiSolver
from fairtrial_solver_gemini.transcript import GeminiTranscript

PRO = "gemini-2.5-pro"
STATS = {"total_tokens": 3094, "input_tokens": 3000, "output_tokens": 84, "cached": 1400}


def fed(*documents: object) -> tuple[GeminiTranscript, list[Event]]:
    transcript = GeminiTranscript()
    events = [event for one in documents for event in transcript.feed(json.dumps(one))]
    return transcript, [*events, *transcript.flush()]  # type: ignore[list-item]  # it never asks


def result(**fields: object) -> dict[str, object]:
    return {"type": "result", "status": "success", "stats": {"models": {PRO: STATS}}, **fields}


def place(home: Path) -> Place:
    return Place(home=home, inside=PurePosixPath("/work"), env={"GEMINI_API_KEY": "k"})


def test_thoughts_are_billed_and_cached_tokens_are_not_counted_twice() -> None:
    """Of the stream: what is missing from the total are thoughts (litellm#11364, openlit#1378)."""
    transcript, _ = fed(result())
    expected = Usage(
        model=PRO, input_uncached=1600, cache_read=1400, cache_write_5m=0, cache_write_1h=0,
        output=94, reasoning=10,
    )  # fmt: skip
    assert (expected,) == transcript.usages()


def test_a_killed_run_is_counted_by_its_session_file(tmp_path: Path) -> None:
    tokens = {"input": 150, "output": 23, "cached": 50, "thoughts": 7, "tool": 2, "total": 182}
    rows = (
        {"sessionId": "s", "kind": "main"},
        {"id": "m1", "type": "gemini", "model": PRO, "tokens": {**tokens, "output": 1}},
        {"$set": {"lastUpdated": "now"}},
        {"id": "m1", "type": "gemini", "model": PRO, "tokens": tokens},
        {"id": "m2", "type": "gemini", "model": "gemini-2.5-flash", "tokens": tokens},
        {"id": "m3", "type": "gemini", "model": PRO},
    )
    path = tmp_path / ".gemini" / "tmp" / "x" / "chats" / "session-1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"torn', encoding="utf-8")
    transcript = GeminiTranscript()
    GeminiSolver().settle(transcript, place(tmp_path))
    figures = [
        (used.model, used.input_uncached, used.cache_read, used.output, used.reasoning)
        for used in transcript.usages()
    ]
    assert [(PRO, 100, 50, 32, 7), ("gemini-2.5-flash", 100, 50, 32, 7)] == figures


def test_pieces_of_a_message_are_put_together() -> None:
    pieces = ("One ", "two ", "three.")
    messages = [
        {"type": "message", "role": "assistant", "content": piece, "delta": True}
        for piece in pieces
    ]
    call = {"type": "tool_use", "tool_name": "replace", "tool_id": "c1", "parameters": {"a": 1}}
    failed = {"type": "tool_result", "tool_id": "c1", "status": "error",
              "error": {"type": "x", "message": "no match"}}  # fmt: skip
    transcript, events = fed(*messages, call, failed, messages[0])
    assert [
        AssistantText(text="One two three."),
        ToolCall(tool_call_id="c1", name="Edit", input={"a": 1}),
        ToolResult(tool_call_id="c1", output="no match", is_error=True),
        AssistantText(text="One "),
    ] == events
    assert transcript.acted


def test_a_loop_that_it_tells_is_seen() -> None:
    """gemini-cli#20275."""
    odd = {"type": "error", "severity": "warning", "message": "Loop detected, stopping execution"}
    transcript, events = fed(odd, result())
    assert [LogMessage(level="warn", message="Loop detected, stopping execution")] == events
    assert (True, None) == (transcript.done, transcript.failure)


RETRIED = """\
YOLO mode is enabled. All tool calls will be automatically approved.
Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {"error":{"code":503}}
    at throwErrorIfNotOK (file:///chunk.js:267833:24) {
  status: 503
}
Attempt 2 failed: too many requests (no Retry-After header). Retrying with backoff... Error
Attempt 3 failed. Retrying with backoff...
The user said: Attempt 4 failed. Retrying with backoff...
"""


def test_requests_that_it_tried_again_are_told_though_its_stream_is_silent() -> None:
    """gemini-cli#20275."""
    assert [
        "request tried again: Attempt 1 failed with status 503",
        "request tried again: Attempt 2 failed: too many requests (no Retry-After header)",
        "request tried again: Attempt 3 failed",
    ] == list(GeminiSolver().aside(RETRIED))
    assert [] == list(GeminiSolver().aside("Attempts: 3"))


@pytest.mark.parametrize(
    ("message", "ending", "passing"),
    [
        ('[API Error: {"error":{"code":401,"message":"no"}}]', Ending.INFRA, False),
        ("[API Error: slow down] Please wait and try again later.", Ending.INFRA, True),
        ("[API Error: scripted failure]", Ending.INFRA, True),
        ("[API Error: exception TypeError: fetch failed sending request]", Ending.INFRA, True),
        ('[API Error: {"error":{"code":400,"message":"bad schema"}}]', Ending.CRASHED, False),
        ("A loop was detected", Ending.CRASHED, False),
    ],
)
def test_an_end_that_is_no_good_one_says_whose_fault_it_is(
    message: str, ending: Ending, passing: bool
) -> None:
    transcript, _ = fed(result(status="error", error={"message": message}))
    assert transcript.failure is not None
    assert (ending, passing) == (transcript.failure.ending, transcript.failure.passing)


@pytest.mark.parametrize(
    ("code", "ending", "limit"),
    [(41, Ending.INFRA, ""), (55, Ending.INFRA, ""), (52, Ending.INFRA, ""),
     (53, Ending.FINISHED, "turns"), (54, Ending.CRASHED, "")],
)  # fmt: skip
def test_its_exit_statuses_are_known(code: int, ending: Ending, limit: str) -> None:
    judged = GeminiSolver().exited(code, "last words")
    assert judged is not None
    assert (ending, limit) == (judged.ending, judged.limit)
    assert GeminiSolver().exited(1, "last words") is None


def test_its_settings_let_it_start_without_a_dialog(tmp_path: Path) -> None:
    launch = GeminiSolver(model=PRO, max_turns=9).launch(
        Brief(prompt="-x", timeout_s=1.0), place(tmp_path)
    )
    assert (b"-x", "true") == (launch.stdin, launch.env["GEMINI_CLI_TRUST_WORKSPACE"])
    settings = json.loads((tmp_path / ".gemini" / "settings.json").read_text())
    assert "gemini-api-key" == settings["security"]["auth"]["selectedType"]
    assert 9 == settings["model"]["maxSessionTurns"]
    assert ["google_web_search", "web_fetch"] == settings["tools"]["exclude"]
