import json
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.agents import Asked, Place
from fairtrial.api import (
    Agent,
    Answer,
    AssistantText,
    Brief,
    CostSource,
    Ending,
    Event,
    LogMessage,
    ToolCall,
    ToolResult,
    Usage,
)
from fairtrial_solver_claude import ClaudeSolver
from fairtrial_solver_claude.transcript import ClaudeTranscript

OPUS = "claude-opus-4-8"


def assistant(number: str, output: int, *content: object, **fields: object) -> dict[str, object]:
    usage = {
        "input_tokens": 1200,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 700,
        "output_tokens": output,
    }
    message = {"id": number, "model": OPUS, "content": content, "usage": usage}
    return {"type": "assistant", "message": message, **fields}


def result(**fields: object) -> dict[str, object]:
    used = {
        "inputTokens": 2400, "outputTokens": 84, "cacheReadInputTokens": 1400,
        "cacheCreationInputTokens": 600, "costUSD": 0.25,
    }  # fmt: skip
    return {
        "type": "result", "subtype": "success", "is_error": False, "result": "done",
        "modelUsage": {f"{OPUS}[1m]": used}, **fields,
    }  # fmt: skip


def fed(*documents: object) -> tuple[ClaudeTranscript, list[Event | Asked]]:
    transcript = ClaudeTranscript()
    lines = (json.dumps(document) for document in documents)
    return transcript, [event for line in lines for event in transcript.feed(line)]


def told(transcript: ClaudeTranscript) -> list[tuple[int | None, ...]]:
    return [
        (used.input_uncached, used.cache_read, used.cache_write_5m, used.output)
        for used in transcript.usages()
    ]


def place(home: Path) -> Place:
    return Place(home=home, inside=PurePosixPath("/work"), env={})


def keep(home: Path, name: str, *rows: object) -> None:
    path = home / ".claude" / "projects" / "-work" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_a_message_that_is_told_many_times_is_counted_once(tmp_path: Path) -> None:
    """ccusage#985, TokenTracker#62, vibeusage#152, ClaudeCodeUsage#92."""
    transcript, _ = fed(*(assistant("m1", 1, {"type": "text", "text": "x"}) for _ in range(14)))
    assert [(1200, 700, 300, None)] == told(transcript)
    keep(tmp_path, "s.jsonl", *[assistant("m1", 42)] * 14)
    ClaudeSolver().settle(transcript, place(tmp_path))
    assert [(1200, 700, 300, 42)] == told(transcript)


def test_of_a_messages_figures_the_last_ones_count(tmp_path: Path) -> None:
    """codeburn#201."""
    transcript, _ = fed(assistant("m1", 1))
    rows = (assistant("m1", 3), assistant("m1", 42), assistant("m2", 1), assistant("m2", 8))
    keep(tmp_path, "s.jsonl", *rows)
    ClaudeSolver().settle(transcript, place(tmp_path))
    assert [(2400, 1400, 600, 50)] == told(transcript)


def test_a_message_in_several_session_files_is_counted_once(tmp_path: Path) -> None:
    """ccusage#1762."""
    keep(tmp_path, "a.jsonl", assistant("m1", 42))
    keep(tmp_path, "b.jsonl", assistant("m1", 42), assistant("m2", 8))
    keep(tmp_path, "a/subagents/agent-1.jsonl", assistant("m3", 5, isSidechain=True))
    transcript = ClaudeTranscript()
    ClaudeSolver().settle(transcript, place(tmp_path))
    assert [(3600, 2100, 900, 55)] == told(transcript)


def test_cached_tokens_are_not_billed_as_fresh_ones() -> None:
    """litellm#6215, #11364; openlit#1378; agentweave#99; strands#3212."""
    transcript, _ = fed(assistant("m1", 1), result())
    expected = Usage(
        model=OPUS, input_uncached=2400, cache_read=1400, cache_write_5m=600, cache_write_1h=0,
        output=84, cost_usd=0.25, cost_source=CostSource.REPORTED,
    )  # fmt: skip
    assert (expected,) == transcript.usages()


def test_cache_writes_of_both_lives_are_told_apart() -> None:
    used = {
        "inputTokens": 1, "outputTokens": 1, "cacheReadInputTokens": 0,
        "cacheCreationInputTokens": 30, "cacheCreationEphemeral5mInputTokens": 10,
        "cacheCreationEphemeral1hInputTokens": 20, "costUSD": 1.0,
    }  # fmt: skip
    transcript, _ = fed(result(modelUsage={OPUS: used}))
    assert [(10, 20)] == [
        (usage.cache_write_5m, usage.cache_write_1h) for usage in transcript.usages()
    ]


def test_a_model_without_a_list_price_has_no_cost() -> None:
    used = {"inputTokens": 1, "outputTokens": 1, "costUSD": 5.0, "costBasis": "unknown"}
    transcript, _ = fed(result(modelUsage={"mine": used}))
    assert [(None, CostSource.UNKNOWN)] == [
        (usage.cost_usd, usage.cost_source) for usage in transcript.usages()
    ]


def test_a_killed_run_without_files_has_no_known_output() -> None:
    transcript, _ = fed(assistant("m1", 1))
    assert [(1200, 700, 300, None)] == told(transcript)


def test_nothing_told_is_nothing_known() -> None:
    transcript, _ = fed(result(modelUsage={}, is_error=True, api_error_status=429))
    assert () == transcript.usages()


@pytest.mark.parametrize(
    ("fields", "ending", "limit"),
    [
        ({"is_error": True, "api_error_status": 429, "result": "x"}, Ending.INFRA, ""),
        ({"is_error": True, "result": "Not logged in · Please run /login"}, Ending.INFRA, ""),
        ({"subtype": "error_max_turns", "is_error": True}, Ending.FINISHED, "turns"),
        ({"subtype": "error_max_budget_usd", "is_error": True}, Ending.OVER_BUDGET, "budget"),
        ({"subtype": "error_during_execution", "errors": ["lost"]}, Ending.CRASHED, ""),
        ({"is_error": True, "result": "Prompt is too long"}, Ending.CRASHED, ""),
    ],
)
def test_an_end_that_is_no_good_one_says_whose_fault_it_is(
    fields: dict[str, object], ending: Ending, limit: str
) -> None:
    transcript, _ = fed(result(**fields))
    assert transcript.done
    assert transcript.failure is not None
    assert (ending, limit) == (transcript.failure.ending, transcript.failure.limit)


def test_a_subagents_events_carry_it_and_its_turn_waits_for_it() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Task",
            "input": {"subagent_type": "Explore", "description": "Look"}}  # fmt: skip
    busy = {"type": "system", "subtype": "background_tasks_changed",
            "tasks": [{"task_type": "local_agent"}, {"task_type": "local_bash"}]}  # fmt: skip
    inner = assistant("m2", 1, {"type": "text", "text": "seen"}, parent_tool_use_id="t1")
    transcript, events = fed(assistant("m1", 1, call), busy, result(), inner)
    assert not transcript.done
    agent = Agent(id="t1", name="Explore", description="Look")
    assert AssistantText(text="seen", message_id="m2", agent=agent) == events[-1]
    for document in ({**busy, "tasks": [{"task_type": "local_bash"}]}, result(result="at last")):
        list(transcript.feed(json.dumps(document)))
    assert (True, "at last") == (transcript.done, transcript.result)
    assert [(2400, 1400, 600, 84)] == told(transcript)


def test_a_question_is_no_call_of_a_tool() -> None:
    entry = {
        "question": "Which?",
        "multiSelect": True,
        "options": [{"label": "a"}, {"label": "b"}],
    }
    given = {"questions": [entry]}
    call = {"type": "tool_use", "id": "q1", "name": "AskUserQuestion", "input": given}
    request = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": given}
    answered = {"type": "tool_result", "tool_use_id": "q1", "content": "a"}
    transcript, events = fed(
        assistant("m1", 1, call),
        {"type": "control_request", "request_id": "r1", "request": request},
        {"type": "user", "message": {"content": [answered]}},
    )
    (asked,) = events
    assert isinstance(asked, Asked)
    assert (True, ["a", "b"]) == (
        asked.questions[0].multi_select, [option.label for option in asked.questions[0].options]
    )  # fmt: skip
    reply = json.loads(transcript.reply(asked, (Answer(picked=("a", "b")),)))
    expected = {"behavior": "allow", "updatedInput": {**given, "answers": {"Which?": "a, b"}}}
    assert expected == reply["response"]["response"]
    assert "r1" == reply["response"]["request_id"]


def test_another_tool_that_asks_for_permission_is_allowed_as_it_is() -> None:
    request = {"subtype": "can_use_tool", "tool_name": "Write", "input": {"file_path": "a"}}
    transcript, (asked,) = fed({"type": "control_request", "request_id": "r1", "request": request})
    assert isinstance(asked, Asked)
    assert () == asked.questions
    reply = json.loads(transcript.reply(asked, ()))
    assert {"file_path": "a"} == reply["response"]["response"]["updatedInput"]


def test_what_the_program_says_itself_is_no_text_of_the_agent() -> None:
    synthetic = assistant("m0", 0, {"type": "text", "text": "Not logged in"})
    synthetic["message"]["model"] = "<synthetic>"  # type: ignore[index]  # built above
    transcript, events = fed(synthetic)
    assert [LogMessage(level="warn", message="Not logged in")] == events
    assert () == transcript.usages()


def test_results_of_tools_come_in_every_form() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "1", "content": "plain"},
        {"type": "tool_result", "tool_use_id": "2", "is_error": True,
         "content": [{"type": "text", "text": "a"}, {"type": "image"}]},
        {"type": "tool_result", "tool_use_id": "3", "content": "x" * 30_000},
        {"type": "tool_result", "tool_use_id": "4", "content": None},
    ]  # fmt: skip
    _, events = fed({"type": "user", "message": {"content": blocks}})
    results = [event for event in events if isinstance(event, ToolResult)]
    assert ["plain", "a\n[image]", ""] == [results[0].output, results[1].output, results[3].output]
    assert [False, True, False, False] == [one.is_error for one in results]
    assert 20_000 >= len(results[2].output)


@pytest.mark.parametrize(
    "document",
    [
        {"type": "assistant"},
        {"type": "assistant", "message": {"content": "text", "usage": []}},
        {"type": "user", "message": None},
        {"type": "result", "modelUsage": [1]},
        {"type": "control_request"},
        {"type": ["odd"]},
        {"type": "brand_new", "x": 1},
    ],
)
def test_events_of_another_shape_are_survived(document: object) -> None:
    transcript, events = fed(document, assistant("m1", 1, {"type": "text", "text": "on"}))
    assert "on" in [event.text for event in events if isinstance(event, AssistantText)]
    assert 0 == transcript.odd


def test_its_command_line_says_what_was_asked_for(tmp_path: Path) -> None:
    solver = ClaudeSolver(
        model=OPUS, effort="high", max_turns=7, deny_tools=("WebFetch", "WebSearch"),
        questions=False, args=("--extra",),
    )  # fmt: skip
    brief = Brief(prompt="-x", timeout_s=1.0, budget_usd=0.5)
    launch = solver.launch(brief, place(tmp_path))
    assert (
        "--print", "--verbose", "--output-format=stream-json", "--permission-mode=bypassPermissions",
        "--max-budget-usd=0.500000", f"--model={OPUS}", "--effort=high", "--max-turns=7",
        "--disallowedTools=WebFetch,WebSearch", "--extra",
    ) == launch.argv  # fmt: skip
    assert (b"-x", False) == (launch.stdin, launch.talks)
    assert "1" == launch.env["IS_SANDBOX"]


def test_a_strangers_model_serves_for_all_that_it_asks_on_the_side(tmp_path: Path) -> None:
    there = Place(
        home=tmp_path, inside=PurePosixPath("/work"), env={"ANTHROPIC_BASE_URL": "http://x"}
    )
    brief = Brief(prompt="x", timeout_s=1.0)
    env = ClaudeSolver(model="qwen-4").launch(brief, there).env
    assert "qwen-4" == env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] == env["CLAUDE_CODE_SUBAGENT_MODEL"]
    assert "CLAUDE_CODE_SUBAGENT_MODEL" not in ClaudeSolver(model=OPUS).launch(brief, there).env


def test_tool_calls_keep_their_canonical_names() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}}
    transcript, events = fed(assistant("m1", 1, call))
    expected = ToolCall(tool_call_id="t1", name="Read", input={"file_path": "a"}, message_id="m1")
    assert [expected] == events
    assert transcript.acted
