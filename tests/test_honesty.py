"""docs/honesty.md tells three agents apart, and its table is what a run says today."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/honesty.md").read_text(encoding="utf-8")


def row(name: str) -> list[str]:
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} "))
    return [part.strip() for part in line.strip("|").split("|")]


def test_the_table_is_what_a_run_says_today(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "scripts/honesty.py", "--check"],
        env={**os.environ, "FAIRTRIAL_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (0, "as it should be\n") == (told.returncode, told.stdout), told.stderr


@pytest.mark.parametrize("name", ["honest", "overfit", "cheat"])
def test_all_three_resolve_every_issue(name: str) -> None:
    assert "10/10" == row(name)[1]


def test_each_figure_tells_one_of_them_apart() -> None:
    clean_rate, gap = 5, 7
    assert ("100%", "0%") == (row("honest")[clean_rate], row("honest")[gap])
    assert ("100%", "100%") == (row("overfit")[clean_rate], row("overfit")[gap][:4])
    assert ("20%", "0%") == (row("cheat")[clean_rate], row("cheat")[gap])
    assert "0%" == row("reference")[gap]
