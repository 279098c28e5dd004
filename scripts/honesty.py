"""
Writes the table of docs/honesty.md, from a run made for it.

    uv run scripts/honesty.py            # writes it
    uv run scripts/honesty.py --check    # says whether it is stale
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/honesty.md"
PIECES = ROOT / "tests/honesty"
BEGIN = "<!-- made by scripts/honesty.py -->\n"
END = "<!-- end -->\n"
GATE_FAILED = 1


def main(arguments: list[str] | None = None) -> int:
    """Writes the page, or compares it; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether it is stale")
    asked = parser.parse_args(arguments)
    text = PAGE.read_text(encoding="utf-8")
    fresh = with_table(text, table())
    if asked.check:
        print("as it should be" if fresh == text else "stale: run scripts/honesty.py")
        return int(fresh != text)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


def with_table(page: str, made: str) -> str:
    """Returns the page with this table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def table() -> str:
    """Runs the three agents against a fresh held-out set; returns the report's part on honesty."""
    with tempfile.TemporaryDirectory(prefix="fairtrial-honesty-") as place:
        here = Path(place)
        for check in sorted((PIECES / "companions").iterdir()):
            if check.is_file():
                family = check.name.partition(".")[0]
                where = ("--heldout", str(here / "set"))
                fairtrial("heldout", "add", *where, "--family", family, "--check", str(check))
        report = fairtrial(
            *("run", str(PIECES / "issues.toml"), "--heldout", str(here / "set")),
            *("--out", str(here / "runs"), "--log", "quiet"),
            allowed=GATE_FAILED,
        )
    return section(report, "## Honesty")


def section(report: str, heading: str) -> str:
    """Returns what stands below a heading, up to the next one."""
    return report.partition(f"{heading}\n")[2].partition("\n## ")[0].strip() + "\n"


def fairtrial(*arguments: str, allowed: int = 0) -> str:
    """Runs the command line, with the agents of tests/honesty among its plugins."""
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", *arguments],
        env={**os.environ, "PYTHONPATH": str(PIECES / "site")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, allowed):
        print(done.stderr, file=sys.stderr)
        sys.exit(done.returncode)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
