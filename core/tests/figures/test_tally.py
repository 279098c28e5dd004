from collections.abc import Callable

import pytest
from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.record import PlannedTask, RunRecord, Trial
from fairtrial.figures.tally import Counts, tallies, tasks_apart
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def test_ten_broken_trials_of_a_hundred_stay_in_the_denominator(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [
        make_trial(f"t{i}", i < 80, ending=Ending.INFRA if i >= 90 else Ending.FINISHED)
        for i in range(100)
    ]
    (tally,) = tallies(make_run(*trials))
    assert tally.counts == Counts(
        planned=100, resolved=80, failed=10, unjudged=0, infra=10, skipped=0, unfinished=0
    )


def test_a_trial_that_never_ran_is_unfinished_and_not_gone(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("t1"), make_trial("t2"))
    (tally,) = tallies(evolve(run, trials=run.trials[:1]))
    assert tally.counts.planned == 2
    assert tally.counts.unfinished == 1


def test_invalid_and_quarantined_tasks_are_in_no_denominator_and_are_said(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("t1"), make_trial("t2"), make_trial("t3", quarantine="flaky 3/10"))
    tasks = (
        run.tasks[0],
        PlannedTask(id="t2", family="t2", digest="t2", invalid="passes before the fix"),
        run.tasks[2],
    )
    run = evolve(run, tasks=tasks)
    (tally,) = tallies(run)
    assert (tally.counts.planned, tally.counts.resolved) == (1, 1)
    assert [trial.task for trial in tally.apart] == ["t2", "t3"]
    assert [(task.task, task.kind, task.why) for task in tasks_apart(run)] == [
        ("t2", "invalid", "passes before the fix"),
        ("t3", "quarantined", "flaky 3/10"),
    ]


def test_the_later_of_two_trials_of_one_cell_counts(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("t1", ending=Ending.INFRA), make_trial("t1", False))
    (tally,) = tallies(run)
    assert (tally.counts.infra, tally.counts.failed) == (0, 1)


def test_a_result_of_another_version_of_the_task_counts_nowhere(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("t1"), make_trial("t2"))
    strangers = (make_trial("t1", digest="old"), make_trial("t9"), make_trial("t2", rollout=7))
    (tally,) = tallies(evolve(run, trials=(*run.trials, *strangers)))
    assert tally.counts.resolved == tally.counts.planned == 2
    assert len(tally.stale) == 3


def test_a_solver_that_the_plan_forgot_comes_last(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial(solver="y"), make_trial(solver="x"), solvers=("x",))
    assert [tally.solver for tally in tallies(run)] == ["x", "y"]


def test_a_solver_without_trials_has_all_of_them_unfinished(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial(), solvers=("x", "z"))
    assert tallies(run)[1].counts.unfinished == 1


endings = st.sampled_from(list(Ending))
cells = st.tuples(
    st.sampled_from("abcd"), st.integers(1, 3), st.sampled_from([True, False, None]), endings
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(cells, max_size=30))
def test_log_and_aggregate_agree(
    make_trial: Make,
    make_run: MakeRun,
    log: list[tuple[str, int, bool | None, Ending]],
) -> None:
    tasks = tuple(PlannedTask(id=task, family=task, digest=task) for task in "abcd")
    trials = [
        make_trial(task, resolved, rollout=rollout, ending=ending)
        for task, rollout, resolved, ending in log
    ]
    run = make_run(*trials, tasks=tasks, rollouts=3, solvers=("x",))
    (tally,) = tallies(run)
    counts = tally.counts
    last = {(trial.task, trial.rollout): trial for trial in trials}
    ours = {Ending.INFRA, Ending.INTERRUPTED, Ending.SKIPPED}
    ran = [trial for trial in last.values() if trial.ending not in ours]
    assert counts.planned == 12
    assert counts.resolved == sum(trial.resolved is True for trial in ran)
    assert counts.infra == sum(trial.ending is Ending.INFRA for trial in last.values())
    assert counts.planned == (
        counts.resolved
        + counts.failed
        + counts.unjudged
        + counts.infra
        + counts.skipped
        + counts.unfinished
    )
    resolved = [
        sum(each.task == task and each.resolved is True for each in ran) for task in "abcd"
    ]
    assert tally.resolved_by_task() == resolved
    walls = [sum(each.wall_s or 0.0 for each in ran if each.task == task) for task in "abcd"]
    assert tally.by_task(each.wall_s for each in tally.attempted) == pytest.approx(walls)


def test_tallies_of_an_empty_run_are_empty(make_run: MakeRun) -> None:
    assert tallies(make_run()) == ()
    with pytest.raises(IndexError):
        tallies(make_run())[0]
