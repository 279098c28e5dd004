from collections.abc import Callable

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Selection, Trial
from fairtrial.figures.compare import compare_runs
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.frontier import frontier
from fairtrial.figures.rollouts import curves
from fairtrial.figures.selections import selections

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]

WHOLE, PART = ("dram0", "pkg0"), ("pkg0",)
DOUBT = "the attempts cover different parts of the machine: dram0 and pkg0, or pkg0"


def energy(*coverage: str) -> tuple[Energy, ...]:
    return (
        Energy(joules=9.0, boundary=Boundary.HOST, label=Label.MODEL_BASED, coverage=coverage),
    )


def test_a_sum_of_attempts_that_cover_the_same_may_be_ranked(make_trial: Make) -> None:
    (found,) = joules_by_boundary([make_trial(name, energy=energy(*WHOLE)) for name in "ab"])
    assert (WHOLE, True, "") == (found.coverage, found.reliable, found.doubt)


def test_a_sum_of_attempts_that_cover_different_parts_is_shown_and_not_ranked(
    make_trial: Make, make_run: MakeRun
) -> None:
    trials = [make_trial("a", energy=energy(*WHOLE)), make_trial("b", energy=energy(*PART))]
    (found,) = joules_by_boundary(trials)
    assert (18, WHOLE, False) == (found.known_j, found.coverage, found.reliable)
    assert (DOUBT, (DOUBT,)) == (found.doubt, found.whys)
    assert frontier(make_run(*trials)).points[0].energies[0].on_front is None


def test_what_does_not_say_what_it_covers_is_no_other_part(make_trial: Make) -> None:
    trials = [make_trial("a", energy=energy(*WHOLE)), make_trial("b", energy=energy())]
    (found,) = joules_by_boundary(trials)
    assert (WHOLE, True) == (found.coverage, found.reliable)


def unlike(make_trial: Make, make_run: MakeRun) -> RunRecord:
    return make_run(
        *(make_trial(name, solver="whole", energy=energy(*WHOLE)) for name in "ab"),
        *(make_trial(name, solver="part", energy=energy(*PART)) for name in "ab"),
        selections=tuple(
            Selection(selector="s", solver=name, picks=()) for name in ("whole", "part")
        ),
    )


def test_solvers_whose_joules_cover_different_parts_are_not_ranked_together(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = frontier(unlike(make_trial, make_run))
    assert {
        "host, measured-model-based, gross, of dram0 and pkg0": ("whole",),
        "host, measured-model-based, gross, of pkg0": ("part",),
    } == {str(group): solvers for group, solvers in found.groups.items()}
    assert [True, True] == [point.energies[0].on_front for point in found.points]


def test_selections_whose_joules_cover_different_parts_are_told_apart(
    make_trial: Make, make_run: MakeRun
) -> None:
    found = selections(unlike(make_trial, make_run))
    assert [WHOLE, PART] == [point.energies[0].group.parts for point in found]


def test_parts_are_not_named_where_all_cover_the_same(make_trial: Make, make_run: MakeRun) -> None:
    found = frontier(make_run(make_trial("a", energy=energy(*WHOLE))))
    assert ["host, measured-model-based, gross"] == [str(group) for group in found.groups]


def why_not(make_run: MakeRun, before: list[Trial], after: list[Trial]) -> str:
    (found,) = compare_runs(make_run(*before), make_run(*after), resamples=200).solvers
    assert found.differences[-1].value is None
    return found.differences[-1].why


def test_joules_that_cover_different_parts_are_not_compared(
    make_trial: Make, make_run: MakeRun
) -> None:
    before = [make_trial(name, energy=energy(*WHOLE)) for name in "ab"]
    after = [make_trial(name, energy=energy(*PART)) for name in "ab"]
    assert "joules are of dram0 and pkg0 before and of pkg0 after" == why_not(
        make_run, before, after
    )
    mixed = [before[0], after[1]]
    assert f"{DOUBT} (~)" == why_not(make_run, before, mixed)


def test_best_of_k_tells_solvers_that_cover_different_parts_apart(
    make_trial: Make, make_run: MakeRun
) -> None:
    covers = {"x": WHOLE, "y": PART}
    trials = [
        make_trial("a", solver=solver, rollout=rollout, energy=energy(*parts))
        for solver, parts in covers.items()
        for rollout in (1, 2)
    ]
    found = curves(make_run(*trials, solvers=("x", "y"), rollouts=2))
    assert {solver: [parts] * 2 for solver, parts in covers.items()} == {
        curve.solver: [point.energies[0].group.parts for point in curve.points] for curve in found
    }
