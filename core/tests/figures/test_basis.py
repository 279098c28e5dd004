from collections.abc import Callable

import pytest
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import Pick, RunRecord, Selection, Trial
from fairtrial.figures.aside import asides
from fairtrial.figures.basis import Basis
from fairtrial.figures.compare import compare_runs
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.frontier import frontier
from fairtrial.figures.groups import Joules
from fairtrial.figures.rollouts import curves, joules_to_a_success
from fairtrial.figures.selections import selections
from fairtrial.figures.tally import tallies

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]

LACKING = "idle is not known of all attempts, so that it is taken off none"


def net(net_j: float = 3.0, idle_j: float = 6.0, **fields: object) -> tuple[Energy, ...]:
    return energy(joules=net_j, gross_j=net_j + idle_j, idle_j=idle_j, **fields)


def gross(gross_j: float = 9.5, **fields: object) -> tuple[Energy, ...]:
    return energy(joules=gross_j, gross_j=gross_j, **fields)


def energy(**fields: object) -> tuple[Energy, ...]:
    values: dict[str, object] = {"boundary": Boundary.HOST, "label": Label.MODEL_BASED}
    return (Energy(**(values | fields)),)  # type: ignore[arg-type]  # a test's own fields


def only(figures: tuple[Joules, ...]) -> Joules:
    (figure,) = figures
    return figure


def test_joules_of_which_all_are_net_are_summed_net(make_trial: Make) -> None:
    found = only(
        joules_by_boundary([make_trial("a", energy=net()), make_trial("b", energy=net())])
    )
    assert (6, Basis.NET, ()) == (found.known_j, found.group.basis, found.whys)
    assert "host, measured-model-based, net" == str(found.group)


def test_joules_of_which_one_is_gross_only_are_summed_gross_and_say_why(make_trial: Make) -> None:
    found = only(
        joules_by_boundary([make_trial("a", energy=net()), make_trial("b", energy=gross())])
    )
    assert (18.5, Basis.GROSS, (LACKING,)) == (found.known_j, found.group.basis, found.whys)
    assert "host, measured-model-based, gross" == str(found.group)


@pytest.mark.parametrize(
    ("parts", "basis", "why"),
    [
        ([net(6.0, 94.0)], Basis.NET, ""),
        ([net(4.0, 96.0)], Basis.GROSS, "nearly all that was used is idle (96%)"),
        ([net(0.0, flags=("clipped",)), *[net()] * 19], Basis.NET, ""),
        (
            [net(0.0, flags=("clipped",)), *[net()] * 18],
            Basis.GROSS,
            "idle was measured too high: 1 of 19 attempts lie below it",
        ),
        # A window below the floor may hold an update less than its length.
        ([net(0.0, flags=("clipped", "below-floor")), net()], Basis.NET, ""),
        ([net(0.0, 96.0, flags=("below-floor",)), net()], Basis.NET, ""),
        # Of nothing there is no share.
        ([energy(joules=0.0, gross_j=0.0, idle_j=1.0)], Basis.NET, ""),
    ],
)
def test_joules_are_gross_where_idle_was_measured_too_high(
    make_trial: Make, parts: list[tuple[Energy, ...]], basis: Basis, why: str
) -> None:
    trials = [make_trial(str(place), energy=part) for place, part in enumerate(parts)]
    found = only(joules_by_boundary(trials))

    told = f"{why}, so that it is taken off none"
    assert (basis, (told,) if why else ()) == (found.group.basis, found.whys)


def test_idle_is_judged_by_all_solvers_together(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        make_trial("a", True, solver="waits", energy=net(1.0, 99.0)),
        make_trial("a", True, solver="works", energy=net(400.0, 100.0)),
    )
    (waits,), (works,) = (point.energies for point in frontier(run).points)

    assert [Basis.NET] * 2 == [each.joules.group.basis for each in (waits, works)]


def test_gross_joules_alone_have_nothing_to_explain(make_trial: Make) -> None:
    found = only(joules_by_boundary([make_trial("a", energy=gross())]))
    assert (9.5, Basis.GROSS, ()) == (found.known_j, found.group.basis, found.whys)


def test_a_net_figure_without_its_gross_one_is_made_gross_by_its_idle_part(
    make_trial: Make,
) -> None:
    lone = energy(joules=3.0, idle_j=6.0)
    trials = [make_trial("a", energy=lone), make_trial("b", energy=gross())]
    assert 18.5 == only(joules_by_boundary(trials)).known_j


def test_a_figure_that_nobody_knows_is_neither_net_nor_gross(make_trial: Make) -> None:
    lost = energy(joules=None, why="the counter began anew")
    trials = [make_trial("a", energy=net()), make_trial("b", energy=lost)]
    assert Basis.NET is only(joules_by_boundary(trials)).group.basis
    unknown = only(joules_by_boundary(trials[1:])).group
    assert (None, "host, unavailable") == (unknown.basis, str(unknown))


def test_each_boundary_is_net_or_gross_by_itself(make_trial: Make) -> None:
    board = gross(7.0, boundary=Boundary.GPU)
    found = joules_by_boundary([make_trial("a", energy=(*net(), *board))])
    assert [Basis.NET, Basis.GROSS] == [figure.group.basis for figure in found]


def test_an_estimate_of_remote_inference_is_neither_net_nor_gross(make_trial: Make) -> None:
    remote = gross(700.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR)
    group = only(joules_by_boundary([make_trial("a", energy=remote)])).group
    assert (None, "remote-inference, estimator") == (group.basis, str(group))


def side_by_side(make_trial: Make, make_run: MakeRun, **fields: object) -> RunRecord:
    return make_run(
        *(make_trial(f"t{i}", i < 8, solver="calibrated", energy=net()) for i in range(10)),
        *(make_trial(f"t{i}", i < 8, solver="late", energy=gross(8.0)) for i in range(10)),
        **fields,
    )


def test_solvers_are_ranked_gross_where_idle_is_known_of_one_alone(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = frontier(side_by_side(make_trial, make_run))
    assert ["host, measured-model-based, gross"] == [str(group) for group in found.groups]
    calibrated, late = (point.energies[0] for point in found.points)
    assert (90, 80) == (calibrated.joules.known_j, late.joules.known_j)
    assert (False, True) == (calibrated.on_front, late.on_front)
    assert ((LACKING,), ()) == (calibrated.joules.whys, late.joules.whys)


def test_the_interval_is_of_gross_joules_where_the_figure_is(
    make_trial: Make, make_run: MakeRun
) -> None:
    point = frontier(side_by_side(make_trial, make_run), resamples=200).points[0].energies[0]
    assert point.interval is not None
    assert point.interval.low is not None
    assert point.interval.low >= 9


def test_two_runs_are_compared_gross_with_a_caution_where_one_was_calibrated(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(*(make_trial(f"t{i}", True, energy=net()) for i in range(5)))
    after = make_run(*(make_trial(f"t{i}", True, energy=gross(9.0)) for i in range(5)))
    (found,) = compare_runs(before, after, resamples=200).solvers
    joules = found.differences[-1]
    assert joules.value == pytest.approx(1)
    assert joules.group is not None
    assert Basis.GROSS is joules.group.basis
    caution = "joules (host) are compared gross, since idle is not known of all attempts"
    assert (caution,) == found.warnings


def test_two_runs_that_are_both_net_are_compared_net_without_a_caution(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(*(make_trial(f"t{i}", True, energy=net()) for i in range(5)))
    after = make_run(*(make_trial(f"t{i}", True, energy=net(6.0)) for i in range(5)))
    (found,) = compare_runs(before, after, resamples=200).solvers
    joules = found.differences[-1]
    assert joules.value == pytest.approx(2)
    assert joules.group is not None
    assert (Basis.NET, ()) == (joules.group.basis, found.warnings)


def test_joules_that_are_not_compared_need_no_caution_of_idle(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = make_run(make_trial("a", energy=net()))
    after = make_run(make_trial("a", energy=gross(label=Label.ESTIMATOR)))
    (found,) = compare_runs(before, after, resamples=200).solvers
    assert (None, ()) == (found.differences[-1].value, found.warnings)


def test_a_best_of_k_curve_is_of_one_kind_although_idle_was_known_at_first(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, energy=net()), make_trial("a", True, rollout=2, energy=gross(9.0))
    )
    (curve,) = curves(run)
    assert [9, 18] == [point.energies[0].known_j for point in curve.points]
    assert {Basis.GROSS} == {point.energies[0].group.basis for point in curve.points}
    assert ["9.00 host", "9.00 host"] == [joules_to_a_success(point) for point in curve.points]


def test_a_task_that_was_not_metered_leaves_no_joules_to_a_success(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        *(make_trial("a", True, rollout=n, energy=net()) for n in (1, 2)),
        *(make_trial("b", True, rollout=n) for n in (1, 2)),
    )
    (curve,) = curves(run)
    assert ["–", "–"] == [joules_to_a_success(point) for point in curve.points]


def test_a_selection_is_of_one_kind_with_its_picking(make_trial: Make, make_run: MakeRun) -> None:
    pick = Pick(task="a", rollout=1, consulted=1, energy=gross(5.0))
    run = make_run(
        make_trial("a", True, energy=net()),
        selections=(Selection(selector="judge", solver="x", picks=(pick,)),),
    )
    (point,) = selections(run)
    figure = only(point.energies)
    assert (14, Basis.GROSS) == (figure.known_j, figure.group.basis)


def test_what_is_in_no_sum_says_whether_it_is_net(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("a"), again=(make_trial("a", energy=net()),))
    assert ["3.00 J (host, net) of 1 attempt that was made again"] == [
        str(aside) for aside in asides(tallies(run))
    ]
