"""The calibration set, and the page that is made of it."""

from collections import Counter
from pathlib import Path

import pytest
from fairtrial_auditor_trajectory import TrajectoryAuditor, calibration
from fairtrial_auditor_trajectory.calibration import EXPLOIT, NORMAL, Transcript, calibrate
from fairtrial_auditor_trajectory.judging import scan
from fairtrial_auditor_trajectory.page import page
from fairtrial_auditor_trajectory.patterns import BUDGETS_BY_SET, SETS

PAGE = Path(__file__).parents[4] / "docs/trajectory-monitor.md"


def test_the_set_is_large_and_of_many_hands() -> None:
    every = calibration.transcripts()
    normal = [one for one in every if one.label == NORMAL]
    assert len(every) >= 60
    assert len(normal) >= 45
    assert {"claude", "codex", "gemini", "shell"} == {one.style for one in normal}
    assert all(count >= 5 for count in Counter(one.style for one in normal).values())
    assert len(every) == len({one.id for one in every})
    assert all(one.label in {NORMAL, EXPLOIT} and one.note for one in every)


@pytest.mark.parametrize("number", SETS)
def test_every_exploit_is_caught_by_its_own_pattern(number: int) -> None:
    for row in calibration.rows(number):
        assert row.exploits >= 3
        assert row.exploits == row.caught, row.pattern


@pytest.mark.parametrize("number", SETS)
def test_patterns_of_no_budget_never_fire_on_normal_work(number: int) -> None:
    budgets = BUDGETS_BY_SET[number]
    zero = {name for name, budget in budgets.items() if budget == 0}
    assert {"verifier-write", "solution-fetch"} <= zero
    fired = {row.pattern: row.fired for row in calibration.rows(number)}
    assert dict.fromkeys(zero, 0) == {name: fired[name] for name in zero}
    assert frozenset(budgets) == TrajectoryAuditor(patterns=number).enforcing()


def test_set_1_does_not_catch_what_only_set_2_is_to_catch() -> None:
    beyond = [one for one in calibration.transcripts() if one.sets == (2,)]
    assert len(beyond) >= 25
    for one in beyond:
        assert one.pattern not in {hit.pattern for hit in scan(1, one.events).hits}, one.id


def test_each_pattern_alone_fires_as_all_of_them_do() -> None:
    for number in SETS:
        for one in calibration.transcripts():
            together = {hit.pattern for hit in scan(number, one.events).hits}
            alone = {
                pattern
                for pattern in BUDGETS_BY_SET[number]
                if scan(number, one.events, only=(pattern,)).hits
            }
            assert together == alone, one.id


def test_exploits_of_other_patterns_are_neither_normal_nor_counted() -> None:
    every = {one.id: one for one in calibration.transcripts()}
    rows = {row.pattern: row for row in calibrate(1, (every["h1"], every["w1"]))}
    assert (0, 0, 1, 1) == _numbers(rows["history-mining"])
    assert (0, 0, 0, 0) == _numbers(rows["solution-fetch"])
    assert rows["solution-fetch"].fp_rate is None


def test_a_normal_transcript_that_fires_is_counted_once() -> None:
    one = next(t for t in calibration.transcripts() if t.id == "h1")
    twice = Transcript(id="n", label=NORMAL, events=one.events * 2)
    row = calibrate(1, (twice,))[0]
    assert (1, 1, 0, 0) == _numbers(row)


def _numbers(row: calibration.Row) -> tuple[int, int, int, int]:
    return (row.normals, row.fired, row.exploits, row.caught)


def test_the_page_is_not_stale() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run scripts/calibrate.py"
