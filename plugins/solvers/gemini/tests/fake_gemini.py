#!/usr/bin/env python3
"""Prints what `gemini --output-format stream-json` prints, and leaves a session file."""

import json
import os
import sys
import time
from pathlib import Path

MODEL = "gemini-2.5-pro"


def say(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def main() -> int:
    if "--version" in sys.argv:
        sys.stdout.write("0.61.0\n")
        return 0
    if "--stuck" in sys.argv:
        time.sleep(60)
    prompt = sys.stdin.read()
    say(type="init", session_id="s1", model=MODEL)
    say(type="message", role="user", content=prompt)
    say(
        type="tool_use",
        tool_name="write_file",
        tool_id="c1",
        parameters={"file_path": "answer.txt"},
    )
    Path("answer.txt").write_text(prompt, encoding="utf-8")
    say(type="tool_result", tool_id="c1", status="success", output="written")
    say(type="message", role="assistant", content="do", delta=True)
    say(type="message", role="assistant", content="ne", delta=True)
    tokens = {"input": 30, "cached": 14, "output": 5, "thoughts": 3, "tool": 0, "total": 38}
    folder = Path(os.environ["HOME"], ".gemini", "tmp", "x", "chats")
    folder.mkdir(parents=True, exist_ok=True)
    row = {"id": "m1", "type": "gemini", "model": MODEL, "tokens": tokens}
    early = {**row, "tokens": {**tokens, "output": 1}}
    text = "".join(json.dumps(one) + "\n" for one in (early, row))
    (folder / "session-1.jsonl").write_text(text, encoding="utf-8")
    total = {"total_tokens": 38, "input_tokens": 30, "output_tokens": 5, "cached": 14, "input": 16}
    say(type="result", status="success", stats={**total, "models": {MODEL: total}})
    return 0


if __name__ == "__main__":
    sys.exit(main())
