"""What may still be spent."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve, frozen
from fairtrial.api import Attempt, BudgetError, Ending, Session, Trial, Usage
from fairtrial.config import RunTable
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine.budget import Purse, most_usd, refuse_unlimited, spenders
from fairtrial.engine.plan import Cell, plan


def trial(*costs: float | None) -> Trial:
    usage = tuple(Usage(model="m", cost_usd=cost) for cost in costs)
    return Trial(task="t", digest="d", family="t", solver="s", ending=Ending.FINISHED, usage=usage)


def test_without_a_total_everything_may_start() -> None:
    purse = Purse(total_usd=None, cap_usd=5.0)
    assert [True] * 3 == [purse.reserve() for _ in range(3)]


def test_a_trial_whose_cap_fits_only_without_those_under_way_waits_until_one_has_ended() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.4)
    assert [True, True] == [purse.reserve() for _ in range(2)]
    with ThreadPoolExecutor() as pool:
        third = pool.submit(purse.reserve)
        purse.settle(trial(0.1))
        assert third.result(timeout=10) is True
        fourth = pool.submit(purse.reserve)
        purse.settle(trial(0.4))
        purse.settle(trial(0.4))
        assert fourth.result(timeout=10) is False


def test_who_waits_for_money_starts_nothing_once_the_run_is_stopped() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
    stopped = threading.Event()
    with ThreadPoolExecutor() as pool:
        second = pool.submit(purse.reserve, stopped.is_set)
        stopped.set()
        purse.settle(trial(0.1))
        assert second.result(timeout=10) is None


def test_caps_that_add_up_to_the_total_fit_however_fractions_add_up() -> None:
    purse = Purse(total_usd=0.3, cap_usd=0.1)
    assert [True] * 3 == [purse.reserve() for _ in range(3)]
    for _ in range(3):
        purse.settle(trial(0.1))
    assert not purse.reserve()


def test_a_trial_that_nobody_knows_of_counts_as_its_cap() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
    purse.settle(None)
    assert 0.6 == purse.spent_usd


def test_a_reservation_that_is_given_back_cost_nothing_and_makes_room() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
    purse.release()
    assert 0.0 == purse.spent_usd
    assert purse.reserve()


def test_what_is_known_of_a_cost_counts_where_it_is_more_than_the_cap() -> None:
    purse = Purse(total_usd=9.0, cap_usd=None)
    assert purse.reserve()
    purse.settle(evolve(trial(), metered=(Usage(cost_usd=2.0), Usage(output=7))))
    assert 2.0 == purse.spent_usd


def test_what_was_not_spent_is_free_again() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6)
    assert purse.reserve()
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


def test_an_attempt_of_an_earlier_session_that_never_began_cost_nothing() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6, spenders=("s",))
    purse.already_spent(evolve(trial(), ending=Ending.INFRA))
    assert 0.0 == purse.spent_usd
    purse.already_spent(evolve(trial(), ending=Ending.INFRA, wall_s=1.0))
    assert 0.6 == purse.spent_usd


def test_a_spender_that_nobody_metered_and_that_tells_nothing_counts_as_its_cap() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6, spenders=("s",))
    purse.reserve()
    purse.settle(trial())
    assert 0.6 == purse.spent_usd


def test_a_trial_that_broke_before_it_began_cost_nothing() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6, spenders=("s",))
    purse.reserve()
    purse.settle(evolve(trial(), ending=Ending.INFRA))
    assert 0.0 == purse.spent_usd
    purse.reserve()
    purse.settle(evolve(trial(), ending=Ending.INFRA, wall_s=1.0))
    assert 0.6 == purse.spent_usd


def test_a_spender_whose_gateway_saw_no_request_cost_nothing() -> None:
    purse = Purse(total_usd=1.0, cap_usd=0.6, spenders=("s",))
    purse.reserve()
    purse.settle(evolve(trial(), metered=()))
    assert 0.0 == purse.spent_usd


@frozen(kw_only=True)
class Says:
    spends: bool | None = None

    def solve(self, session: Session, /) -> Attempt:
        return Attempt(ending=Ending.FINISHED)


class SaysNothing:
    def solve(self, session: Session, /) -> Attempt:
        return Attempt(ending=Ending.FINISHED)


SOLVERS = {"pays": Says(spends=True), "free": Says(spends=False), "mum": SaysNothing()}


def table(**keys: object) -> RunTable:
    solvers = ("reference", "noop", *SOLVERS)
    return RunTable(suite="x", solvers=solvers, **keys)  # type: ignore[arg-type]  # a test's keys


def cells(run: RunTable) -> tuple[Cell, ...]:
    return plan(ThreeTaskSuite().tasks(), run).cells


def test_what_says_nothing_can_spend_where_there_is_a_gateway() -> None:
    assert ("pays",) == spenders(table(), SOLVERS)
    assert ("pays", "mum") == spenders(table(gateway="proxy"), SOLVERS)


def test_the_most_that_a_run_can_cost_is_its_caps_or_its_total() -> None:
    def most(**keys: object) -> float | None:
        run = table(**keys)
        return most_usd(run, SOLVERS, cells(run))

    assert most() is None
    assert 1.5 == most(budget_usd_per_task=0.5)
    assert 1.0 == most(budget_usd_per_task=0.5, budget_usd_total=1.0)
    assert 3.0 == most(budget_usd_per_task=0.5, gateway="proxy")
    assert 0.0 == most_usd(table(), {"mum": SaysNothing()}, cells(table()))


def test_a_run_that_can_spend_without_a_limit_is_refused() -> None:
    run = table()

    with pytest.raises(BudgetError) as caught:
        refuse_unlimited(run, SOLVERS, cells(run))

    assert (
        "[run] sets no budget_usd_per_task and no budget_usd_total, and its solvers can spend",
        (("solvers", "pays"), ("attempts", "3")),
        'set both keys, or write budget = "unlimited"; `--plan` shows what the run can cost',
    ) == (caught.value.problem, caught.value.facts, caught.value.way_on)


def test_a_run_without_a_total_is_told_which_one_is_enough() -> None:
    run = table(budget_usd_per_task=0.5)

    with pytest.raises(BudgetError) as caught:
        refuse_unlimited(run, SOLVERS, cells(run))

    assert ("enough for all", "budget_usd_total = 1.50") == caught.value.facts[-1]


@pytest.mark.parametrize(
    ("cap", "total"),
    [
        (0.1, "0.30"),
        (0.0334, "0.11"),
        (1.001, "3.01"),
        (1234567.0, "3703701.00"),
        (0.00165, "0.0050"),
        (0.001, "0.0030"),
        (0.0004033, "0.0013"),
        (0.00000004, "0.00000012"),
    ],
)
def test_a_total_that_is_told_to_be_enough_is_enough(cap: float, total: str) -> None:
    run = table(budget_usd_per_task=cap)

    with pytest.raises(BudgetError) as caught:
        refuse_unlimited(run, SOLVERS, cells(run))

    assert ("enough for all", f"budget_usd_total = {total}") == caught.value.facts[-1]
    purse = Purse(total_usd=float(total), cap_usd=cap)
    assert [True] * 3 == [purse.reserve() for _ in range(3)]


@pytest.mark.parametrize(
    "keys",
    [{"budget_usd_per_task": 0.5, "budget_usd_total": 1.0}, {"budget": "unlimited"}],
)
def test_a_run_whose_spending_is_limited_or_allowed_may_begin(keys: dict[str, object]) -> None:
    run = table(**keys)
    refuse_unlimited(run, SOLVERS, cells(run))


def test_a_run_that_cannot_spend_needs_no_limit() -> None:
    run = table()
    refuse_unlimited(run, {"free": Says(spends=False), "mum": SaysNothing()}, cells(run))
