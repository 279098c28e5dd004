"""
What `kill -9` does to a run, at random moments.

Prints one JSON line: how often the run was killed, how many finished trials were lost, how many
were run twice, how many processes were left, and whether `--resume` completed the run.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

KILLS = 40
TASKS = 8
ROLLOUTS = 12

TASK = """
name = "task-{number}"
prompt = "Write done into answer.txt."
test_cmd = ["sh", "-c", "sleep 0.02; grep -q done answer.txt"]
"""

CONFIG = """
[run]
suite = "trivial"
solvers = ["noop", "writer"]
rollouts = {rollouts}
jobs = 2
validate = false
reporters = []

[suites.trivial]
plugin = "folder"
path = "tasks"

[solvers.writer]
plugin = "command"
argv = ["sh", "-c", "setsid sleep {marker} & sleep 0.05; echo done > answer.txt"]
"""


def lay_out(folder: Path, marker: str) -> None:
    """Writes the suite and its config."""
    for number in range(TASKS):
        place = folder / "tasks" / f"task-{number}"
        (place / "before").mkdir(parents=True)
        (place / "before" / "answer.txt").write_text("open\n")
        (place / "task.toml").write_text(TASK.format(number=number))
    (folder / "run.toml").write_text(CONFIG.format(rollouts=ROLLOUTS, marker=marker))


def start(folder: Path) -> "subprocess.Popen[bytes]":
    """Starts or resumes the run, in a process group of its own."""
    command = [sys.executable, "-m", "fairtrial", "run", "run.toml", "--log", "quiet", "--resume"]
    environment = {
        **os.environ,
        "FAIRTRIAL_CACHE": str(folder / "cache"),
        "FAIRTRIAL_DATA": str(folder / "data"),
        "TMPDIR": str(folder),
    }
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def finished(folder: Path) -> list[tuple[object, ...]]:
    """Returns the finished trials of the journal, in order; a torn line is none."""
    journal = folder / "runs/run/trials.jsonl"
    found: list[tuple[object, ...]] = []
    for line in journal.read_bytes().splitlines() if journal.exists() else ():
        try:
            trial = json.loads(line)
        except ValueError:
            continue
        if trial["ending"] == "finished":
            found.append((trial["task"], trial["solver"], trial.get("rollout", 1)))
    return found


def left_behind(marker: str, folder: Path) -> int:
    """Counts processes that belong to the run, by their arguments or their directory."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
            place = str((process / "cwd").readlink())
        except OSError:
            continue
        count += marker.encode() in words or place.startswith(str(folder))
    return count


def main() -> None:
    """Kills and resumes, then prints one JSON line."""
    marker = str(100_000 + uuid.uuid4().int % 100_000)
    dice = random.Random(7)
    lost = leftovers = kills = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        lay_out(folder, marker)
        known: set[tuple[object, ...]] = set()
        while kills < KILLS:
            child = start(folder)
            time.sleep(dice.uniform(0.05, 1.2))
            if child.poll() is None:
                child.send_signal(signal.SIGKILL)
                kills += 1
            child.wait()
            deadline = time.monotonic() + 1.0
            while left_behind(marker, folder) and time.monotonic() < deadline:
                time.sleep(0.02)
            leftovers += left_behind(marker, folder)
            now = set(finished(folder))
            lost += len(known - now)
            known = now
            if len(known) == TASKS * ROLLOUTS * 2:
                break
        code = start(folder).wait()
        end = finished(folder)
        directories = len(list(folder.glob("fairtrial-*")))
    planned = TASKS * ROLLOUTS * 2
    result = {
        "benchmark": "kill",
        "kills": kills,
        "trials": len(end),
        "lost": lost,
        "run_twice": len(end) - len(set(end)),
        "processes_left": leftovers,
        "directories_left": directories,
        "completed": code == 0 and len(set(end)) == planned,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
