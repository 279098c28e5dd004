"""A whole run in which a cascade ends in a worker, and selectors pick among its rollouts."""

import sys
from pathlib import Path

import pytest
from fairtrial.api import Ending, RunRecord
from fairtrial.config import load
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.prepare import prepare
from fairtrial.engine.run import run
from fairtrial.figures.selections import selections
from fairtrial_reporter_table import TableReporter

ROOT = Path(__file__).parents[1]
CONFIG = """
[run]
suite = "smoke"
solvers = ["small-first"]
rollouts = 2
limit = 1
validate = false
meters = ["estimator"]
sandbox = "local"
selectors = ["oracle", "vote", "judge"]

[suites.smoke]
plugin = "folder"
path = "{root}/tasks/smoke"

[solvers.small-first]
plugin = "cascade"
stages = ["idle", "worker"]
escalate = ["no-change"]
share = [0.5, 0.5]

[solvers.idle]
plugin = "command"
argv = ["true"]

[solvers.worker]
argv = ["{python}", "{{scratch}}/reference_worker.py", "{{socket}}"]
files = "{root}/plugins/solvers/worker/tests"

[selectors.judge]
solver = "second"

[solvers.second]
plugin = "command"
argv = ["sh", "-c", "sleep 0.05; echo 2 > attempts-to-judge/choice.txt"]
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    folder = tmp_path_factory.mktemp("run")
    config = folder / "run.toml"
    config.write_text(CONFIG.format(root=ROOT, python=sys.executable))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAIRTRIAL_CACHE", str(folder / "cache"))
        return run(prepare(load([config])), RunDirectory(folder / "out")).record


def test_each_stage_has_its_name_its_figures_and_a_reason(record: RunRecord) -> None:
    for trial in record.trials:
        first, second = trial.stages
        assert ("idle", "worker") == (first.solver, second.solver)
        assert ("nothing was changed", "") == (first.escalated, second.escalated)
        assert (Ending.FINISHED, ("answer.txt",)) == (second.ending, second.changed)
        assert (None, 0.01, 0.01) == (first.cost_usd, second.cost_usd, trial.cost_usd)
        assert "idle → worker" == trial.note
        whole, *parts = (each.energy[0].joules or 0 for each in (trial, first, second))
        assert 0 < sum(parts) <= whole


def test_only_a_version_that_all_stages_share_is_the_attempts(record: RunRecord) -> None:
    first = record.trials[0]
    assert [None, "reference 2.1", None] == [
        *(stage.agent_version for stage in first.stages),
        first.agent_version,
    ]


def test_equal_trees_need_no_judge_and_an_oracle_is_a_bound(record: RunRecord) -> None:
    assert [("oracle", True), ("vote", False), ("judge", False)] == [
        (found.selector, found.upper_bound) for found in record.selections
    ]
    assert [1, 1, 1] == [found.picks[0].rollout for found in record.selections]
    assert 0 == record.selections[2].picks[0].consulted
    assert [0.02] * 3 == [found.cost.total_usd for found in selections(record)]


def test_the_report_shows_them(record: RunRecord) -> None:
    (document,) = TableReporter(resamples=200).report([record])
    assert "| small-first | oracle of 2 (upper bound) |" in document.body.decode()
