#!/usr/bin/env python3
"""Prints what Claude Code prints, as the prompt says: its words choose the scene."""

import json
import sys
import time
from pathlib import Path

TOKENS = {"input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2}
MODEL = "claude-opus-4-8"


def say(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def assistant(*content: object, number: str = "msg_1", output: int = 1) -> None:
    usage = {**TOKENS, "output_tokens": output}
    message = {
        "id": number,
        "model": MODEL,
        "role": "assistant",
        "content": content,
        "usage": usage,
    }
    say(type="assistant", message=message, parent_tool_use_id=None)


def result(**fields: object) -> None:
    used = {"inputTokens": 10, "outputTokens": 7, "cacheReadInputTokens": 4,
            "cacheCreationInputTokens": 2, "costUSD": 0.25}  # fmt: skip
    say(
        **{
            "type": "result", "subtype": "success", "is_error": False, "result": "done",
            "total_cost_usd": 0.25, "modelUsage": {f"{MODEL}[1m]": used},
            "permission_denials": [], **fields,
        }
    )  # fmt: skip


def ask() -> str:
    entry = {"question": "In words?", "header": "Form", "multiSelect": False,
             "options": [{"label": "figures"}, {"label": "words"}]}  # fmt: skip
    second = {**entry, "question": "Which languages?", "multiSelect": True}
    given = {"questions": [entry, second]}
    call = {"type": "tool_use", "id": "toolu_q", "name": "AskUserQuestion", "input": given}
    assistant(call, number="msg_q")
    request = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": given}
    say(type="control_request", request_id="r1", request=request)
    reply = json.loads(sys.stdin.readline())["response"]["response"]
    answered = {"type": "tool_result", "tool_use_id": "toolu_q", "content": "answered"}
    say(type="user", message={"content": [answered]})
    return json.dumps(reply["updatedInput"]["answers"])


def main() -> int:
    if "--version" in sys.argv:
        sys.stdout.write("2.1.332 (Claude Code)\n")
        return 0
    if "--stuck" in sys.argv:
        time.sleep(60)
    two_way = "--input-format=stream-json" in sys.argv
    read = sys.stdin.readline if two_way else sys.stdin.read
    prompt = json.loads(read())["message"]["content"] if two_way else read()
    say(
        type="system",
        subtype="init",
        model=MODEL,
        claude_code_version="2.1.332",
        cwd=str(Path.cwd()),
    )
    said = ask() if two_way and "Ask me first" in prompt else "fine"
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "true"}}
    assistant({"type": "text", "text": said}, call)
    done = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok", "is_error": False}
    say(type="user", message={"content": [done]}, parent_tool_use_id=None)
    Path("answer.txt").write_text(prompt, encoding="utf-8")
    result(result=said)
    if "--lingers" in sys.argv:
        time.sleep(60)
    if two_way:
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
