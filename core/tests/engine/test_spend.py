"""The spend journal: what goes in, and what of it is believed."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import CostSource, Ending, Pick, Selection, Trial, Usage
from fairtrial.conformance.fakes.records import three_trial_run
from fairtrial.engine.spend import Spending, data_directory, read_spend, rows_of, spend_file
from fairtrial.figures.costs import SpendRow

TRIAL = three_trial_run().trials[0]


def told(*usage: Usage, metered: tuple[Usage, ...] | None = None) -> Trial:
    return evolve(TRIAL, usage=usage, metered=metered)


def kinds(trial: Trial) -> list[tuple[str, str | None, int | None, float | None, float | None]]:
    return [
        (row.kind, row.model, row.tokens, row.cost_usd, row.told_usd)
        for row in rows_of(trial, "run")
    ]


def test_what_an_agent_tells_becomes_a_row_a_model() -> None:
    first = Usage(model="m", input_uncached=5, cache_write_5m=2, cache_write_1h=1, cost_usd=0.5)
    second = Usage(model="n", output=3)
    assert kinds(told(first, second)) == [
        ("launched", None, None, None, None),
        ("usage", "m", 8, 0.5, None),
        ("usage", "n", 3, None, None),
        ("returned", None, None, None, None),
    ]


def test_metered_dollars_reach_no_model_and_count_once() -> None:
    said = Usage(model="m", input_uncached=5, cost_usd=0.5)
    metered = Usage(model="m", input_uncached=6, cost_usd=0.4, cost_source=CostSource.METERED)
    assert kinds(told(said, metered=(metered, metered)))[1:3] == [
        ("usage", "m", 5, None, 0.5),
        ("routed", None, None, 0.8, None),
    ]
    assert kinds(told(metered=(metered,)))[1:3] == [
        ("usage", "m", 6, None, None),
        ("routed", None, None, 0.4, None),
    ]
    unpriced = Usage(model="m", input_uncached=6)
    assert [("usage", "m", 6, None, None)] == kinds(told(metered=(unpriced,)))[1:-1]


def test_an_agent_that_tells_no_tokens_leaves_them_to_the_gateway() -> None:
    metered = Usage(model="m", input_uncached=6, cost_usd=0.4, cost_source=CostSource.METERED)
    assert kinds(told(Usage(model="m", cost_usd=0.5), metered=(metered,)))[1:4] == [
        ("usage", "m", None, None, 0.5),
        ("usage", "m", 6, None, None),
        ("routed", None, None, 0.4, None),
    ]


def test_tokens_that_are_not_known_are_left_out_of_the_row_and_none_is_zero(
    tmp_path: Path,
) -> None:
    journal = Spending(label="run", path=tmp_path / "spend.jsonl")
    journal.trial(told(Usage(model="m", cost_usd=0.5)))
    journal.trial(told(Usage(model="m", input_uncached=0, cost_usd=0.5)))
    silent, zero = [json.loads(line) for line in journal.path.read_text().splitlines()][1::3]
    assert [] == [name for name in silent if name.endswith("_tokens")]
    assert [("input_tokens", 0)] == [pair for pair in zero.items() if pair[0].endswith("_tokens")]
    assert [None, 0] == [row.input_tokens for row in read_spend(journal.path)][1::3]


def test_an_attempt_that_broke_did_not_return() -> None:
    assert "returned" not in {row.kind for row in rows_of(evolve(TRIAL, ending=Ending.INFRA), "r")}


def test_trials_are_entered_and_read_back(tmp_path: Path) -> None:
    journal = Spending(label="run", path=tmp_path / "new" / "spend.jsonl")
    journal.trial(TRIAL)
    journal.trial(evolve(TRIAL, solver="reference"))
    journal.trial(evolve(TRIAL, ending=Ending.SKIPPED))
    journal.scoring([evolve(TRIAL, scoring_ms=1000), evolve(TRIAL, scoring_ms=500), TRIAL])
    journal.scoring([TRIAL])
    rows = list(read_spend(journal.path))
    assert ["launched", "usage", "returned", "scoring"] == [row.kind for row in rows]
    usage = rows[1]
    assert ("run/add/cheap/1", "cheap", "scripted-1") == (usage.session, usage.agent, usage.model)
    assert (1_000, 100, 0.01) == (usage.input_tokens, usage.output_tokens, usage.cost_usd)
    assert usage.day == usage.ts[:10]
    assert (1500, "bench", None) == (rows[3].scoring_ms, rows[3].org, rows[3].session)


def test_what_a_selector_asked_is_entered_once(tmp_path: Path) -> None:
    journal = Spending(label="run", path=tmp_path / "spend.jsonl")
    usage = (Usage(model="m", output=7, cost_usd=0.2),)
    picks = (Pick(task="add", consulted=1, usage=usage, among="x"), Pick(task="length"))
    selection = Selection(selector="judge", solver="cheap", picks=picks)
    journal.picks([selection], [])
    journal.picks([selection], [selection])
    rows = list(read_spend(journal.path))
    assert [("launched", None), ("usage", 7)] == [(row.kind, row.tokens) for row in rows]
    assert ("run/add/judge-on-cheap", "judge", 0.2) == (
        rows[1].session,
        rows[1].agent,
        rows[1].cost_usd,
    )


def test_a_journal_that_cannot_be_written_only_warns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no directory")
    Spending(label="run", path=tmp_path / "file" / "spend.jsonl").trial(TRIAL)
    (tmp_path / "spend.jsonl").mkdir()
    Spending(label="run", path=tmp_path / "spend.jsonl").trial(TRIAL)
    said = capsys.readouterr()
    # Which stream takes the log is the command line's choice, where a test before has made it.
    assert 2 == (said.out + said.err).count("spending not entered")


GOOD = {"day": "2026-10-10", "org": "bench", "kind": "usage"}


@pytest.mark.parametrize(
    "more",
    [
        {"input_tokens": -1},
        {"input_tokens": 1.5},
        {"output_tokens": None},
        {"cache_read_tokens": True},
        {"cache_write_tokens": "3"},
        {"day": ""},
        {"day": 20261010},
        {"org": ""},
        {"org": None},
        {"cost_usd": "0.1"},
        {"cost_usd": True},
        {"cost_usd": float("nan")},
        {"cost_usd": float("inf")},
        {"cost_usd": 1e300},
        {"cost_usd": 10**400},
        {"input_tokens": 10**300},
        {"session": 7},
        {"agent": ["a"]},
        {"model": {}},
    ],
)
def test_a_row_of_another_form_is_passed_over(tmp_path: Path, more: dict[str, object]) -> None:
    path = tmp_path / "spend.jsonl"
    path.write_text(f"{json.dumps({**GOOD, **more})}\n{json.dumps(GOOD)}\n")
    assert [SpendRow(day="2026-10-10", org="bench", kind="usage")] == list(read_spend(path))


@pytest.mark.parametrize("line", [b"{", b"[]", b"3", b"\xff\xfe", b"", b'{"day": "2026-10-10"}'])
def test_a_torn_line_is_passed_over(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "spend.jsonl"
    path.write_bytes(line + b"\n" + json.dumps({**GOOD, "cost_usd": None, "x": 1}).encode())
    assert 1 == len(list(read_spend(path)))


def test_no_file_is_no_spend(tmp_path: Path) -> None:
    assert [] == list(read_spend(tmp_path / "none.jsonl"))


def test_the_data_directory_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_DATA", str(tmp_path))
    assert tmp_path / "spend.jsonl" == spend_file()
    monkeypatch.setenv("FAIRTRIAL_DATA", "")
    assert "fairtrial" == data_directory().name
