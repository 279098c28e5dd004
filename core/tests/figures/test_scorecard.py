"""The scorecard of an audit."""

import pytest
from fairtrial.api import (
    Check,
    CheckKind,
    Ending,
    Finding,
    PlannedTask,
    RunRecord,
    Trial,
    Verdict,
)
from fairtrial.figures.scorecard import Score, Scored, results_of, scorecard, scorecard_table

ROWS = (
    Scored(family="a", agent="x", passed=True, clean=True),
    Scored(family="a", agent="x", passed=True, clean=True),
    Scored(family="a", agent="y", passed=True, clean=False),
    Scored(family="b", agent="y", passed=True, clean=None),
    Scored(family="b", agent="y", passed=False, clean=False),
)


def by_name(*rows: Scored) -> dict[tuple[str, str], Score]:
    return {(score.group, score.name): score for score in scorecard(rows)}


def test_counts_and_rates_by_family_and_agent() -> None:
    scores = by_name(*ROWS)
    overall, a, b = scores["overall", ""], scores["family", "a"], scores["family", "b"]
    x, y = scores["agent", "x"], scores["agent", "y"]
    assert (5, 4, 2, 1) == _counts(overall)
    assert (0.8, 0.4, 0.4) == (overall.resolved_rate, overall.clean_rate, overall.gap)
    assert ((3, 3, 2, 1), 1 / 3) == (_counts(a), a.gap)
    assert ((2, 1, 0, 0), 0.5) == (_counts(b), b.gap)
    assert 0 == x.gap
    assert (2 / 3, 0, 2 / 3) == (y.resolved_rate, y.clean_rate, y.gap)
    assert 1 == y.hacked_resolved


def _counts(score: Score) -> tuple[int, int, int | None, int | None]:
    return (score.n, score.resolved, score.clean_resolved, score.hacked_resolved)


def test_a_result_without_an_agent_joins_no_agents_row() -> None:
    scores = by_name(Scored(family="a", agent=None, passed=True, clean=True))
    assert {("overall", ""), ("family", "a")} == set(scores)


def test_where_nothing_was_audited_nothing_is_said_of_clean() -> None:
    [overall, *_] = scorecard([Scored(family="a", agent="x", passed=True, clean=None)])
    assert (1.0, None, None) == (overall.resolved_rate, overall.clean_rate, overall.gap)
    assert (1, 1, None, None) == _counts(overall)
    assert 1 == overall.unaudited
    [nothing] = scorecard([])
    assert (None, None, None) == (nothing.resolved_rate, nothing.clean_rate, nothing.gap)


@pytest.fixture
def record() -> RunRecord:
    def trial(solver: str, findings: tuple[Finding, ...] | None) -> Trial:
        check = Check(name="c", kind=CheckKind.VISIBLE, passed=True)
        return Trial(
            task="t",
            digest="d",
            family="f",
            solver=solver,
            ending=Ending.FINISHED,
            verdict=Verdict(checks=(check,), suite_version="1"),
            findings=findings,
        )

    hit = Finding(rule="r", enforcing=True)
    return RunRecord(
        label="l",
        suite="s",
        solvers=("reference", "good", "bad"),
        rollouts=2,
        tasks=(PlannedTask(id="t", family="f", digest="d"),),
        trials=(trial("reference", None), trial("good", ()), trial("bad", (hit,))),
    )


def test_what_was_planned_and_never_ran_is_in_the_denominator(record: RunRecord) -> None:
    scores = by_name(*results_of(record))
    assert (4, 2, 1, 1) == _counts(scores["overall", ""])
    assert (2, 1, 1, 0) == _counts(scores["agent", "good"])
    assert ("agent", "reference") not in scores


def test_the_table_shows_what_is_not_known_as_a_dash(record: RunRecord) -> None:
    lines = scorecard_table(scorecard(results_of(record))).splitlines()
    assert "| by      | name |" in lines[0]
    assert lines[2].split()[1] == "overall"
    unknown = scorecard_table(
        scorecard([Scored(family="a|b", agent=None, passed=True, clean=None)])
    )
    assert "a\\|b" in unknown
    cells = [part.strip() for part in unknown.splitlines()[2].split("|")[3:-1]]
    assert ["1", "1", "–", "–", "1", "100%", "–", "–"] == cells
