"""
How long a report takes, from the journal on disk to the frontier table.

Runs of 1,000, 10,000 and 100,000 trials of four solvers are written as a run directory; then, each
in a process of its own, they are read and reported. Prints one JSON line: for each size the
seconds of reading and of reporting, and the most megabytes that the process held.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairtrial import serial
from fairtrial.api import (
    Boundary,
    Check,
    CheckKind,
    CostSource,
    Ending,
    Energy,
    Label,
    PlannedTask,
    RunRecord,
    Trial,
    Usage,
    Verdict,
)
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run, write_plan
from fairtrial_reporter_table import TableReporter

SIZES = (1_000, 10_000, 100_000)
SOLVERS = ("reference", "fast", "thorough", "cheap")


def synthetic(size: int, label: str = "synthetic", seed: int = 1) -> RunRecord:
    """Returns a run of so many trials, with dollars, tokens and joules."""
    rng = random.Random(seed)
    names = [f"task-{number}" for number in range(size // len(SOLVERS))]

    def trial(task: str, solver: str) -> Trial:
        good = solver == "reference" or rng.random() < 0.6
        return Trial(
            task=task,
            digest="0" * 64,
            family=f"family-{len(task)}",
            solver=solver,
            ending=Ending.FINISHED,
            verdict=Verdict(
                checks=(
                    Check(
                        name="hidden",
                        kind=CheckKind.VISIBLE,
                        passed=good,
                        code="" if good else "hidden-check",
                    ),
                    Check(name="tests", kind=CheckKind.REGRESSION, passed=True),
                ),
                suite_version="1",
            ),
            wall_s=rng.lognormvariate(3, 1),
            usage=(
                Usage(
                    model="m",
                    input_uncached=rng.randrange(50_000),
                    output=rng.randrange(9_000),
                    cost_usd=rng.lognormvariate(-2, 1),
                    cost_source=CostSource.REPORTED,
                ),
            ),
            energy=(
                Energy(
                    joules=rng.lognormvariate(6, 1),
                    boundary=Boundary.HOST,
                    label=Label.HARDWARE_SHUNT,
                    meter="rapl",
                ),
            ),
            changed=("src/a.py",),
            diff_added=3,
            diff_removed=1,
            started_at="2026-01-01T00:00:00Z",
        )

    return RunRecord(
        label=label,
        suite="synthetic",
        suite_version="1",
        solvers=SOLVERS,
        tasks=tuple(PlannedTask(id=name, family="f", digest="0" * 64) for name in names),
        trials=tuple(trial(name, solver) for name in names for solver in SOLVERS),
    )


def write(folder: Path, size: int, label: str = "synthetic", seed: int = 1) -> None:
    """Writes a synthetic run as a run directory."""
    record = synthetic(size, label, seed)
    folder.mkdir(parents=True)
    directory = RunDirectory(folder)
    write_plan(directory, record)
    with directory.journal.open("w", encoding="utf-8") as journal:
        journal.writelines(serial.dumps(trial) + "\n" for trial in record.trials)


def peak_mb() -> float:
    """Most megabytes that this process held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(folder: Path) -> dict[str, float]:
    """Reads and reports one run, in this process."""
    start, cpu = time.perf_counter(), time.process_time()
    record = read_run(RunDirectory(folder))
    read = time.perf_counter()
    list(TableReporter().report([record]))
    end = time.perf_counter()
    return {
        "read_s": round(read - start, 2),
        "report_s": round(end - read, 2),
        "total_s": round(end - start, 2),
        "cpu_s": round(time.process_time() - cpu, 2),
        "peak_mb": round(peak_mb()),
    }


def main() -> None:
    """Measures each size in a fresh process."""
    found = {}
    with tempfile.TemporaryDirectory() as root:
        for size in SIZES:
            folder = Path(root) / str(size)
            write(folder, size)
            done = subprocess.run(
                [sys.executable, __file__, str(folder)], capture_output=True, text=True, check=True
            )
            found[str(size)] = json.loads(done.stdout)
    print(json.dumps({"benchmark": "report", "trials": found}))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]))))
    else:
        main()
