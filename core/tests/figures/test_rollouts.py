from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.rollouts import Curve, curves, pass_at_k
from hypothesis import given
from hypothesis import strategies as st

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def curve_of(make_trial: Make, make_run: MakeRun, outcomes: Sequence[Sequence[bool]]) -> Curve:
    trials = [
        make_trial(f"t{task}", resolved, rollout=k, cost_usd=1.0, energy_j=10.0)
        for task, row in enumerate(outcomes)
        for k, resolved in enumerate(row, 1)
    ]
    (curve,) = curves(make_run(*trials))
    return curve


def test_three_tasks_in_three_rollouts_climb_from_1_to_2_of_3(
    make_trial: Make, make_run: MakeRun
) -> None:
    outcomes = [[False, True, False], [True] * 3, [False] * 3]
    curve = curve_of(make_trial, make_run, outcomes)
    found = [(point.k, point.resolved, point.tasks) for point in curve.points]
    assert found == [(1, 1, 3), (2, 2, 3), (3, 2, 3)]
    assert [point.cost.total_usd for point in curve.points] == [3, 6, 9]
    assert [point.energies[0].total_j for point in curve.points] == [30, 60, 90]
    assert not curve.flat
    assert curve.selection == "oracle"


def test_deterministic_outcomes_give_a_flat_curve_at_triple_cost(
    make_trial: Make, make_run: MakeRun
) -> None:
    curve = curve_of(make_trial, make_run, [[True] * 3, [True] * 3, [False] * 3])
    assert [point.resolution for point in curve.points] == [pytest.approx(2 / 3)] * 3
    assert [point.cost.total_usd for point in curve.points] == [3, 6, 9]
    assert curve.flat


def test_one_rollout_is_no_flat_curve(make_trial: Make, make_run: MakeRun) -> None:
    assert not curve_of(make_trial, make_run, [[True], [False]]).flat


def test_vector_20_two_of_five_give_pass_at_k_of_40_70_and_90_percent() -> None:
    assert [pass_at_k(5, 2, k) for k in (1, 2, 3)] == pytest.approx([0.4, 0.7, 0.9])


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_at_k_is_the_share_of_all_choices_that_hold_a_success(
    outcomes: list[bool], k: int
) -> None:
    found = pass_at_k(len(outcomes), sum(outcomes), k)
    choices = list(combinations(outcomes, k))
    if choices:
        assert found == pytest.approx(sum(map(any, choices)) / len(choices))
    else:
        assert found is None


def test_a_broken_rollout_is_no_failure_in_pass_at_k(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        make_trial("a", True, rollout=1),
        make_trial("a", None, rollout=2, ending=Ending.INFRA),
        make_trial("b", False, rollout=1),
        make_trial("b", True, rollout=2),
        max_infra_share=0.25,
    )
    (point,) = curves(run)[0].points
    assert (0.75, 2) == (point.pass_at_k, point.pass_at_k_tasks)


def test_only_attempts_that_were_made_enter_and_k_goes_as_far_as_they_do(
    make_trial: Make, make_run: MakeRun
) -> None:
    planned = make_run(make_trial("a"), make_trial("b"), make_trial("c")).tasks
    run = make_run(
        make_trial("a", True, rollout=3, cost_usd=1.0),
        make_trial("a", False, rollout=1, cost_usd=1.0),
        make_trial("b", None, rollout=1, ending=Ending.INFRA, cost_usd=1.0),
        make_trial("b", True, rollout=2, cost_usd=1.0),
        make_trial("b", True, rollout=3, cost_usd=1.0),
        tasks=planned,
        max_infra_share=1.0,
    )
    curve = curves(run)[0]
    found = [(point.k, point.resolved, point.tasks, point.resolution) for point in curve.points]
    assert [(1, 1, 2, 0.5), (2, 2, 2, 1.0)] == found
    assert [2, 4] == [point.cost.total_usd for point in curve.points]
    assert (3, 3) == (curve.planned_tasks, curve.rollouts)


def test_an_unfinished_run_has_counts_in_its_curve_and_no_share(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("a", True, rollout=1), make_trial("a", True, rollout=2), rollouts=3)
    curve = curves(run)[0]
    assert [(1, 1, 1), (2, 1, 1)] == [(p.k, p.resolved, p.tasks) for p in curve.points]
    assert [(None, None)] * 2 == [(point.resolution, point.pass_at_k) for point in curve.points]
    assert "1 of 3 trials (33%) did not finish; above 10% no headline is given" == curve.refusal


def test_a_batch_s_joules_are_not_those_of_its_first_attempts(
    make_trial: Make, make_run: MakeRun
) -> None:
    batch = Energy(
        joules=90.0, boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, granularity="batch"
    )
    trials = [
        make_trial("a", True, rollout=1, energy=(batch,)),
        make_trial("a", True, rollout=2, energy=(evolve(batch, joules=None),)),
    ]
    (curve,) = curves(make_run(*trials))
    figures = [point.energies[0] for point in curve.points]
    assert [(None, 0), (90.0, 2)] == [(figure.known_j, figure.resolved) for figure in figures]
    # One task has an attempt more than there are points, and the batch holds that one, too.
    (curve,) = curves(make_run(*trials, make_trial("b", False, energy=(batch,))))
    assert [None] == [point.energies[0].total_j for point in curve.points]


def test_a_solver_that_attempted_nothing_has_an_empty_curve(
    make_trial: Make, make_run: MakeRun
) -> None:
    (curve,) = curves(make_run(make_trial("a", None, ending=Ending.INTERRUPTED), rollouts=2))
    assert () == curve.points
    assert not curve.flat
