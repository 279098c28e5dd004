"""
How long the command takes to show its help, and a plugin to import the interface.

Prints one JSON line: the best of fifteen fresh processes each, in seconds; the bare interpreter for
comparison. Targets: help 0.15 s, interface 0.05 s.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 15
COMMAND = str(Path(sys.executable).with_name("fairtrial"))
CASES = {
    "interpreter_s": [sys.executable, "-c", "pass"],
    "help_s": [COMMAND, "--help"],
    "run_help_s": [COMMAND, "run", "--help"],
    "import_api_s": [sys.executable, "-c", "import fairtrial.api"],
    "import_every_name_of_api_s": [sys.executable, "-c", "from fairtrial.api import *"],
}


def best_s(command: list[str]) -> float:
    """Seconds of the quickest of several runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return round(min(times), 4)


if __name__ == "__main__":
    figures = {name: best_s(command) for name, command in CASES.items()}
    print(json.dumps({"benchmark": "start", **figures}))
