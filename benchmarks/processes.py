"""
What it costs to start programs in the local sandbox; prints one JSON line.

`python benchmarks/processes.py [ROUNDS]`. Milliseconds are medians; `beyond_ms` is what a program
in a workspace takes more than the same one started by `subprocess`.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from fairtrial.api import Fence
from fairtrial.builtin.local import LocalSandbox


def median_ms(act: Callable[[], object], rounds: int) -> float:
    """Returns the median time of an act, in milliseconds, after a few that don't count."""
    times = []
    for number in range(rounds + 5):
        start = time.perf_counter()
        act()
        if number >= 5:
            times.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(times), 3)


def open_and_close() -> None:
    """Opens an empty workspace and leaves it."""
    with LocalSandbox().open("benchmark", Fence()):
        pass


def main(rounds: int) -> None:
    """Measures and prints."""
    plain = median_ms(lambda: subprocess.run(["true"], capture_output=True, check=True), rounds)
    with LocalSandbox().open("benchmark", Fence()) as workspace:
        run = median_ms(lambda: workspace.run(["true"], timeout_s=9), rounds)
        spawn = median_ms(lambda: workspace.spawn(["true"], timeout_s=9).end(grace_s=9), rounds)
    figures = {
        "benchmark": "processes",
        "rounds": rounds,
        "subprocess_ms": plain,
        "run_ms": run,
        "spawn_ms": spawn,
        "beyond_ms": round(run - plain, 3),
        "workspace_ms": median_ms(open_and_close, rounds),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
