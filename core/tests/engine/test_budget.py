"""What may still be spent."""

from fairtrial.api import Ending, Trial, Usage
from fairtrial.engine.budget import Purse


def trial(*costs: float | None) -> Trial:
    usage = tuple(Usage(model="m", cost_usd=cost) for cost in costs)
    return Trial(task="t", digest="d", family="t", solver="s", ending=Ending.FINISHED, usage=usage)


def test_without_a_total_everything_may_start() -> None:
    purse = Purse(total_usd=None, cap_usd=5.0)
    assert [True] * 3 == [purse.reserve() for _ in range(3)]


def test_a_trial_starts_only_if_its_cap_fits_beside_those_under_way() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.4)
    assert [True, True, False] == [purse.reserve() for _ in range(3)]


def test_what_was_not_spent_is_free_again() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
    assert not purse.reserve()
    purse.settle(trial(0.1))
    assert purse.reserve()


def test_an_unknown_cost_counts_as_the_cap() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
    purse.settle(trial(None))
    assert 0.6 == purse.spent_usd
    assert not purse.reserve()


def test_a_solver_that_uses_no_model_costs_nothing() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    purse.reserve()
    purse.settle(trial())
    assert 0.0 == purse.spent_usd


def test_a_resumed_run_goes_on_from_what_was_spent() -> None:
    purse = Purse(total_usd=1.0, cap_usd=None)
    purse.already_spent(trial(1.0))
    assert not purse.reserve()
