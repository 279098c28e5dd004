from collections.abc import Callable, Sequence

import pytest
from fairtrial.api.reading import Boundary
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.rollouts import BestOf, curves, joules_to_a_success
from fairtrial.figures.stopping import until_success

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def points(run: RunRecord) -> Sequence[BestOf]:
    (curve,) = curves(run)
    return curve.points


@pytest.mark.parametrize(
    ("share", "k", "expected"),
    [(0.5, 1, 100), (0.5, 2, 150), (0.5, 3, 175), (1.0, 5, 100), (0.0, 5, 500)],
)
def test_what_is_expected_to_the_first_success(share: float, k: int, expected: float) -> None:
    assert expected == until_success(100, share, k)


def test_each_task_is_stopped_at_its_own_chance(make_trial: Make, make_run: MakeRun) -> None:
    outcomes = {"half": [True, False], "never": [False, False], "always": [True, True]}
    run = make_run(
        *(
            make_trial(task, resolved, rollout=k, cost_usd=1.0, energy_j=10.0)
            for task, row in outcomes.items()
            for k, resolved in enumerate(row, 1)
        )
    )
    found = [point.stopping for point in points(run)]
    assert [3.0, 1.5 + 2.0 + 1.0] == [each.cost_usd for each in found if each is not None]
    assert [{Boundary.HOST: 30.0}, {Boundary.HOST: 45.0}] == [
        each.energy_j for each in found if each is not None
    ]
    assert ["30.0 host", "45.0 host"] == [joules_to_a_success(point) for point in points(run)]


def test_what_one_attempt_used_and_nobody_knows_is_no_expectation(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, rollout=1, cost_usd=1.0, energy_j=10.0),
        make_trial("a", True, rollout=2, cost_usd=None, energy_j=None),
    )
    (_, point) = points(run)
    assert point.stopping is not None
    assert (None, {}) == (point.stopping.cost_usd, point.stopping.energy_j)
    assert "–" == joules_to_a_success(point)


def test_a_task_that_nobody_judged_has_no_chance(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("a", None, rollout=1), make_trial("a", None, rollout=2))
    assert [None, None] == [point.stopping for point in points(run)]
    assert "–" == joules_to_a_success(points(run)[0])
