import math
from collections.abc import Callable

import pytest
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.figures.differences import Difference, Sides, differences

Make = Callable[..., Trial]

SHUNT = "host, measured-hardware-shunt, gross"


def of(before: list[Trial], after: list[Trial]) -> tuple[Difference, ...]:
    sides = Sides(
        before=tuple((trial,) for trial in before), after=tuple((trial,) for trial in after)
    )
    return differences(sides, resamples=400, seed=1)


def joules(value: float | None, **fields: object) -> tuple[Energy, ...]:
    values: dict[str, object] = {"boundary": Boundary.HOST, "label": Label.HARDWARE_SHUNT}
    return (Energy(joules=value, **(values | fields)),)  # type: ignore[arg-type]  # a test's own fields


def test_nothing_in_common_gives_no_difference() -> None:
    assert of([], []) == ()


def test_a_ratio_is_of_what_one_resolved_task_took(make_trial: Make) -> None:
    before = [make_trial(str(i), i < 4, cost_usd=1.0) for i in range(8)]
    after = [make_trial(str(i), True, cost_usd=1.0) for i in range(8)]
    resolution, cost = of(before, after)
    assert resolution.value == pytest.approx(0.5)
    assert cost.value == pytest.approx(0.5)
    assert cost.interval is not None
    assert cost.interval.low is not None
    assert cost.interval.high is not None
    assert cost.interval.low < 0.5 <= cost.interval.high <= 1


def test_a_side_that_seldom_resolves_leaves_an_end_unbounded(make_trial: Make) -> None:
    before = [make_trial(str(i), True, cost_usd=1.0) for i in range(8)]
    after = [make_trial(str(i), i == 0, cost_usd=1.0) for i in range(8)]
    cost = of(before, after)[1]
    assert cost.value == pytest.approx(8)
    assert cost.interval is not None
    assert cost.interval.high is None
    mirrored = of(after, before)[1]
    assert mirrored.interval is not None
    assert mirrored.interval.low is None


def test_two_sides_that_seldom_resolve_have_a_ratio_but_no_interval(make_trial: Make) -> None:
    trials = [make_trial(str(i), i == 0, cost_usd=1.0) for i in range(8)]
    cost = of(trials, trials)[1]
    assert cost.value == 1
    assert cost.interval is None


def test_dollars_of_different_source_are_not_compared(make_trial: Make) -> None:
    priced = (Usage(cost_usd=1.0, cost_source=CostSource.PRICED),)
    cost = of([make_trial("a", cost_usd=1.0)], [make_trial("a", usage=priced)])[1]
    assert cost.value is None
    assert cost.why == "dollars are reported before and priced after"


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ((), "the joules of some trials are not known"),
        (joules(None), "the joules of some trials are not known"),
        (
            joules(5.0, granularity="batch"),
            f"joules are {SHUNT} before and {SHUNT}, per batch after",
        ),
        (joules(5.0, reliable=False), "some joules may not be ranked (~)"),
        (
            joules(5.0, reliable=False, why="other processes kept the machine busy meanwhile"),
            "some joules may not be ranked (~): other processes kept the machine busy meanwhile",
        ),
    ],
)
def test_joules_that_can_not_be_ranked_are_not_compared(
    make_trial: Make, after: tuple[Energy, ...], why: str
) -> None:
    found = of([make_trial("a", energy_j=5.0)], [make_trial("a", energy=after)])[-1]
    assert (found.value, found.boundary, found.why) == (None, Boundary.HOST, why)


def test_joules_of_batches_have_no_pairs(make_trial: Make) -> None:
    trials = [make_trial("a", energy=joules(5.0, granularity="batch"))]
    assert of(trials, trials)[-1].why == "joules are known for whole batches only"


def test_a_side_that_used_nothing_has_no_ratio_and_says_of_which_joules(make_trial: Make) -> None:
    before, after = ([make_trial("a", energy_j=energy_j)] for energy_j in (0.0, 5.0))
    found = of(before, after)[-1]
    assert (None, "a side resolved or used nothing") == (found.value, found.why)
    assert (Boundary.HOST, SHUNT) == (found.boundary, str(found.group))


def test_many_tasks_are_as_sure_as_few_are_not(make_trial: Make) -> None:
    def width(size: int) -> float:
        before = [make_trial(str(i), i % 3 > 0) for i in range(size)]
        after = [make_trial(str(i), i % 2 > 0) for i in range(size)]
        interval = of(before, after)[0].interval
        assert interval is not None
        assert interval.low is not None
        assert interval.high is not None
        return interval.high - interval.low

    assert width(600) == pytest.approx(width(60) / math.sqrt(10), rel=0.25)


def test_one_task_has_figures_and_no_interval_but_a_reason(make_trial: Make) -> None:
    before = [make_trial("a", cost_usd=1.0, energy_j=2.0)]
    after = [make_trial("a", cost_usd=2.0, energy_j=2.0)]
    found = of(before, after)
    assert [0, 2, 1] == [each.value for each in found]
    why = "one task says nothing of how much others would differ"
    assert [(None, why)] * 3 == [(each.interval, each.why) for each in found]


def test_a_ratio_without_an_end_on_either_side_has_a_reason_for_an_interval(
    make_trial: Make,
) -> None:
    # Whichever task a resample leaves out, one side has resolved nothing in it.
    before = [make_trial(str(i), i == 0, cost_usd=1.0) for i in range(4)]
    after = [make_trial(str(i), i == 1, cost_usd=1.0) for i in range(4)]
    cost = of(before, after)[1]
    assert 1 == cost.value
    assert (None, "too few tasks were resolved on both sides to bound it") == (
        cost.interval,
        cost.why,
    )
    (bounded, *_) = of(before, after)
    assert (True, "") == (bounded.interval is not None, bounded.why)
