from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from fairtrial.api.attempt import Ending
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.rollouts import Curve, curves, pass_at_k, until_success
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
    )
    points = curves(run)[0].points
    assert (points[0].pass_at_k, points[0].pass_at_k_tasks) == (0.75, 2)
    assert (points[1].pass_at_k, points[1].pass_at_k_tasks) == (1.0, 1)


def test_stopping_at_the_first_success_costs_less_than_all_attempts() -> None:
    assert until_success(100, 0.5, 2) == 150
    assert until_success(100, 1.0, 5) == 100
    assert until_success(100, 0.0, 5) is None
