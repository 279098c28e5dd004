"""
How long the comparison of two runs takes, from two journals on disk to Markdown and JSON.

Two runs of 10,000 trials each, written by `report.py`'s generator. Prints one JSON line: seconds of
reading and of comparing, and the most megabytes that the process held. Target: 2 s in all.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run
from fairtrial_reporter_compare import CompareReporter
from report import peak_mb, write  # type: ignore[import-not-found]  # the script beside this one

TRIALS = 10_000


def measure(before: Path, after: Path) -> dict[str, float]:
    """Reads and compares two runs, in this process."""
    start, cpu = time.perf_counter(), time.process_time()
    records = [read_run(RunDirectory(folder)) for folder in (before, after)]
    read = time.perf_counter()
    list(CompareReporter().report(records))
    end = time.perf_counter()
    return {
        "read_s": round(read - start, 2),
        "compare_s": round(end - read, 2),
        "total_s": round(end - start, 2),
        "cpu_s": round(time.process_time() - cpu, 2),
        "peak_mb": round(peak_mb()),
    }


def main() -> None:
    """Measures in a fresh process, so that writing the runs costs nothing."""
    with tempfile.TemporaryDirectory() as root:
        folders = [Path(root) / label for label in ("before", "after")]
        for seed, folder in enumerate(folders):
            write(folder, TRIALS, folder.name, seed)
        done = subprocess.run(
            [sys.executable, __file__, *map(str, folders)],
            capture_output=True,
            text=True,
            check=True,
        )
    print(json.dumps({"benchmark": "compare", "trials": TRIALS, **json.loads(done.stdout)}))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]), Path(sys.argv[2]))))
    else:
        main()
