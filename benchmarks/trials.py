"""
How much a trial costs beyond the programs that it runs.

500 trials of a trivial task (one shell check, the arm `noop`, sandbox `local`), two at once. Prints
one JSON line: seconds in all, harness milliseconds a trial beyond its child processes and the start
of the command (a run of one trial), kilobytes a trial on disk. The seconds of the child processes
are what the same 500 checks take when they are started bare. Targets: 10 s, 15 ms, 10 KB.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASKS = 50
ROLLOUTS = 10
JOBS = 2

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
jobs = {jobs}
validate = false
reporters = []

[suites.trivial]
plugin = "folder"
path = "tasks"
"""


def lay_out(folder: Path) -> Path:
    """Writes the suite and its config."""
    for number in range(TASKS):
        place = folder / "tasks" / f"task-{number}"
        (place / "before").mkdir(parents=True)
        (place / "before" / "answer.txt").write_text("open\n")
        (place / "task.toml").write_text(TASK.format(number=number))
    config = folder / "run.toml"
    config.write_text(CONFIG.format(rollouts=ROLLOUTS, jobs=JOBS))
    return config


def bare_s(folder: Path) -> float:
    """Seconds for the same checks, started one after another and nothing else done."""
    place = folder / "tasks" / "task-0" / "before"
    start = time.perf_counter()
    for _ in range(TASKS * ROLLOUTS):
        subprocess.run(["sh", "-c", "grep -q done answer.txt"], cwd=place, check=False)
    return time.perf_counter() - start


def disk_bytes(folder: Path) -> int:
    """Bytes on disk below a directory, in whole blocks."""
    return sum(
        (Path(root) / name).stat().st_blocks * 512
        for root, _, files in os.walk(folder)
        for name in files
    )


def run_s(config: Path, *arguments: str) -> float:
    """Seconds of one whole run."""
    command = [sys.executable, "-m", "fairtrial", "run", str(config), "--log", "quiet", *arguments]
    environment = {
        **os.environ,
        "FAIRTRIAL_CACHE": str(config.parent / "cache"),
        "FAIRTRIAL_DATA": str(config.parent / "data"),
    }
    start = time.perf_counter()
    subprocess.run(command, cwd=config.parent, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Measures, and prints one JSON line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = lay_out(folder)
        children_s = bare_s(folder)
        one_s = run_s(config, "--limit", "1", "--rollouts", "1", "--label", "one")
        total_s = run_s(config, "--label", "all")
        trials = len((folder / "runs/all/trials.jsonl").read_text().splitlines())
        worked_s = (total_s - one_s) * JOBS - children_s
        result = {
            "benchmark": "trials",
            "trials": trials,
            "total_s": round(total_s, 2),
            "run_of_one_trial_s": round(one_s, 2),
            "harness_ms_a_trial": round(worked_s / (trials - 1) * 1000, 2),
            "disk_kb_a_trial": round(disk_bytes(folder / "runs/all") / trials / 1000, 2),
        }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
