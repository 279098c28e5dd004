"""
Refreshes the real outputs that README.md shows.

    uv run python scripts/readme.py            writes them
    uv run python scripts/readme.py --check    exits 1 where the shape of one has changed

A block marked by a comment `output of: COMMAND` holds that command's output. Figures differ from run
to run, so a check compares everything but digits and the width of columns.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "README.md"
BLOCK = re.compile(r"(<!-- output of: (.+?) -->\n```console\n)(.*?)(\n```)", re.DOTALL)


def output(command: str) -> str:
    """Runs a command of ours in an empty folder and returns what it prints to stdout."""
    words = [
        str(ROOT / word) if word.startswith("tasks/") else word for word in shlex.split(command)
    ]
    program = [sys.executable, "-m", *words]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(program, cwd=folder, capture_output=True, check=True, text=True)
    return f"$ {command}\n{done.stdout.strip()}"


def shape(text: str) -> str:
    """Returns a text without its figures and the width of its columns."""
    text = re.sub(r"\d[\d.,]*", "0", text)
    return re.sub(r"[ -]+", " ", text).strip()


def main() -> int:
    """Writes or checks; returns the exit code."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = BLOCK.sub(lambda found: found[1] + output(found[2]) + found[4], text)
    if "--check" in sys.argv[1:]:
        same = shape(fresh) == shape(text)
        print("README.md is fresh" if same else "README.md is stale: run scripts/readme.py")
        return 0 if same else 1
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
