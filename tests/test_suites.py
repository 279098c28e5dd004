"""Our own suites, run by the command as a user runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUITES = {"smoke": 5, "mix": 19}


@pytest.mark.parametrize("suite", SUITES)
def test_reference_resolves_every_task_and_noop_none(suite: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fairtrial", "run", str(ROOT / f"tasks/{suite}.toml")]
    done = subprocess.run(
        [*command, "--json", "--log", "quiet", "--out", str(tmp_path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert 0 == done.returncode, done.stderr
    report = json.loads(done.stdout)
    points = {point["solver"]: point for point in report["runs"][0]["frontier"]["points"]}
    counts = {name: point["counts"]["resolved"] for name, point in points.items()}
    assert {"reference": SUITES[suite], "noop": 0} == counts
    assert {SUITES[suite]} == {point["counts"]["planned"] for point in points.values()}
