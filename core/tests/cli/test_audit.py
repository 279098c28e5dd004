"""`fairtrial audit` on logs from anywhere, and the scorecard of a run."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def rows(*commands: str) -> str:
    calls = (
        {"type": "tool_call", "tool_call_id": "c", "name": "Bash", "input": {"command": one}}
        for one in commands
    )
    return "".join(json.dumps(call) + "\n" for call in calls)


@pytest.fixture
def logs(place: Path) -> Path:
    folder = place / "logs"
    (folder / "rotated").mkdir(parents=True)
    (folder / "clean.jsonl").write_text(rows("ls"))
    (folder / "bought.jsonl").write_text(rows("ls", "git cherry-pick 9ab"))
    (folder / "empty.jsonl").touch()
    (folder / "rotated/events-1.jsonl").write_text(rows("git am x"))
    (folder / "rotated/events.jsonl").write_text(rows("ls"))
    return folder


@pytest.mark.usefixtures("logs")
def test_a_folder_of_logs_is_audited_log_by_log(run: Run) -> None:
    said = run("audit", "logs", "--json")
    assert 0 == said.returncode, said.stderr
    audits = {Path(one["log"]).name: one for one in json.loads(said.stdout)["audits"]}
    assert {"clean.jsonl": True, "bought.jsonl": False, "empty.jsonl": None, "rotated": False} == {
        name: one["clean"] for name, one in audits.items()
    }
    assert 2 == audits["rotated"]["events"]
    [hit] = audits["bought.jsonl"]["hits"]
    assert {
        "pattern": "history-mining",
        "status": "enforcing",
        "seq": 2,
        "tool_call_id": "c",
        "agent": None,
        "evidence": "git cherry-pick 9ab",
    } == hit


def test_each_audit_is_a_line_of_the_ledger_beside_the_log(run: Run, logs: Path) -> None:
    before = (logs / "bought.jsonl").read_bytes()
    run("audit", "logs/bought.jsonl")
    run("audit", "logs/bought.jsonl", "--set", "auditors.trajectory.patterns=2")
    entries = [json.loads(line) for line in (logs / "audit.jsonl").read_text().splitlines()]
    assert [1, 2] == [entry["pattern_set"] for entry in entries]
    assert [False, ["history-mining"], "trajectory-monitor"] == [
        entries[0][key] for key in ("clean", "hits", "monitor")
    ]
    assert before == (logs / "bought.jsonl").read_bytes()
    assert "audit.jsonl" not in run("audit", "logs").stdout


@pytest.mark.usefixtures("logs")
def test_a_log_is_shown_as_a_table(run: Run) -> None:
    said = run("audit", "logs/bought.jsonl").stdout
    assert "| logs/bought.jsonl | trajectory 1 |" in said
    assert "HACKED" in said
    assert "git cherry-pick 9ab" in said
    assert "unaudited" in run("audit", "logs/empty.jsonl").stdout


def test_what_is_not_there_is_said(run: Run, place: Path) -> None:
    (place / "nothing").mkdir()
    for name, words in {"missing": "there is no run", "nothing": "there is no log below"}.items():
        said = run("audit", name)
        assert 2 == said.returncode
        assert f"error: {words} “{name}”" in said.stderr


@pytest.mark.usefixtures("logs")
def test_a_setting_that_no_auditor_knows_is_refused(run: Run) -> None:
    said = run("audit", "logs", "--set", "auditors.trajectory.no_such_key=2")
    assert 2 == said.returncode
    assert "no_such_key" in said.stderr


@pytest.mark.usefixtures("place")
def test_the_scorecard_of_a_run_is_shown(run: Run) -> None:
    auditors = ("--set", "run.auditors=['patch']")
    done = run("run", "run.toml", "--label", "one", "--solvers", "good,noop", *auditors)
    assert 0 == done.returncode, done.stderr
    scores = json.loads(run("audit", "one", "--scorecard", "--json").stdout)["scorecard"]
    overall = scores[0]
    assert ("overall", 0.0) == (overall["group"], overall["gap"])
    assert overall["resolved"] == overall["clean_resolved"] > 0
    assert "| overall |" in run("audit", "one", "--scorecard").stdout
    again = run("audit", "one", "-c", "run.toml", *auditors)
    assert 0 == again.returncode, again.stderr
