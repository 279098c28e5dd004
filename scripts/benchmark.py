"""
Runs the benchmarks and writes docs/benchmarks.md from what they print.

    uv run python scripts/benchmark.py            all of them
    uv run python scripts/benchmark.py trials     some of them

A benchmark is a script in benchmarks/ that prints one JSON line. Lines of earlier runs are kept
for the scripts that are not run.
"""

import json
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/benchmarks.md"
KEPT = ROOT / "benchmarks/results.json"

HEAD = """# Benchmarks

Made by `uv run python scripts/benchmark.py`, which runs the scripts in `benchmarks/` and writes
what they print. Targets are for two cores; a figure that misses its target is shown as it is.
"""


def processor() -> str:
    """Returns the processor's name, as far as the system tells."""
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((row.split(":")[1].strip() for row in rows if row.startswith("model name")), "–")


def run(name: str) -> dict[str, object]:
    """Runs one script and returns its last line, read."""
    command = [sys.executable, str(ROOT / f"benchmarks/{name}.py")]
    done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=ROOT)
    found: dict[str, object] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


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
    command = f"python benchmarks/{name}.py"
    made = f"`{command}`, {entry['on']}, {entry['processor']}, Python {entry['python']}"
    return f"## {name}\n\n{about}\n\n{made}\n\n| figure | value |\n|---|---|\n{table}\n"


def main() -> None:
    """Runs what was asked for and writes the page."""
    every = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in sys.argv[1:] or every:
        print(f"running {name} …", file=sys.stderr)
        kept[name] = {
            "figures": run(name),
            "on": datetime.now(UTC).date().isoformat(),
            "processor": processor(),
            "python": platform.python_version(),
        }
        KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    sections = [section(name, kept[name]) for name in every if name in kept]
    PAGE.write_text("\n".join([HEAD, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main()
