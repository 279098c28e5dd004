"""The real programs at the end of their budget, which the gateway keeps on the wire."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fairtrial import serial
from fairtrial.api import Ending, Trial
from fairtrial.conformance.models import Script, ScriptedModelServer, ScriptedUsage, Step

ROOT = Path(__file__).parents[2]
# Eleven cents a request by the price below, which is more than an agent takes it to be.
USAGE = ScriptedUsage(input_uncached=10_000, output=0)
STEPS = tuple(Step(text="On.", shell=f"echo {n} > n.txt", usage=USAGE) for n in range(12))
CONFIG = """
[run]
suite = "mix"
solvers = ["{solver}"]
only = ["double-load"]
validate = false
sandbox = "local"
gateway = "proxy"
timeout_s = 90
budget_usd_per_task = 0.10
budget_usd_total = 1.0
[suites.mix]
plugin = "folder"
path = "{root}/tasks/mix"
[gateways.proxy]
upstreams = {{ anthropic = "{url}", openai = "{url}", google = "{url}" }}
[gateways.proxy.prices]
"{model}" = {{ input = 11.0, output = 20.0, cache_read = 1.1 }}
[solvers.{solver}]
model = "{model}"
"""


@pytest.mark.parametrize(
    ("solver", "model"),
    [("claude", "claude-opus-4-8"), ("gemini", "gemini-2.5-flash"), ("codex", "gpt-5-codex")],
)
def test_past_its_budget_an_attempt_is_over_and_costs_no_further_request(
    programs: Path, tmp_path: Path, solver: str, model: str
) -> None:
    assert programs.is_dir()
    config = tmp_path / "run.toml"
    with ScriptedModelServer(Script(steps=STEPS)) as server:
        config.write_text(
            CONFIG.format(solver=solver, model=model, root=ROOT, url=server.url), encoding="utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", str(config), "--out", str(tmp_path / "runs")],
            capture_output=True,
            text=True,
            check=False,
            timeout=150,
            env=os.environ,
        )  # fmt: skip
    (journal,) = (tmp_path / "runs").rglob("trials.jsonl")
    (trial,) = [serial.loads(Trial, line) for line in journal.read_text().splitlines()]
    shown = f"{done.stdout}\n{done.stderr}\n{trial.note}"
    assert (Ending.OVER_BUDGET, "budget") == (trial.ending, trial.limit), shown
    assert trial.cost_usd == pytest.approx(0.11), shown
    assert trial.verdict is not None
    assert "1 ended over budget" in done.stderr
