from collections.abc import Callable

import pytest
from attrs import evolve
from fairtrial.api.attempt import Ending
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.usage import CostSource, Usage
from fairtrial.figures.frontier import Frontier, Point, frontier, joule_whys, seed_of

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def energy(joules: float | None, **fields: object) -> tuple[Energy, ...]:
    values: dict[str, object] = {"boundary": Boundary.HOST, "label": Label.HARDWARE_SHUNT}
    return (Energy(joules=joules, **(values | fields)),)  # type: ignore[arg-type]  # a test's own fields


def only(found: Frontier) -> Point:
    (point,) = found.points
    return point


def test_energies_10_20_30_with_two_resolved_are_30_joules_each(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, energy_j=10.0),
        make_trial("b", False, energy_j=20.0),
        make_trial("c", True, energy_j=30.0),
    )
    point = only(frontier(run))
    assert point.resolution == pytest.approx(2 / 3)
    assert point.energies[0].joules.per_resolved_j == 30
    assert point.energies[0].joules.total_j == 60


def test_vector_18_with_two_of_three_resolved_is_3000_joules(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        *(
            make_trial(str(i), resolved, energy_j=1000.0 * (i + 1))
            for i, resolved in enumerate((True, False, True))
        )
    )
    assert only(frontier(run)).energies[0].joules.per_resolved_j == 3000


def test_vector_18_with_none_resolved_is_null_with_a_lower_bound(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(*(make_trial(str(i), False, energy_j=3000.0) for i in range(3)))
    point = only(frontier(run)).energies[0]
    assert point.joules.per_resolved_j is None
    assert point.joules.total_j == 9000
    assert point.joules.lower_bound_j == pytest.approx(4749.9, abs=0.05)
    assert point.interval is None


def test_vector_19_stands_in_the_frontier_with_the_run_s_own_seed(
    make_trial: Make, make_run: MakeRun
) -> None:
    energies = (900, 1200, 800, 4000, 1500, 1100, 950, 2200, 1300, 1050)
    resolved = (1, 1, 0, 0, 1, 1, 1, 0, 1, 0)
    trials = [
        make_trial(str(i), bool(good), energy_j=float(joules))
        for i, (good, joules) in enumerate(zip(resolved, energies, strict=True))
    ]
    point = only(frontier(make_run(*trials, config={"run": {"seed": 7}}))).energies[0]
    assert point.joules.per_resolved_j == 2500
    assert point.interval is not None
    assert (point.interval.low, point.interval.high) == (1306.25, 6300.0)


def test_walls_1_2_10_4_have_the_median_3(make_trial: Make, make_run: MakeRun) -> None:
    walls = {"a": 1.0, "b": 2.0, "c": 10.0, "d": 4.0}
    run = make_run(*(make_trial(task, wall_s=wall) for task, wall in walls.items()))
    assert only(frontier(run)).median_wall_s == 3


def solver_of(
    make_trial: Make, name: str, resolved: int, energy_j: float, **fields: object
) -> list[Trial]:
    return [
        make_trial(f"t{i}", i < resolved, solver=name, energy_j=energy_j * resolved / 10, **fields)
        for i in range(10)
    ]


def fronts(run: RunRecord) -> dict[str, bool | None]:
    return {point.solver: point.energies[0].on_front for point in frontier(run).points}


def test_of_100_percent_at_50_80_at_20_and_80_at_40_joules_the_third_is_dominated(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        *solver_of(make_trial, "a", 10, 50),
        *solver_of(make_trial, "b", 8, 20),
        *solver_of(make_trial, "c", 8, 40),
    )
    assert fronts(run) == {"a": True, "b": True, "c": False}


def test_a_solver_that_resolved_nothing_counts_as_infinitely_dear(
    make_trial: Make, make_run: MakeRun
) -> None:
    nothing = [make_trial(f"t{i}", False, solver="b", energy_j=1.0) for i in range(10)]
    run = make_run(*solver_of(make_trial, "a", 1, 50), *nothing)
    assert fronts(run) == {"a": True, "b": False}


def test_a_solver_that_resolved_nothing_is_on_no_front_though_it_is_alone(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("a", False, energy_j=1.0, cost_usd=1.0))
    point = only(frontier(run))
    assert (False, False) == (point.energies[0].on_front, point.cost.on_front)


def test_control_arms_are_shown_but_do_not_compete(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        *solver_of(make_trial, "reference", 10, 0.01), *solver_of(make_trial, "a", 5, 50)
    )
    assert fronts(run) == {"reference": None, "a": True}


def test_unreliable_joules_are_shown_but_neither_dominate_nor_rank(
    make_trial: Make, make_run: MakeRun
) -> None:
    quick = [
        make_trial(f"t{i}", True, solver="b", energy=energy(0.1, reliable=False, why="floor"))
        for i in range(10)
    ]
    run = make_run(*solver_of(make_trial, "a", 5, 50), *quick)
    assert fronts(run) == {"a": True, "b": None}
    figure = frontier(run).points[1].energies[0].joules
    assert figure.per_resolved_j == pytest.approx(0.1)
    assert not figure.reliable
    assert figure.whys == ("floor",)


def test_what_several_trials_say_of_their_joules_is_told_once(
    make_trial: Make, make_run: MakeRun
) -> None:
    said = ("no memory; too short", "no memory", "no memory; others were busy")
    trials = [make_trial(f"t{i}", True, energy=energy(1.0, why=why)) for i, why in enumerate(said)]
    point = only(frontier(make_run(*trials)))
    assert ("no memory", "too short", "others were busy") == joule_whys(point)


def test_solvers_of_different_boundary_or_label_are_never_ranked_together(
    make_trial: Make, make_run: MakeRun
) -> None:
    guess = [
        make_trial(f"t{i}", True, solver="b", energy=energy(1.0, label=Label.ESTIMATOR))
        for i in range(10)
    ]
    found = frontier(make_run(*solver_of(make_trial, "a", 5, 50), *guess))
    assert found.mixed
    assert [point.energies[0].on_front for point in found.points] == [True, True]
    assert {str(group): who for group, who in found.groups.items()} == {
        "host, measured-hardware-shunt, gross": ("a",),
        "host, estimator, gross": ("b",),
    }


def test_a_sum_takes_the_label_of_its_weakest_part(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(
        make_trial("a", energy=energy(1.0)),
        make_trial("b", energy=energy(1.0, label=Label.ESTIMATOR)),
    )
    assert only(frontier(run)).energies[0].joules.group.label is Label.ESTIMATOR


def test_local_and_remote_joules_stand_side_by_side(make_trial: Make, make_run: MakeRun) -> None:
    both = (*energy(5.0), *energy(700.0, boundary=Boundary.REMOTE, label=Label.ESTIMATOR))
    point = only(frontier(make_run(make_trial("a", energy=both))))
    assert [part.joules.total_j for part in point.energies] == [5, 700]


def test_joules_of_which_some_are_unknown_are_partial_over_the_known_trials(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, energy_j=10.0),
        make_trial("b", True, energy=energy(None, why="counter-reset")),
        make_trial("c", True),
    )
    point = only(frontier(run)).energies[0]
    assert point.joules.partial
    assert (point.joules.known, point.joules.unknown) == (1, 2)
    assert point.joules.per_resolved_j == 10
    assert (point.joules.total_j, point.interval, point.on_front) == (None, None, None)


def test_a_batch_s_total_covers_its_trials_and_has_no_interval(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", True, energy=energy(90.0, granularity="batch")),
        make_trial("b", True, energy=energy(None, granularity="batch")),
        make_trial("c", True, energy=energy(None, granularity="batch")),
    )
    point = only(frontier(run)).energies[0]
    assert (point.joules.total_j, point.joules.per_resolved_j) == (90, 30)
    assert point.joules.group.granularity == "batch"
    assert point.interval is None


def test_nothing_metered_is_no_figure_and_never_zero(make_trial: Make, make_run: MakeRun) -> None:
    point = only(frontier(make_run(make_trial())))
    assert point.energies == ()
    assert point.cost.spending.known_usd is None
    assert point.cost.per_resolved_usd is None


def test_dollars_that_are_partly_unknown_are_neither_divided_nor_ranked(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(make_trial("a", cost_usd=1.0), make_trial("b"))
    cost = only(frontier(run)).cost
    assert (cost.spending.known_usd, cost.spending.unknown) == (1.0, 1)
    assert (cost.spending.total_usd, cost.per_resolved_usd, cost.on_front) == (None, None, None)


def test_metered_dollars_are_shown_and_told_ones_stand_beside(
    make_trial: Make, make_run: MakeRun
) -> None:
    metered = (Usage(cost_usd=0.9, cost_source=CostSource.METERED),)
    cost = only(frontier(make_run(make_trial("a", cost_usd=0.5, metered=metered)))).cost
    assert cost.spending.total_usd == 0.9
    assert (cost.spending.metered_usd, cost.spending.reported_usd) == (0.9, 0.5)
    assert cost.spending.source is CostSource.METERED


def test_dollars_without_a_success_have_a_lower_bound(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(*(make_trial(str(i), False, cost_usd=3000.0) for i in range(3)))
    cost = only(frontier(run)).cost
    assert cost.per_resolved_usd is None
    assert cost.lower_bound_usd == pytest.approx(4749.9, abs=0.05)


def test_rollouts_that_all_fail_bound_a_resolved_task_no_better_than_one_a_task(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [
        make_trial(str(task), False, energy_j=1500.0, cost_usd=1500.0, rollout=rollout)
        for task in range(3)
        for rollout in (1, 2)
    ]
    point = only(frontier(make_run(*trials)))
    joules = point.energies[0].joules
    # 9,000 of six attempts; the chance of resolving is at most that of three failures in three.
    assert (6, 3) == (joules.known, joules.tasks)
    assert joules.lower_bound_j == pytest.approx(2374.9, abs=0.05)
    assert point.cost.lower_bound_usd == pytest.approx(2374.9, abs=0.05)


def test_tasks_of_which_no_joules_may_be_known_are_not_counted_on_for_a_bound(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [make_trial(str(task), False, energy_j=3000.0) for task in range(3)]
    trials.append(make_trial("3", False, energy=energy(None)))
    joules = only(frontier(make_run(*trials))).energies[0].joules
    assert joules.lower_bound_j == pytest.approx(4749.9, abs=0.05)


def infra_run(make_trial: Make, make_run: MakeRun, broken: int) -> RunRecord:
    return make_run(
        *(
            make_trial(
                f"t{i}", i >= broken, ending=Ending.INFRA if i < broken else Ending.FINISHED
            )
            for i in range(20)
        )
    )


def test_a_headline_is_refused_above_the_share_of_broken_trials(
    make_trial: Make, make_run: MakeRun
) -> None:
    point = only(frontier(infra_run(make_trial, make_run, 3)))
    assert point.resolution is None
    assert point.interval is None
    assert not point.competes
    assert point.refusal == (
        "3 of 20 trials (15%) broke for reasons that are not the agent's; above 10% no headline"
        " is given"
    )


def test_at_the_share_itself_the_headline_stands(make_trial: Make, make_run: MakeRun) -> None:
    point = only(frontier(infra_run(make_trial, make_run, 2)))
    assert point.resolution == 0.9
    assert point.refusal == ""


def test_several_rollouts_widen_the_interval_by_how_alike_they_are(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [make_trial(f"t{i}", i < 5, rollout=k) for i in range(10) for k in (1, 2, 3)]
    interval = only(frontier(make_run(*trials))).interval
    assert interval is not None
    assert interval.method == "wilson-clustered"
    assert interval.low == pytest.approx(0.2366, abs=1e-3)


def test_an_empty_run_has_an_empty_frontier(make_run: MakeRun) -> None:
    assert frontier(make_run()).points == ()


def test_a_run_without_a_sound_task_has_no_resolution(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial())
    run = evolve(run, tasks=(evolve(run.tasks[0], invalid="passes before"),))
    point = only(frontier(run))
    assert (point.resolution, point.interval, point.counts.planned) == (None, None, 0)


def test_the_seed_is_the_config_s_or_the_default(make_run: MakeRun) -> None:
    assert seed_of(make_run(config={"run": {"seed": 5}})) == 5
    assert seed_of(make_run(config={"run": "x"})) == seed_of(make_run()) == 20260101
