from collections.abc import Callable

import pytest
from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.frontier import Point, frontier
from fairtrial.figures.gaps import honesties
from fairtrial.figures.headline import refusal, unfinished
from fairtrial.figures.tally import Counts

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def counts(**fields: int) -> Counts:
    none = dict.fromkeys(
        ("planned", "resolved", "failed", "unjudged", "infra", "skipped", "unfinished"), 0
    )
    return Counts(**(none | fields))


def point_of(run: RunRecord) -> Point:
    (point,) = frontier(run).points
    return point


def stopped(make_trial: Make, make_run: MakeRun, done: int, of: int = 20) -> RunRecord:
    """A run of `of` tasks, of which so many were done when it was stopped."""
    trials = [make_trial(f"t{number}", energy_j=1.0, clean=True) for number in range(of)]
    return evolve(make_run(*trials), trials=tuple(trials[:done]))


def test_an_unfinished_run_has_counts_and_no_headline(make_trial: Make, make_run: MakeRun) -> None:
    point = point_of(stopped(make_trial, make_run, 17))
    assert (17, 3) == (point.counts.resolved, point.counts.unfinished)
    assert (None, None) == (point.resolution, point.interval)
    assert [(None, None)] == [(energy.on_front, energy.interval) for energy in point.energies]
    assert "3 of 20 trials (15%) did not finish; above 10% no headline is given" == point.refusal


def test_a_run_of_which_only_the_allowed_share_is_to_come_has_a_headline(
    make_trial: Make, make_run: MakeRun
) -> None:
    point = point_of(stopped(make_trial, make_run, 18))
    assert (0.9, "") == (point.resolution, point.refusal)


@pytest.mark.parametrize("solver", ["reference", "noop", "x"])
def test_control_arms_of_an_unfinished_run_have_no_headline_either(
    make_trial: Make, make_run: MakeRun, solver: str
) -> None:
    point = point_of(make_run(make_trial(solver=solver), rollouts=2))
    assert (None, None) == (point.resolution, point.interval)


def test_an_interrupted_trial_is_not_taken_for_a_failure(
    make_trial: Make, make_run: MakeRun
) -> None:
    point = point_of(make_run(make_trial("a", None, ending=Ending.INTERRUPTED)))
    assert (0, None) == (point.counts.judged, point.resolution)
    assert point.refusal.startswith("1 of 1 trials (100%) did not finish")


def test_trials_that_could_not_be_paid_for_say_nothing_of_the_agent() -> None:
    said = refusal(counts(planned=10, resolved=5, failed=2, skipped=3), 0.10)
    assert said == (
        "3 of 10 trials (30%) never began for want of budget; above 10% no headline is given"
    )


def test_all_that_says_nothing_of_the_agent_is_taken_together() -> None:
    half = counts(planned=20, resolved=17, infra=1, skipped=1, unfinished=1)
    assert refusal(half, 0.10) == (
        "3 of 20 trials (15%) say nothing of the agent: 1 broke for reasons that are not the"
        " agent's, 1 never began for want of budget, 1 did not finish; above 10% no headline"
        " is given"
    )
    assert "" == refusal(half, 0.15)


def test_where_nothing_was_judged_there_is_no_headline_whatever_share_is_allowed() -> None:
    assert refusal(counts(planned=3, unjudged=3), 1.0) == (
        "none of 3 trials was judged, so that no headline is given"
    )
    assert "" == refusal(counts(planned=0), 0.1)


def test_an_unfinished_run_has_no_clean_rate_but_its_gap_stands(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = stopped(make_trial, make_run, 10)
    bought = make_trial("t0", clean=False)
    (found,) = honesties(evolve(run, trials=(bought, *run.trials[1:])))
    assert (None, None) == (found.pass_rate, found.clean_rate)
    assert 0.05 == found.gap
    assert found.refusal == point_of(run).refusal


def test_a_run_says_how_many_trials_are_to_come_and_how_to_go_on(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [make_trial(solver=name) for name in ("noop", "x")]
    run = make_run(*trials, rollouts=3, label="my run")
    assert (6, 4) == (unfinished(run).planned, unfinished(run).trials)
    assert str(unfinished(run)) == (
        "unfinished: 2 of 6 trials ended, the others were interrupted or are still to come; to go"
        " on, give the command that began the run again, with --label 'my run' --resume"
    )


def test_a_run_at_its_end_says_nothing_of_going_on(make_trial: Make, make_run: MakeRun) -> None:
    broken = make_trial("b", None, ending=Ending.INFRA)
    assert "" == str(unfinished(make_run(make_trial("a"), broken)))
