"""`fairtrial costs`."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRTRIAL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def enter(data: Path, **row: object) -> None:
    data.mkdir(exist_ok=True)
    today = datetime.now(UTC).date().isoformat()
    with (data / "spend.jsonl").open("a") as file:
        file.write(json.dumps({"day": today, "org": "bench", "kind": "usage", **row}) + "\n")


def cells(said: str, first: str) -> list[str]:
    (line,) = (line for line in said.splitlines() if line.startswith(f"| {first} "))
    return [part.strip() for part in line.strip("|").split("|")]


def test_nothing_was_spent(run: Run) -> None:
    said = run("costs")
    assert (0, "") == (said.returncode, said.stderr)
    assert said.stdout.endswith("Nothing was spent.\n")


def test_every_sum_is_shown_and_what_is_unpriced_says_so(run: Run, data: Path) -> None:
    enter(data, session="s", agent="a|b", model="m", input_tokens=1500, cost_usd=0.1)
    enter(data, kind="routed", session="s", cost_usd=0.04)
    enter(data, session="t", agent="a|b", model="n", input_tokens=12)
    enter(data, session="u", cost_usd=0.001)
    enter(data, kind="scoring", scoring_ms=1500)
    shown = run("costs").stdout
    assert cells(shown, "s")[-4:] == ["1,500", "$0.10", "$0.04", "$0.14"]
    assert cells(shown, "t")[-4:] == ["12", "–", "–", "unpriced (tokens only)"]
    assert ["–", "$0.0010"] == [cells(shown, "u")[-4], cells(shown, "u")[-1]]
    assert "$0.00 " not in shown
    assert cells(shown, "all")[-4:] == ["1,512", "$0.10", "$0.04", "$0.14"]
    assert "a\\|b" in shown
    assert "Grading took 1.5 s." in shown


def test_machines_get_it_all(run: Run, data: Path) -> None:
    enter(data, session="s", agent="a", model="m", input_tokens=5)
    found = json.loads(run("costs", "--json", "--days", "1").stdout)
    assert found["since"] == found["until"]
    (session,) = found["sessions"]
    assert (5, None, "unpriced (tokens only)") == (
        session["tokens"],
        session["total_usd"],
        session["label"],
    )
    assert (5, None) == (session["input_tokens"], session["output_tokens"])
    assert 1 == found["harnesses"][0]["sessions"]


def test_days_that_cannot_be_meant_are_refused(run: Run) -> None:
    today = datetime.now(UTC).date()
    ahead = (today + timedelta(days=1)).isoformat()
    for flag, wrong, wanted in [
        *(("--days", text, "a whole number from 1 to 365") for text in ("x", "0", "-3", "400")),
        *(
            ("--since", text, f"a day up to today, {today.isoformat()}")
            for text in ("2026-13-01", "yesterday", "", ahead)
        ),
    ]:
        said = run("costs", f"{flag}={wrong}")
        assert (2, "") == (said.returncode, said.stdout)
        assert f"error: {flag} takes {wanted}, not “{wrong}”" == said.stderr.splitlines()[0]


def test_a_report_begins_with_the_day_that_is_given(run: Run) -> None:
    today = datetime.now(UTC).date().isoformat()
    found = json.loads(run("costs", "--json", "--since", today).stdout)
    assert (today, today) == (found["since"], found["until"])


def test_a_run_enters_what_it_spends_and_one_row_of_scoring(run: Run, data: Path) -> None:
    argv = ("run", "run.toml", "--solvers", "good,noop", "--label", "a")
    assert 0 == run(*argv).returncode
    rows = [json.loads(line) for line in (data / "spend.jsonl").read_text().splitlines()]
    assert ["launched", "returned"] * 2 + ["scoring"] == [row["kind"] for row in rows]
    assert {"a/first/good/1", "a/second/good/1", None} == {row.get("session") for row in rows}
    assert cells(run("costs").stdout, "a/first/good/1")[2:4] == ["1 of 1 returned", "–"]
    assert 0 == run(*argv, "--resume").returncode
    assert len(rows) == len((data / "spend.jsonl").read_text().splitlines())


def test_a_journal_that_cannot_be_written_is_no_reason_to_fail(run: Run, data: Path) -> None:
    data.write_text("in the way")
    said = run("run", "run.toml", "--solvers", "good", "--only", "first")
    assert 0 == said.returncode
    assert "spending not entered" in said.stderr
