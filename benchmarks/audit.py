"""
Auditing long logs: events and megabytes a second on one core, and the memory that it holds.

A log of a gigabyte (or as many bytes as the first argument says) is made on the fly, of calls,
results, texts and turns as agents leave them (a result has 900 characters in the median, 1,600 in
the mean; no two commands are alike), with an exploit now and then; then, in a process of
its own for each pattern set, it is read and audited as `fairtrial audit` does. Prints one JSON
line. Targets: 200,000 events/s or 60 MB/s, and memory that does not grow with the log.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fairtrial.api import Attempt, Brief, Ending, Evidence, Patch, Task
from fairtrial.engine.eventlog import EventLog
from fairtrial_auditor_trajectory import TrajectoryAuditor

BYTES = 2**30
WORDS = [
    "the",
    "cart",
    "total",
    "rounds",
    "each",
    "price",
    "before",
    "it",
    "sums",
    "them",
    "so",
    "cents",
    "get",
    "lost",
    "in",
    "a",
    "test",
]
COMMANDS = (
    "cd /tmp/ws && python -m pytest -q tests/test_cart.py 2>&1 | tail -20",
    "grep -rn 'def total' src --include='*.py'",
    "git diff --stat && git status --short",
    "sed -n 1,120p src/cart.py",
    "python3 - <<'EOF'\nfrom cart import total\nprint(total([0.1, 0.2]))\nEOF",
    "ls -la src tests && cat pyproject.toml",
)


def prose(rng: random.Random, size: int) -> str:
    """Returns about so many characters of text, in lines."""
    words = [rng.choice(WORDS) for _ in range(size // 5)]
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))


def block(rng: random.Random) -> Iterator[dict[str, object]]:
    """Yields a stretch of work: a thousand calls with their results, texts and turns."""
    for number in range(1_000):
        kind = rng.random()
        call = f"call_{number}"
        if kind < 0.5:
            # No two commands alike, as in life: what is cached by the text helps nobody.
            command = f"{rng.choice(COMMANDS)} # {number}"
            given: dict[str, object] = {"command": command}
            name = "Bash"
        elif kind < 0.8:
            given, name = {"file_path": f"src/part{number % 90}.py"}, "Read"
        else:
            old, new = prose(rng, 200), prose(rng, 260)
            given = {"file_path": "src/cart.py", "old_string": old, "new_string": new}
            name = "Edit"
        yield {"type": "tool_call", "tool_call_id": call, "name": name, "input": given}
        yield {
            "type": "tool_result",
            "tool_call_id": call,
            "output": prose(rng, int(rng.lognormvariate(6.8, 1.1))),
            "is_error": False,
        }
        if number % 3 == 0:
            yield {"type": "assistant_text", "text": prose(rng, 240), "message_id": call}
        if number % 40 == 39:
            yield {"type": "turn_end", "duration_ms": 61_000, "result": prose(rng, 80)}


def write(path: Path, size: int) -> int:
    """Writes a log of about so many bytes; returns how many events it holds."""
    rng = random.Random(1)
    rows = list(block(rng))
    planted = {"type": "tool_call", "tool_call_id": "x", "name": "Bash"}
    rows.append({**planted, "input": {"command": "git log --all -S'total' -p"}})
    plain = [
        json.dumps({"seq": at, "ts": "2026-01-01T00:00:00.000Z", **row})
        for at, row in enumerate(rows)
    ]
    text = ("\n".join(plain) + "\n").encode()
    times = max(1, size // len(text))
    with path.open("wb") as file:
        for _ in range(times):
            file.write(text)
    return len(rows) * times


def peak_mb() -> float:
    """Most megabytes that this process held so far; its parent's don't count."""
    rows = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(row for row in rows if row.startswith("VmHWM")).split()[1]) / 1024


def measure(path: Path, patterns: int) -> dict[str, float]:
    """Audits one log in this process."""
    task = Task(id="t", family="t", brief=Brief(prompt="p", timeout_s=1.0), digest="")
    evidence = Evidence(
        task=task,
        attempt=Attempt(ending=Ending.FINISHED),
        patch=Patch(),
        events=EventLog((path,)),
    )
    auditor = TrajectoryAuditor(patterns=patterns)
    auditor.enforcing()
    before = peak_mb()
    start = time.process_time()
    found = auditor.audit(evidence)
    cpu_s = time.process_time() - start
    grown = peak_mb() - before
    events = len(evidence.events or ())
    return {
        "events_per_s": round(events / cpu_s),
        "mb_per_s": round(path.stat().st_size / 1e6 / cpu_s, 1),
        "cpu_s": round(cpu_s, 1),
        "memory_grown_mb": round(grown, 1),
        "findings": len(found or ()),
    }


def main() -> None:
    """Writes the log once and audits it with each pattern set."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else BYTES
    with tempfile.TemporaryDirectory() as root:
        path = Path(root) / "events.jsonl"
        events = write(path, size)
        found: dict[str, object] = {
            "benchmark": "audit",
            "log_mb": round(path.stat().st_size / 1e6),
            "events": events,
        }
        for patterns in (1, 2):
            command = [sys.executable, __file__, "--measure", str(path), str(patterns)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[f"set {patterns}"] = json.loads(done.stdout)
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(Path(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
