"""Estimates that take other things for granted are kept apart, like other kinds of joules."""

from collections.abc import Callable

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.compare import compare_runs
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.frontier import frontier

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def at(watts: int, boundary: Boundary = Boundary.HOST) -> tuple[Energy, ...]:
    sensor = f"tdp-model, {watts} W"
    return (Energy(joules=float(watts), boundary=boundary, label=Label.ESTIMATOR, sensor=sensor),)


def test_a_sum_of_different_estimates_is_in_doubt(make_trial: Make) -> None:
    alike = [make_trial(name, energy=at(15)) for name in "ab"]

    (same,) = joules_by_boundary(alike)
    (mixed,) = joules_by_boundary([*alike, make_trial("c", energy=at(30))])

    assert (True, ("tdp-model, 15 W",)) == (same.reliable, same.methods)
    told = "the attempts' joules were estimated differently: tdp-model, 15 W, or tdp-model, 30 W"
    assert (False, told) == (mixed.reliable, mixed.doubt)


def test_the_order_of_attempts_makes_no_other_kind(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        *(make_trial(str(watts), True, solver="cheap", energy=at(watts)) for watts in (15, 30)),
        *(
            make_trial(str(45 - watts), True, solver="dear", energy=at(watts))
            for watts in (30, 15)
        ),
    )
    found = frontier(run)

    assert ["host, estimator, gross"] == [str(group) for group in found.groups]


def test_what_was_counted_goes_with_shares_of_it_and_not_with_a_guess(make_trial: Make) -> None:
    def one(label: Label, sensor: str) -> Trial:
        parts = Energy(joules=1.0, boundary=Boundary.HOST, label=label, sensor=sensor)
        return make_trial("a", energy=(parts,))

    alone, share, guess = (
        one(Label.MODEL_BASED, "smu-model"),
        one(Label.ESTIMATOR, "cpu-share"),
        one(Label.ESTIMATOR, "tdp-model, 15 W"),
    )
    (shares,) = joules_by_boundary([alone, share])
    (mixed,) = joules_by_boundary([alone, guess])

    assert (True, ("cpu-share",)) == (shares.reliable, shares.methods)
    assert (False, ("smu-model", "tdp-model, 15 W")) == (mixed.reliable, mixed.methods)


def test_methods_of_remote_inference_are_told_by_their_meter(make_trial: Make) -> None:
    (found,) = joules_by_boundary([make_trial("a", energy=at(15, Boundary.REMOTE))])

    assert () == found.methods


def test_solvers_that_were_estimated_differently_are_not_ranked(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, solver="cheap", energy=at(15)),
        make_trial("a", True, solver="dear", energy=at(30)),
    )
    found = frontier(run)

    assert [True, True] == [point.energies[0].on_front for point in found.points]
    assert [
        "host, estimator, gross, by tdp-model, 15 W",
        "host, estimator, gross, by tdp-model, 30 W",
    ] == [str(group) for group in found.groups]


def test_runs_that_were_estimated_differently_are_not_compared(
    make_trial: Make, make_run: MakeRun
) -> None:
    before, after = (
        make_run(*(make_trial(name, True, energy=at(watts)) for name in "ab"))
        for watts in (15, 30)
    )

    (found,) = compare_runs(before, after, resamples=200).solvers

    why = "joules are estimated by tdp-model, 15 W before and by tdp-model, 30 W after"
    assert (None, why) == (found.differences[-1].value, found.differences[-1].why)
