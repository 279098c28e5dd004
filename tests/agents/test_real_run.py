"""One run of the real programs: fenced in, through the gateway, on a task with hidden checks."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from fairtrial import serial
from fairtrial.api import Ending, Trial
from fairtrial.conformance.models import Script, ScriptedModelServer, ScriptedUsage, Step

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tasks/smoke/page-count"
USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
# Dollars for a million tokens.
PRICE = {"input": 4.0, "output": 20.0, "cache_read": 0.4}
COST = 2 * (1000 * 4.0 + 500 * 0.4 + 90 * 20.0) / 1e6
MODELS = {"opus": "claude-opus-4-8", "flash": "gemini-2.5-flash", "gpt": "gpt-5-codex"}
# One agent refuses a line in which it sees a substitution, so that nothing of the kind is in it.
FIX = " && ".join(
    f"echo {b64encode(path.read_bytes()).decode()} | base64 -d > {path.relative_to(TASK / 'reference')}"
    for path in sorted((TASK / "reference").rglob("*.py"))
)
STEPS = (Step(text="I see.", shell=FIX, usage=USAGE), Step(text="Fixed.", usage=USAGE))

CONFIG = """
[run]
suite = "smoke"
solvers = ["opus", "flash", "gpt"]
sandbox = "fenced"
network = "model-only"
gateway = "proxy"
answerer = "first"
only = ["page-count"]
jobs = 2
timeout_s = 120
budget_usd_per_task = 1.0
budget_usd_total = 9.0
reporters = ["table"]
[suites.smoke]
plugin = "folder"
path = "{suite}"
[sandboxes.fenced]
plugin = "bubblewrap"
readable = ["{programs}"]
[gateways.proxy]
upstreams = {{ anthropic = "{url}", openai = "{url}", google = "{url}" }}
[gateways.proxy.prices]
{prices}
[solvers.opus]
plugin = "claude"
model = "claude-opus-4-8"
[solvers.flash]
plugin = "gemini"
model = "gemini-2.5-flash"
[solvers.gpt]
plugin = "codex"
model = "gpt-5-codex"
"""


def test_the_real_programs_resolve_a_task_at_the_cost_that_was_scripted(
    programs: Path, tmp_path: Path
) -> None:
    price = ", ".join(f"{name} = {rate}" for name, rate in PRICE.items())
    prices = "\n".join(f'"{model}" = {{ {price} }}' for model in MODELS.values())
    config = tmp_path / "run.toml"
    with ScriptedModelServer(Script(steps=STEPS)) as server:
        config.write_text(
            CONFIG.format(suite=TASK.parent, programs=programs, url=server.url, prices=prices),
            encoding="utf-8",
        )
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial", "run", str(config), "--out", str(tmp_path / "runs")],
            capture_output=True,
            text=True,
            check=False,
            timeout=170,
            env={**os.environ, "HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"},
        )  # fmt: skip
    (journal,) = (tmp_path / "runs").rglob("trials.jsonl")
    rows = [serial.loads(Trial, line) for line in journal.read_text().splitlines()]
    trials = {trial.solver: trial for trial in rows if trial.solver in MODELS}
    shown = f"{done.stdout}\n{done.stderr}\n{[(one.ending, one.note) for one in trials.values()]}"
    assert set(MODELS) == set(trials), shown
    for name, model in MODELS.items():
        trial = trials[name]
        assert Ending.FINISHED == trial.ending, shown
        assert trial.resolved is True, shown
        assert "model-only" == trial.enforced["network"]
        (told,) = trial.usage
        figures = (told.model, told.input_uncached, told.cache_read, told.output)
        assert (model, 2000, 1000, 180) == figures
        assert trial.metered is not None
        (metered,) = [usage for usage in trial.metered if usage.model == model]
        assert (2000, 1000, 180) == (metered.input_uncached, metered.cache_read, metered.output)
        assert COST == pytest.approx(trial.cost_usd)
        place = journal.parent / "trials" / "page-count" / name / "1"
        events = [json.loads(row) for row in (place / "trajectory.jsonl").read_text().splitlines()]
        calls = [event["name"] for event in events if event["type"] == "tool_call"]
        assert ["Bash"] == calls
        assert list((place / "native" / "sessions").rglob("*.jsonl"))
    assert (None, None) == (trials["flash"].usage[0].cost_usd, trials["gpt"].usage[0].cost_usd)
    assert trials["opus"].usage[0].cost_usd is not None
