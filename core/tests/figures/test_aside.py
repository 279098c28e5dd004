from collections.abc import Callable

from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.aside import asides
from fairtrial.figures.frontier import frontier
from fairtrial.figures.lines import lines
from fairtrial.figures.tally import tallies

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def test_what_an_attempt_used_that_was_made_again_is_in_no_sum_and_said(
    make_trial: Make, make_run: MakeRun
) -> None:
    stopped = make_trial("a", None, ending=Ending.INTERRUPTED, energy_j=48.4, cost_usd=0.12)
    done = make_trial("a", energy_j=124.7, cost_usd=0.3)
    run = evolve(make_run(done), again=(stopped,))
    (point,) = frontier(run).points
    assert (124.7, 0.3) == (point.energies[0].joules.total_j, point.cost.spending.total_usd)
    (found,) = asides(tallies(run))
    assert ("x", "again", 1) == (found.solver, found.kind, found.attempts)
    assert "48.4 J (host, gross) and $0.12 of 1 attempt that was made again" == str(found)


def test_all_joules_and_dollars_are_in_a_sum_or_beside_it(
    make_trial: Make, make_run: MakeRun
) -> None:
    used = {"energy_j": 1.0, "cost_usd": 1.0}
    run = make_run(
        make_trial("a", **used),
        make_trial("b", None, ending=Ending.INFRA, **used),
        make_trial("c", None, ending=Ending.INTERRUPTED, **used),
        make_trial("d", quarantine="flaky", **used),
    )
    strange = make_trial("e", digest="another", **used)
    again = make_trial("a", None, ending=Ending.INFRA, **used)
    run = evolve(run, trials=(*run.trials, strange), again=(again, again))
    (point,) = frontier(run).points
    beside = asides(tallies(run))
    assert {"again": 2, "infra": 1, "unfinished": 1, "apart": 1, "stale": 1} == {
        aside.kind: aside.attempts for aside in beside
    }
    assert 7 == (point.energies[0].joules.total_j or 0) + sum(
        aside.energies[0].total_j or 0 for aside in beside
    )
    assert 7 == (point.cost.spending.total_usd or 0) + sum(
        aside.cost.total_usd or 0 for aside in beside
    )


def test_what_is_not_known_of_some_is_counted(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        make_trial("a", None, ending=Ending.INFRA, energy_j=5.0),
        make_trial("b", None, ending=Ending.INFRA, cost_usd=1.0),
    )
    (found,) = asides(tallies(run))
    assert str(found) == (
        "≥ 5.00 J (1 unknown) (host, gross) and ≥ $1.00 (1 unknown) of 2 attempts that broke for"
        " reasons of ours"
    )


def test_attempts_that_used_nothing_known_are_not_told(
    make_trial: Make, make_run: MakeRun
) -> None:
    assert () == asides(tallies(make_run(make_trial("a", None, ending=Ending.INFRA))))


def test_lists_hold_an_attempt_that_was_made_again_as_such(
    make_trial: Make, make_run: MakeRun
) -> None:
    stopped = make_trial("a", None, ending=Ending.INTERRUPTED, energy_j=48.4)
    run = evolve(make_run(make_trial("a", energy_j=1.0)), again=(stopped,))
    assert [("attempted", 1.0), ("again", 48.4)] == [
        (line.counted, line.energy_j) for line in lines(run)
    ]
