"""Comparing sides that did not do the same work, or have not done all of theirs."""

from collections.abc import Callable, Sequence

import pytest
from attrs import evolve
from fairtrial.api.answerer import Answer, Question
from fairtrial.api.attempt import Ending
from fairtrial.api.record import Exchange, RunRecord, Trial
from fairtrial.conformance.fakes.records import empty_run
from fairtrial.figures.compare import Comparison, compare_runs
from fairtrial.figures.rates import amount, counted

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]

ASKED = (Exchange(question=Question(text="?"), answer=Answer()),)


def compared(before: RunRecord, after: RunRecord) -> Comparison:
    (found,) = compare_runs(before, after, resamples=200).solvers
    return found


def trials(
    make_trial: Make, tasks: Sequence[str], rollouts: int, **fields: object
) -> Sequence[Trial]:
    return [
        make_trial(task, rollout=rollout, **fields)
        for task in tasks
        for rollout in range(1, rollouts + 1)
    ]


def stopped(run: RunRecord, done: int) -> RunRecord:
    """The same run, ended after so many trials."""
    return evolve(run, label="stop", trials=run.trials[:done])


def test_what_a_task_took_is_told_per_attempt(make_trial: Make, make_run: MakeRun) -> None:
    same = {"cost_usd": 0.5, "wall_s": 1.5, "questions": ASKED, "diff_added": 2}
    before = make_run(*trials(make_trial, ["a"], 3, **same))
    found = compared(before, make_run(*trials(make_trial, ["a"], 2, **same)))
    (row,) = found.rows
    assert row.before is not None
    assert row.after is not None
    assert (1.5, 1.0) == (row.before.cost_usd, row.after.cost_usd)
    assert (3, 2) == (row.before.per_attempt.attempts, row.after.per_attempt.attempts)
    for side in (row.before.per_attempt, row.after.per_attempt):
        assert (0.5, 1.5, 1.0, 2.0) == (
            side.cost_usd,
            side.worked_s,
            side.questions,
            side.diff_added,
        )
        assert side.diff_removed is None


def test_more_rollouts_are_not_more_questions(make_trial: Make, make_run: MakeRun) -> None:
    before = make_run(*trials(make_trial, ["a"], 3, questions=ASKED))
    assert () == compared(before, make_run(make_trial("a", questions=ASKED))).flips
    (flip,) = compared(before, make_run(make_trial("a", questions=()))).flips
    assert ("questions-changed", "1", "0") == (flip.kind, flip.before, flip.after)


def test_a_trial_that_broke_is_in_no_mean(make_trial: Make, make_run: MakeRun) -> None:
    broken = make_trial("a", None, rollout=2, ending=Ending.INFRA, verdict=None, wall_s=0.1)
    run = make_run(make_trial("a", wall_s=3.0), broken)
    (row,) = compared(run, run).rows
    assert row.after is not None
    assert (1, 3.0) == (row.after.per_attempt.attempts, row.after.per_attempt.worked_s)
    (row,) = compared(make_run(broken), make_run(broken)).rows
    assert row.after is not None
    assert (None, None) == (row.after.worked_s, row.after.per_attempt.worked_s)


def test_a_side_s_means_are_of_the_tasks_that_both_sides_have(
    make_trial: Make, make_run: MakeRun
) -> None:
    slow, quick = make_trial("slow", wall_s=100.0), make_trial("quick", wall_s=1.0)
    found = compared(make_run(slow, quick), make_run(quick))
    assert (1.0, 1.0) == (found.before.per_attempt.worked_s, found.after.per_attempt.worked_s)
    assert (2, 1) == (found.before.attempts, found.after.attempts)


def test_other_tasks_and_rollouts_are_said_in_one_line(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(*trials(make_trial, ["a", "b"], 3))
    line = "the sides differ in size: 2 tasks × 3 rollouts → 1 task × 1 rollout; "
    assert (
        f"{line}1 of 2 tasks was judged on both sides, and only that one can be compared",
    ) == compared(before, make_run(make_trial("a"))).warnings
    assert (
        f"{line}none of 3 tasks was judged on both sides, so that nothing is compared",
    ) == compared(before, make_run(make_trial("c"))).warnings
    (warning,) = compared(before, make_run(*trials(make_trial, ["a", "b"], 2))).warnings
    assert warning.endswith("× 2 rollouts; every task was judged on both sides")
    assert () == compared(before, before).warnings


def test_an_unfinished_side_has_no_shares_and_pairs_all_the_same(
    make_trial: Make, make_run: MakeRun
) -> None:
    whole = make_run(*trials(make_trial, ["a", "b"], 2, clean=True), label="whole")
    found = compare_runs(whole, stopped(whole, 1), resamples=200)
    (one,) = found.solvers
    refusal = "3 of 4 trials (75%) did not finish; above 10% no headline is given"
    assert ("", refusal) == (one.before.refusal, one.after.refusal)
    assert (1.0, None) == (one.before.honesty.clean_rate, one.after.honesty.clean_rate)
    assert 1 == one.chance.tasks
    assert (
        f"stop: {refusal}",
        "1 of 2 tasks was judged on both sides, and only that one can be compared",
    ) == one.warnings
    assert [("stop", 4, 3)] == [
        (left.label, left.planned, left.trials) for left in found.unfinished
    ]


def test_shares_of_repeats_are_of_the_tasks_that_both_sides_have(
    make_trial: Make, make_run: MakeRun
) -> None:
    half = [make_trial(task, task == "a", rollout=k) for k in (1, 2, 3) for task in "ab"]
    found = compared(make_run(*half), stopped(make_run(*half[:4]), 1))
    (resolved, *_) = found.repeats
    assert ((1.0, 1.0, 1.0), (1.0,), 1) == (
        resolved.before.values,
        resolved.after.values,
        resolved.tasks,
    )


def test_a_finished_comparison_proves_what_it_shows(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("a"))
    assert ((), False) == (compared(run, run).unproven, compared(run, run).regression)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_side_that_says_too_little_proves_nothing(
    make_trial: Make, make_run: MakeRun, swapped: bool
) -> None:
    whole = make_run(*trials(make_trial, ["a", "b"], 2))
    sides = (whole, stopped(whole, 1))
    found = compare_runs(*(reversed(sides) if swapped else sides), resamples=200)
    why = "stop: 3 of 4 trials (75%) did not finish; above 10% no headline is given"
    assert (why,) == found.unproven


def test_one_trial_that_is_still_to_come_proves_nothing_either(
    make_trial: Make, make_run: MakeRun
) -> None:
    whole = make_run(*trials(make_trial, [f"t{number}" for number in range(20)], 1))
    found = compare_runs(whole, stopped(whole, 19), resamples=200)
    assert ("stop: 1 of 20 trials did not finish",) == found.unproven
    assert "stop: 1 of 20 trials has no result of the agent's own" in found.solvers[0].warnings


def test_nothing_in_common_proves_nothing(make_trial: Make, make_run: MakeRun) -> None:
    found = compare_runs(make_run(make_trial("a")), make_run(make_trial("b")), resamples=200)
    assert ("no task was judged on both sides",) == found.unproven
    nothing = compare_runs(empty_run(), empty_run(), resamples=200)
    assert ("no solver was compared",) == nothing.unproven


def test_of_several_solvers_the_one_that_proves_nothing_is_named(
    make_trial: Make, make_run: MakeRun
) -> None:
    whole = make_run(make_trial("a", solver="x"), make_trial("a", solver="y"))
    found = compare_runs(whole, stopped(whole, 1), resamples=200)
    assert ["y: stop: 1 of 1 trials (100%) did not finish; above 10% no headline is given"] == [
        why for why in found.unproven if "headline" in why
    ]


def test_no_gap_widens_from_a_side_that_says_too_little(
    make_trial: Make, make_run: MakeRun
) -> None:
    tasks = [make_trial(task, clean=False) for task in "abcd"]
    whole = make_run(*tasks)
    assert () == compared(stopped(whole, 1), whole).flips
    assert [] == [flip for flip in compared(whole, whole).flips if "gap" in flip.kind]
    clean = make_run(*(make_trial(task, clean=True) for task in "abcd"))
    assert "gap-widened" in [flip.kind for flip in compared(clean, whole).flips]


def test_counts_and_their_means_are_words_that_fit() -> None:
    assert ["0 tasks", "1 task", "2 tasks"] == [counted(number, "task") for number in range(3)]
    assert ["–", "3", "1.5", "0.67", "100"] == [
        amount(value) for value in (None, 3, 1.5, 2 / 3, 100.0)
    ]
