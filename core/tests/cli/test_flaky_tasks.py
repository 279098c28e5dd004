"""A task whose oracle says now this and now that: measured, kept apart, and said so."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

# Right answers pass every other time, as a test of a race might.
CHECK = """
from pathlib import Path

assert Path("answer.txt").read_text() == "42\\n"
turns = Path({turns!r})
turn = int(turns.read_text()) if turns.exists() else 0
turns.write_text(str(turn + 1))
assert turn % 2 == 0, "a race was lost"
print("Ran 1 test")
"""
# The turns are counted in a file that every try shares, which no fence would let it.
LOCAL = ("--set", "run.sandbox='local'")
RATE = "flaky: its oracle failed in 2 of 4 tries"


@pytest.fixture
def flaky(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    turns = tmp_path_factory.mktemp("turns") / "turns"
    (place / "small/first/before/check.py").write_text(CHECK.format(turns=str(turns)))
    return place / "small/first/task.toml"


@pytest.mark.usefixtures("flaky")
def test_the_rate_is_measured_and_the_line_to_write_is_told(run: Run) -> None:
    said = run("tasks", "check", "run.toml", "--repeat", "4", *LOCAL)
    assert 1 == said.returncode, said.stderr
    assert "first: the reference does not resolve it" in said.stdout
    assert f'first: or keep it apart: quarantine = "{RATE}"' in said.stdout
    assert "second: sound" in said.stdout


def test_a_task_that_is_kept_apart_is_no_broken_one(run: Run, flaky: Path) -> None:
    flaky.write_text(flaky.read_text() + f'quarantine = "{RATE}"\n')
    said = run("tasks", "check", "run.toml", "--repeat", "4", *LOCAL)
    assert (0, f"first: kept apart: {RATE}\nsecond: sound\n") == (said.returncode, said.stdout)


def test_it_is_out_of_the_headline_and_the_report_says_so(
    run: Run, place: Path, flaky: Path
) -> None:
    flaky.write_text(flaky.read_text() + f'quarantine = "{RATE}"\n')
    settings = ("--set", 'run.solvers=["good"]', "--set", "run.validate=false", *LOCAL)
    said = run("run", "run.toml", "--out", "out", "--set", "run.rollouts=4", *settings)
    assert 0 == said.returncode, said.stderr
    assert "1 task × 4 rollouts" in said.stdout
    (apart,) = [line for line in said.stdout.splitlines() if RATE in line]
    assert "first" in apart
    assert "quarantined" in apart
    (journal,) = place.rglob("trials.jsonl")
    trials = [json.loads(line) for line in journal.read_text().splitlines()]
    first = [one for one in trials if one.get("task") == "first"]
    assert [RATE] * 4 == [one["quarantine"] for one in first]


def test_stored_trees_are_judged_the_same_however_many_are_graded_at_once(
    run: Run, place: Path
) -> None:
    """OpenHands/benchmarks#140."""
    run("run", "run.toml", "--label", "one", "--solvers", "good,noop")
    journal = place / "runs/one/trials.jsonl"
    config = (place / "run.toml").read_text()

    def verdicts(jobs: int) -> dict[tuple[str, str], object]:
        before = len(journal.read_text())
        (place / "run.toml").write_text(config.replace("[run]", f"[run]\njobs = {jobs}"))
        said = run("grade", "one", "-c", "run.toml")
        assert 0 == said.returncode, said.stderr
        added = [json.loads(line) for line in journal.read_text()[before:].splitlines()]
        return {(trial["task"], trial["solver"]): trial["verdict"] for trial in added}

    alone = verdicts(1)
    assert 4 == len(alone)
    assert alone == verdicts(8)
