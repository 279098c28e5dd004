import json
from pathlib import Path, PurePosixPath

import pytest
from fairtrial.agents import Place
from fairtrial.api import Brief, Ending, Event, ToolCall, ToolResult, Usage
from fairtrial_solver_codex import CodexSolver
from fairtrial_solver_codex.rollouts import rollout_usages
from fairtrial_solver_codex.transcript import CodexTranscript


def counts(total: int) -> dict[str, int]:
    return {"input_tokens": total, "cached_input_tokens": 0, "output_tokens": 0}


def rollout(path: Path, number: str, *totals: int | dict[str, int], parent: str = "") -> Path:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": parent}}} if parent else "exec"
    rows: list[object] = [
        {"type": "session_meta", "payload": {"id": number, "source": spawn}},
        {"type": "turn_context", "payload": {"model": "gpt-5-codex"}},
    ]
    for total in totals:
        told = counts(total) if isinstance(total, int) else total
        info = {"total_token_usage": told}
        rows.append({"type": "event_msg", "payload": {"type": "token_count", "info": info}})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def whole(usages: tuple[Usage, ...]) -> list[int | None]:
    return [usage.input_uncached for usage in usages]


def fed(*documents: object) -> tuple[CodexTranscript, list[Event]]:
    transcript = CodexTranscript(model="gpt-5-codex")
    events = [event for one in documents for event in transcript.feed(json.dumps(one))]
    return transcript, events  # type: ignore[return-value]  # it never asks


def test_a_total_that_is_told_again_adds_nothing(tmp_path: Path) -> None:
    """ccusage#1288."""
    path = rollout(tmp_path / "a.jsonl", "t1", 1_000, 1_000, 1_000, 3_300)
    assert [3_300] == whole(rollout_usages([path]))


def test_a_fork_adds_only_what_its_parent_had_not(tmp_path: Path) -> None:
    """ccusage#1288, the forked half."""
    parent = rollout(tmp_path / "a.jsonl", "t1", 1_000, 1_000, 3_300)
    child = rollout(tmp_path / "b.jsonl", "t2", 1_000, 3_300, 4_000, parent="t1")
    assert [4_000] == whole(rollout_usages([parent, child]))
    fresh = rollout(tmp_path / "c.jsonl", "t3", 500, 700, parent="t1")
    assert [4_700] == whole(rollout_usages([parent, child, fresh]))


def test_files_without_token_counts_are_not_known_to_be_free(tmp_path: Path) -> None:
    """openai/codex#9660."""
    path = rollout(tmp_path / "a.jsonl", "t1")
    assert () == rollout_usages([path])
    transcript, _ = fed({"type": "turn.completed"})
    assert () == transcript.usages()


def test_cached_tokens_are_not_billed_as_fresh_ones(tmp_path: Path) -> None:
    """litellm#6215, strands#3212."""
    told = {"input_tokens": 3000, "cached_input_tokens": 1400, "cache_write_input_tokens": 100,
            "output_tokens": 84, "reasoning_output_tokens": 10}  # fmt: skip
    expected = Usage(
        model="gpt-5-codex", input_uncached=1500, cache_read=1400, cache_write_5m=100,
        cache_write_1h=0, output=84, reasoning=10,
    )  # fmt: skip
    transcript, _ = fed({"type": "turn.completed", "usage": told})
    assert (expected,) == transcript.usages()
    assert (expected,) == rollout_usages([rollout(tmp_path / "a.jsonl", "t1", told)])


def test_torn_rows_of_a_file_are_passed_over(tmp_path: Path) -> None:
    path = rollout(tmp_path / "a.jsonl", "t1", 1_000)
    path.write_bytes(path.read_bytes() + b'\xff\xfe\n{"type":"event_msg","payl')
    assert [1_000] == whole(rollout_usages([path]))


def test_a_turn_that_failed_says_whose_fault_it_is() -> None:
    for message, ending in (
        ("unexpected status 401 Unauthorized: no, url: http://x", Ending.INFRA),
        ("exceeded retry limit, last status: 429 Too Many Requests", Ending.INFRA),
        ("stream disconnected before completion: error", Ending.INFRA),
        ("the context window is exceeded", Ending.CRASHED),
        ("the patch does not apply", Ending.CRASHED),
    ):
        transcript, _ = fed({"type": "turn.failed", "error": {"message": message}})
        assert transcript.failure is not None
        assert (True, ending) == (transcript.done, transcript.failure.ending)


def test_errors_on_the_way_are_no_failure() -> None:
    odd = {"type": "error", "message": "Reconnecting... 1/3"}
    item = {"id": "i0", "type": "error", "message": "Model metadata not found"}
    transcript, _ = fed(odd, {"type": "item.completed", "item": item}, {"type": "turn.completed"})
    assert (True, None) == (transcript.done, transcript.failure)


@pytest.mark.parametrize(
    ("item", "name", "given", "output", "failed"),
    [
        ({"type": "command_execution", "command": "ls", "exit_code": 2, "aggregated_output": "no"},
         "Bash", {"command": "ls"}, "no", True),
        ({"type": "file_change", "status": "completed", "changes": [{"path": "a", "kind": "update"}]},
         "Edit", {"changes": [{"path": "a", "kind": "update"}], "file_path": "a"}, "", False),
        ({"type": "file_change", "status": "failed", "changes": [{"path": "a", "kind": "add"}]},
         "Write", {"changes": [{"path": "a", "kind": "add"}], "file_path": "a"}, "", True),
        ({"type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {},
          "result": {"content": [{"text": "r"}]}},
         "mcp__s__t", {"server": "s", "tool": "t", "arguments": {}}, "r", False),
        ({"type": "web_search", "query": "q"}, "WebSearch", {"query": "q"}, "", False),
        ({"type": "todo_list", "items": []}, "TodoWrite", {"items": []}, "", False),
    ],
)  # fmt: skip
def test_items_become_calls_of_canonical_tools(
    item: dict[str, object], name: str, given: dict[str, object], output: str, failed: bool
) -> None:
    _, events = fed({"type": "item.completed", "item": {"id": "i1", **item}})
    assert [
        ToolCall(tool_call_id="i1", name=name, input=given),
        ToolResult(tool_call_id="i1", output=output, is_error=failed),
    ] == events


def test_its_settings_lead_to_the_gateway_and_keep_the_path(tmp_path: Path) -> None:
    env = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "of-this-trial"}
    place = Place(home=tmp_path, inside=PurePosixPath("/work"), env=env)
    solver = CodexSolver(model="gpt-5-codex", effort="high", provider_retries=2)
    launch = solver.launch(Brief(prompt="-x", timeout_s=1.0), place)
    assert (b"-x", "-") == (launch.stdin, launch.argv[-1])
    assert "of-this-trial" == launch.env["CODEX_API_KEY"]
    config = (tmp_path / ".codex" / "config.toml").read_text()
    for line in (
        'model_provider = "gateway"', 'base_url = "http://127.0.0.1:1/v1"',
        'model_reasoning_effort = "high"', 'web_search = "disabled"', "request_max_retries = 2",
        "allow_login_shell = false",
    ):  # fmt: skip
        assert line in config.splitlines()
    assert "of-this-trial" not in config
