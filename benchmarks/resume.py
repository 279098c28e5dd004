"""
How long a resumed run takes to its first new trial, by how many trials are finished.

Prints one JSON line: seconds from the command's start until the first new line of the journal, for
1,000, 10,000 and 100,000 finished trials, and the largest memory of the process.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (1_000, 10_000, 100_000)
TASKS = 100

TASK = """
name = "task-{number}"
prompt = "Write done into answer.txt."
test_cmd = ["sh", "-c", "grep -q done answer.txt"]
submission = false
"""

CONFIG = """
[run]
suite = "trivial"
sandbox = "local"
solvers = ["noop"]
rollouts = {rollouts}
validate = false
reporters = []

[suites.trivial]
plugin = "folder"
path = "tasks"
"""


def lay_out(folder: Path, finished: int) -> Path:
    """Writes a suite and a config that plan one trial more for each task than are finished."""
    for number in range(TASKS):
        place = folder / "tasks" / f"task-{number}"
        (place / "before").mkdir(parents=True)
        (place / "before" / "answer.txt").write_text("open\n")
        (place / "task.toml").write_text(TASK.format(number=number))
    config = folder / "run.toml"
    config.write_text(CONFIG.format(rollouts=finished // TASKS + 1))
    return config


def start(folder: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    """Starts the command, quietly."""
    command = [sys.executable, "-m", "fairtrial", "run", "run.toml", "--log", "quiet", *arguments]
    environment = {
        **os.environ,
        "FAIRTRIAL_CACHE": str(folder / "cache"),
        "FAIRTRIAL_DATA": str(folder / "data"),
    }
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def first_line(journal: Path, size: int) -> None:
    """Waits until the journal is longer than it was."""
    deadline = time.monotonic() + 120
    while not journal.exists() or journal.stat().st_size <= size:
        if time.monotonic() > deadline:
            raise TimeoutError(journal)
        time.sleep(0.002)


def fill(folder: Path, finished: int) -> None:
    """Makes a journal of so many finished trials, by copying the first real one."""
    journal = folder / "runs/run/trials.jsonl"
    child = start(folder)
    first_line(journal, 0)
    child.kill()
    child.wait()
    model = json.loads(journal.read_text().splitlines()[0])
    digests = json.loads((folder / "runs/run/run.json").read_text())["tasks"]
    with journal.open("w") as file:
        for number in range(finished):
            task = digests[number % TASKS]
            line = model | {"task": task["id"], "family": task["family"], "digest": task["digest"]}
            rollout = number // TASKS + 1
            file.write(json.dumps(line | ({"rollout": rollout} if rollout > 1 else {})) + "\n")


def measure(finished: int) -> float:
    """Seconds from start to the first new trial."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder, finished)
        fill(folder, finished)
        journal = folder / "runs/run/trials.jsonl"
        size = journal.stat().st_size
        begin = time.monotonic()
        child = start(folder, "--resume")
        first_line(journal, size)
        elapsed = time.monotonic() - begin
        child.terminate()
        child.wait()
        return elapsed


def main() -> None:
    """Measures, and prints one JSON line."""
    seconds = {f"{size}_s": round(measure(size), 2) for size in SIZES}
    print(json.dumps({"benchmark": "resume", **seconds}))


if __name__ == "__main__":
    main()
