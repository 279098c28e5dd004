"""The line at a run's end that says what it spent."""

from attrs import evolve
from fairtrial.api import Ending, RunRecord, Trial, Usage
from fairtrial.cli.spent import spent_line
from fairtrial.config import RunTable

RUN = RunTable(
    suite="x", solvers=("reference", "a"), budget_usd_per_task=0.5, budget_usd_total=2.0
)


def trial(cost_usd: float | None, ending: Ending = Ending.FINISHED, solver: str = "a") -> Trial:
    usage = (Usage(model="m", cost_usd=cost_usd),)
    return Trial(task="t", digest="d", family="t", solver=solver, ending=ending, usage=usage)


def record(*trials: Trial) -> RunRecord:
    return RunRecord(label="x", suite="x", solvers=("reference", "a"), tasks=(), trials=trials)


def test_it_says_the_sum_the_caps_and_what_was_not_begun() -> None:
    skipped = evolve(trial(None, Ending.SKIPPED), usage=())
    found = record(trial(0.25), trial(0.5, Ending.OVER_BUDGET), trial(None), skipped)

    assert (
        "spent        ≥ $0.75 of $2.00 ($0.50 at most an attempt; 1 of unknown cost; "
        "1 ended over budget; 1 not begun for want of budget)"
    ) == spent_line(RUN, found, {"a"})


def test_control_arms_spend_nothing() -> None:
    found = record(trial(9.0, solver="reference"), trial(0.25))

    assert "spent        $0.25 of $2.00 ($0.50 at most an attempt)" == spent_line(
        RUN, found, {"a"}
    )


def test_without_a_budget_and_without_dollars_there_is_nothing_to_say() -> None:
    bare = RunTable(suite="x", solvers=("a",))

    assert "" == spent_line(bare, record(evolve(trial(None), usage=())), {"a"})
    assert "spent        $0.25" == spent_line(bare, record(trial(0.25)), {"a"})


def test_a_solver_that_can_not_spend_is_not_of_unknown_cost() -> None:
    silent = evolve(trial(None), usage=())

    assert "" == spent_line(RUN, record(silent), ())
    assert "spent        $0.25 of $2.00 ($0.50 at most an attempt)" == spent_line(
        RUN, record(silent, trial(0.25)), ()
    )


def test_where_no_cost_is_known_it_says_so() -> None:
    line = spent_line(RUN, record(trial(None)), {"a"})

    assert "spent        – of $2.00 ($0.50 at most an attempt; 1 of unknown cost)" == line


def test_an_attempt_that_was_made_again_was_paid_for() -> None:
    stopped = evolve(trial(0.5, Ending.INTERRUPTED), wall_s=1.0)
    found = evolve(record(trial(0.25)), again=(stopped, evolve(stopped, solver="reference")))

    assert spent_line(RUN, found, {"a"}).startswith("spent        $0.75 of $2.00")
