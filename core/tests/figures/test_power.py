"""How many tasks tell a difference from noise, and what several repeats say."""

import pytest
from attrs import evolve
from fairtrial.api import ConfigError, Ending, RunArm
from fairtrial.conformance.fakes.records import big_run, three_trial_run, two_runs
from fairtrial.figures.arms import difference_lines
from fairtrial.figures.compare import compare_arms, compare_runs
from fairtrial.figures.power import power, tasks_needed
from fairtrial.figures.repeats import repeated


def test_the_number_of_tasks_is_that_of_the_formula() -> None:
    # d = 0.1, s = 0.3: (1.959964·√0.3 + 0.841621·√0.29)² ÷ 0.01 = 233.09
    assert 234 == tasks_needed(20, 10, 100)
    assert tasks_needed(10, 20, 100) == tasks_needed(20, 10, 100)
    # The same shares of more tasks need no more of them.
    assert tasks_needed(20, 10, 100) == tasks_needed(200, 100, 1000)
    # All flips one way: (1.959964·√0.5 + 0.841621·√0.25)² ÷ 0.25 = 13.0…
    assert 14 == tasks_needed(0, 50, 100)


def test_without_a_difference_no_number_would_do() -> None:
    assert tasks_needed(3, 3, 10) is None
    assert tasks_needed(0, 0, 10) is None
    assert tasks_needed(0, 0, 0) is None
    assert power(1, 1, 4).more is None


def test_what_is_lacking_is_never_less_than_nothing() -> None:
    assert (0, 134) == (power(0, 50, 100).more, power(20, 10, 100).more)


def test_each_repeat_is_a_figure_of_its_own() -> None:
    run = big_run(800)
    trials = [trial for trial in run.trials if trial.solver == "cheap"]
    unpriced = evolve(trials[0], usage=(), rollout=1)
    tasks = {trial.task for trial in trials}
    resolved, cost, wall = repeated(trials, [unpriced, *trials[1:]], tasks=tasks)
    assert (4, 4) == (len(resolved.before.values), len(wall.after.values))
    assert resolved.before.low is not None
    assert resolved.before.high is not None
    assert resolved.before.median is not None
    assert resolved.before.low <= resolved.before.median <= resolved.before.high
    assert (4, 3) == (len(cost.before.values), len(cost.after.values))
    assert () == repeated(trials[:100], trials[:100], tasks=tasks)
    assert () == repeated(trials, trials, tasks=())


def test_a_repeat_that_did_not_try_every_task_is_no_figure() -> None:
    trials = [trial for trial in big_run(800).trials if trial.solver == "cheap"]
    tasks = {trial.task for trial in trials}
    resolved, cost, wall = repeated(trials, trials[:-1], tasks=tasks)
    assert [3, 3, 3] == [len(one.after.values) for one in (resolved, cost, wall)]
    fewer, *_ = repeated(trials, trials[:-1], tasks=tasks - {trials[-1].task})
    assert (4, 99) == (len(fewer.after.values), fewer.tasks)


def test_a_repeat_with_a_broken_attempt_has_a_share_and_no_sums() -> None:
    trials = [trial for trial in big_run(800).trials if trial.solver == "cheap"]
    broken = evolve(trials[0], ending=Ending.INFRA, verdict=None)
    tasks = {trial.task for trial in trials}
    resolved, cost, wall = repeated(trials, [broken, *trials[1:]], tasks=tasks)
    assert [4, 3, 3] == [len(one.after.values) for one in (resolved, cost, wall)]


def test_the_two_arms_of_a_run_are_compared_as_two_runs_are() -> None:
    before, after = two_runs()
    trials = (
        *(evolve(trial, solver="cheap@a") for trial in before.trials),
        *(evolve(trial, solver="cheap@b") for trial in after.trials),
    )
    sides = tuple(
        RunArm(
            name=name, solvers=(f"cheap@{name}",), settings={"solvers.cheap.model": f'"{name}"'}
        )
        for name in ("a", "b")
    )
    run = evolve(before, solvers=("cheap@a", "cheap@b"), trials=trials, arms=sides)
    arms, runs = compare_arms(run), compare_runs(before, after)
    assert arms.solvers[0].chance == runs.solvers[0].chance
    assert arms.solvers[0].power == runs.solvers[0].power
    assert ("a", "b") == (arms.before, arms.after)
    assert ("a", "b") == (arms.solvers[0].before.label, arms.solvers[0].after.label)
    assert ('arms a → b: solvers.cheap.model: "a" → "b"',) == arms.settings
    bare = tuple(evolve(side, settings={}) for side in sides)
    assert ("arms a → b: no difference",) == difference_lines(bare)


def test_a_run_without_arms_has_none_to_compare() -> None:
    with pytest.raises(ConfigError, match="has no arms"):
        compare_arms(three_trial_run())
