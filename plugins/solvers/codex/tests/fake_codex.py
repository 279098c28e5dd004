#!/usr/bin/env python3
"""Prints what `codex exec --json` prints, and leaves a rollout file."""

import json
import os
import sys
import time
from pathlib import Path


def say(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def main() -> int:
    if "--version" in sys.argv:
        sys.stdout.write("codex-cli 0.171.0\n")
        return 0
    if "--stuck" in sys.argv:
        time.sleep(60)
    prompt = sys.stdin.read()
    say(type="thread.started", thread_id="t1")
    say(type="turn.started")
    command = {"id": "item_1", "type": "command_execution", "command": "true"}
    say(type="item.started", item={**command, "status": "in_progress"})
    over = {**command, "status": "completed", "exit_code": 0, "aggregated_output": "ok"}
    say(type="item.completed", item=over)
    Path("answer.txt").write_text(prompt, encoding="utf-8")
    say(type="item.completed", item={"id": "item_2", "type": "agent_message", "text": "done"})
    used = {"input_tokens": 30, "cached_input_tokens": 14, "output_tokens": 8,
            "reasoning_output_tokens": 3}  # fmt: skip
    folder = Path(os.environ["CODEX_HOME"], "sessions", "2026", "01", "01")
    folder.mkdir(parents=True, exist_ok=True)
    rows = (
        {"type": "session_meta", "payload": {"id": "t1"}},
        {"type": "turn_context", "payload": {"model": "gpt-5-codex"}},
        {
            "type": "event_msg",
            "payload": {"type": "token_count", "info": {"total_token_usage": used}},
        },
    )
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "rollout-1.jsonl").write_text(text, encoding="utf-8")
    say(type="turn.completed", usage=used)
    return 0


if __name__ == "__main__":
    sys.exit(main())
