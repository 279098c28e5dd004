"""
Runs the benchmarks and writes docs/benchmarks.md from what they print.

    uv run python scripts/benchmark.py            all of them
    uv run python scripts/benchmark.py trials     some of them

A benchmark is a script in benchmarks/ that prints one JSON line last, and may exit with 1 where it
misses a target. Lines of earlier runs are kept for the scripts that are not run. Beside each stands
what the bare interpreter took to start just before, since one machine is not always as quick.
"""

import json
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/benchmarks.md"
KEPT = ROOT / "benchmarks/results.json"

HEAD = """# Benchmarks

Made by `uv run python scripts/benchmark.py`, which runs the scripts in `benchmarks/` and writes
what they print. Targets are for two cores, and for a machine on which the bare interpreter starts
in 14 ms; what it took just before stands beside each. A figure that misses its target is shown as
it is.
"""

STARTS = 15


def processor() -> str:
    """Returns the processor's name, as far as the system tells."""
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((row.split(":")[1].strip() for row in rows if row.startswith("model name")), "–")


def interpreter_ms() -> float:
    """Returns the milliseconds of the quickest of some starts of the bare interpreter."""

    def start() -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        return time.perf_counter() - begun

    return round(min(start() for _ in range(STARTS)) * 1000, 1)


def run(name: str) -> dict[str, object]:
    """Runs one script; returns its last line, read, and the table that it may print above."""
    command = [sys.executable, str(ROOT / f"benchmarks/{name}.py")]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=ROOT)
    *table, last = done.stdout.strip().splitlines() or [""]
    try:
        return {"figures": json.loads(last), "table": table}
    except ValueError:
        sys.exit(f"benchmarks/{name}.py printed no figures:\n{done.stderr}")


def flat(figures: object, above: str = "") -> list[tuple[str, object]]:
    """Returns nested figures as rows, their names joined by dots."""
    if not isinstance(figures, dict):
        return [(above.removesuffix("."), figures)]
    return [row for key, value in figures.items() for row in flat(value, f"{above}{key}.")]


def section(name: str, entry: dict[str, object]) -> str:
    """Renders one benchmark's figures beside what the script says of itself."""
    text = (ROOT / f"benchmarks/{name}.py").read_text(encoding="utf-8")
    about = text.split('"""')[1].strip()
    rows = [(key, value) for key, value in flat(entry["figures"]) if key != "benchmark"]
    table = "\n".join(f"| {key} | {value} |" for key, value in rows)
    made = ", ".join(
        (
            f"`python benchmarks/{name}.py`",
            str(entry["on"]),
            str(entry["processor"]),
            f"Python {entry['python']}",
            f"which starts in {entry['interpreter_ms']} ms",
        )
    )
    printed = "\n".join(cast("list[str]", entry["table"]))
    block = f"```text\n{printed}\n```\n\n" if printed else ""
    return f"## {name}\n\n{about}\n\n{made}\n\n{block}| figure | value |\n|---|---|\n{table}\n"


def main() -> None:
    """Runs what was asked for and writes the page."""
    every = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in sys.argv[1:] or every:
        print(f"running {name} …", file=sys.stderr)
        kept[name] = {
            "interpreter_ms": interpreter_ms(),
            **run(name),
            "on": datetime.now(UTC).date().isoformat(),
            "processor": processor(),
            "python": platform.python_version(),
        }
        KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    sections = [section(name, kept[name]) for name in every if name in kept]
    PAGE.write_text("\n".join([HEAD, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main()
