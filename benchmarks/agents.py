"""
What a driver costs: milliseconds beside the bare program, and megabytes read a second.

The program is a fake of Claude Code, so that nothing but the driver is timed: it is run bare, and
through the driver, one after the other. The stream is what a long session prints.
Prints one JSON line, and exits 1 where a target is missed.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairtrial.api import Brief, Fence
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial_solver_claude import ClaudeSolver
from fairtrial_solver_claude.transcript import ClaudeTranscript

MOST_OVERHEAD_MS = 50.0
LEAST_MB_S = 50.0
ROUNDS = 15
STREAM_MB = 60

EVENTS = (
    {"type": "system", "subtype": "init", "model": "claude-opus-4-8"},
    {"type": "result", "subtype": "success", "is_error": False, "result": "done",
     "modelUsage": {"claude-opus-4-8": {"inputTokens": 1, "outputTokens": 1, "costUSD": 0.1}}},
)  # fmt: skip


def program(folder: Path) -> Path:
    """Writes the fake: a shell script, which starts in no time."""
    lines = "\n".join(f"echo '{json.dumps(event)}'" for event in EVENTS)
    path = folder / "claude"
    version = '[ "$1" = --version ] && { echo 2.1.332; exit; }'
    path.write_text(f"#!/bin/sh\n{version}\nread -r prompt\n{lines}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def overhead_ms() -> float:
    """Returns how much longer an attempt takes than the bare program."""
    with tempfile.TemporaryDirectory() as name, open_local("benchmark", Fence()) as workspace:
        folder = Path(name)
        fake = program(folder)
        solver = ClaudeSolver(program=str(fake), env={"ANTHROPIC_API_KEY": "none"})
        bare, driven = [], []
        for number in range(ROUNDS):
            scratch = folder / str(number)
            scratch.mkdir()
            brief = Brief(prompt="x", timeout_s=60.0)
            session = FakeSession(brief=brief, workspace=workspace, scratch=scratch)
            start = time.perf_counter()
            solver.solve(session)
            driven.append(time.perf_counter() - start)
            start = time.perf_counter()
            subprocess.run([str(fake)], input=b"x\n", capture_output=True, check=True)
            bare.append(time.perf_counter() - start)
    return (statistics.median(driven) - statistics.median(bare)) * 1000


def stream() -> list[str]:
    """Returns the lines of a long session: texts, calls of tools, and what these printed."""
    lines: list[str] = []
    size = number = 0
    while size < STREAM_MB * 1_000_000:
        number += 1
        usage = {"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 40_000}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read",
                "input": {"file_path": f"/work/src/module_{number % 40}.py"}}  # fmt: skip
        said = {"type": "text", "text": "I look at the next module, “π”. " * 8}
        message = {"id": f"m{number}", "model": "claude-opus-4-8", "usage": usage}
        source = "\n".join(f"    return value_{n} + {number}  # a line of code" for n in range(90))
        block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": source}
        for document in (
            {"type": "assistant", "message": {**message, "content": [said]}},
            {"type": "assistant", "message": {**message, "content": [call]}},
            {"type": "user", "message": {"content": [block]}, "tool_use_result": source},
        ):
            lines.append(json.dumps(document, ensure_ascii=False))
            size += len(lines[-1].encode())
    return lines


def megabytes_a_second() -> float:
    """Returns how fast the stream is turned into events, by the processor's time."""
    lines = stream()
    size = sum(len(line.encode()) for line in lines)
    best = float("inf")
    for _ in range(3):
        transcript = ClaudeTranscript()
        start = time.process_time()
        for line in lines:
            for _event in transcript.feed(line):
                pass
        best = min(best, time.process_time() - start)
    return size / best / 1e6


def main() -> int:
    """Prints both figures; 1 where one is missed."""
    added_ms, rate = overhead_ms(), megabytes_a_second()
    figures = {
        "driver_overhead_ms": round(added_ms, 1),
        "driver_overhead_target_ms": MOST_OVERHEAD_MS,
        "claude_stream_mb_s": round(rate),
        "claude_stream_target_mb_s": LEAST_MB_S,
    }
    print(json.dumps({"benchmark": "agents", **figures}))
    return 0 if added_ms <= MOST_OVERHEAD_MS and rate >= LEAST_MB_S else 1


if __name__ == "__main__":
    sys.exit(main())
