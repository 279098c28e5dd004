"""The demonstration: three agents and a cascade on a task of `mix`, their tokens and dollars."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen
from fairtrial import serial
from fairtrial.api import Ending, Trial

ROOT = Path(__file__).parents[2]


@frozen(kw_only=True)
class Shown:
    """What it printed, and what it kept."""

    text: str
    run: Path

    def row(self, section: str, solver: str) -> list[str]:
        """Returns the cells of a solver's row."""
        lines = self.text.partition(section)[2].splitlines()
        line = next(line for line in lines if line.startswith(f"| {solver} "))
        return [cell.strip() for cell in line.strip("|").split(" | ")]


@pytest.fixture
def shown(programs: Path, tmp_path: Path) -> Shown:
    assert programs.is_dir()
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/demo_agents.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
    )
    assert 0 == done.returncode, f"{done.stdout}\n{done.stderr}"
    return Shown(text=done.stdout, run=tmp_path / "runs" / "agents")


def test_the_frontier_shows_tokens_and_metered_beside_reported_dollars(shown: Shown) -> None:
    for solver in ("opus", "flash", "gpt", "cascade"):
        assert "100% (1/1)" == shown.row("# agents", solver)[1], shown.text
    bills = {
        solver: shown.row("## Tokens and dollars", solver)[1:]
        for solver in ("opus", "flash", "gpt", "cascade")
    }
    # Tokens as scripted; dollars by list prices, input, cached input and output for a million
    # tokens: 5, 0.5 and 25; 0.3, 0.03 and 2.5; 1.25, 0.125 and 10; 0.25, 0.025 and 2.
    one = ["2,000", "1,000", "0", "180"]
    assert [*one, "0.0150", "0.0150"] == bills["opus"]
    assert [*one, "0.0011", "–"] == bills["flash"]
    assert [*one, "0.0044", "–"] == bills["gpt"]
    more = ["3,000", "1,500", "0", "270"]
    assert [*more, "0.0154", "≥ 0.0150 (1 unknown)"] == bills["cascade"]
    report = json.loads((shown.run / "reports" / "report.json").read_text(encoding="utf-8"))
    tokens = {each["solver"]: each["buckets"] for each in report["runs"][0]["tokens"]}
    assert 270 == next(b["known"] for b in tokens["cascade"] if b["bucket"] == "output")
    rows = (shown.run / "trials.jsonl").read_text(encoding="utf-8").splitlines()
    trials = {trial.solver: trial for trial in (serial.loads(Trial, row) for row in rows)}
    assert {Ending.FINISHED} == {trial.ending for trial in trials.values()}
    assert ["mini", "opus"] == [stage.solver for stage in trials["cascade"].stages]
    assert "nothing was changed" == trials["cascade"].stages[0].escalated
    assert {"model-only"} == {trial.enforced["network"] for trial in trials.values()}
