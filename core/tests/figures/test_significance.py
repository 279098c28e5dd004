from collections.abc import Callable, Sequence

import pytest
from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.compare import compare_runs
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.frontier import frontier
from fairtrial.figures.groups import Joules
from fairtrial.figures.lines import lines
from fairtrial.figures.rollouts import curves, joules_to_a_success

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]

DOUBT = "net of idle they are not above twice their uncertainty"


def energy(net_j: float, u_j: float | None, **fields: object) -> tuple[Energy, ...]:
    values: dict[str, object] = {
        "joules": net_j,
        "gross_j": net_j + 11,
        "idle_j": 11.0,
        "uncertainty_j": u_j,
        "significant": None if u_j is None else net_j > 2 * u_j,
        "boundary": Boundary.HOST,
        "label": Label.MODEL_BASED,
    }
    return (Energy(**(values | fields)),)  # type: ignore[arg-type]  # a test's own fields


def total(make_trial: Make, *parts: tuple[Energy, ...]) -> Joules:
    trials = [make_trial(str(place), energy=part) for place, part in enumerate(parts)]
    (found,) = joules_by_boundary(trials)
    return found


@pytest.mark.parametrize(
    ("parts", "significant"),
    [
        ([energy(3.0, 0.5)], True),
        ([energy(0.9, 0.5)], False),
        ([energy(0.0, 0.5, flags=("clipped",)), *[energy(0.9, 0.5)] * 19], False),
        # What is wrong with an idle power is wrong in every window: errors don't cancel out.
        ([energy(0.9, 0.5)] * 100, False),
        # A few attempts that used next to nothing don't spoil the sum of the others.
        ([energy(90.0, 5.0), *[energy(0.0, 0.5)] * 9], True),
        ([energy(3.0, None)], None),
        ([energy(0.9, None, significant=False)], False),
        ([energy(0.1, None, significant=False), energy(3.0, None)], None),
    ],
)
def test_net_joules_are_significant_above_twice_their_uncertainty(
    make_trial: Make, parts: Sequence[tuple[Energy, ...]], significant: bool | None
) -> None:
    found = total(make_trial, *parts)
    assert significant is found.significant
    assert found.reliable is (significant is not False)
    assert ("" if found.reliable else DOUBT) == found.doubt


def test_gross_joules_are_not_in_the_noise_of_idle(make_trial: Make) -> None:
    found = total(make_trial, energy(0.1, 0.5), energy(12.0, 0.6, idle_j=None, gross_j=12.0))
    assert (23.1, None, True) == (found.known_j, found.significant, found.reliable)


def test_joules_in_the_noise_of_idle_are_marked_and_neither_dominate_nor_rank(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        *(make_trial(f"t{i}", True, solver="quiet", energy=energy(0.1, 0.5)) for i in range(4)),
        *(make_trial(f"t{i}", i < 3, solver="busy", energy=energy(9.0, 0.5)) for i in range(4)),
    )
    quiet, busy = (point.energies[0] for point in frontier(run).points)
    assert (None, True) == (quiet.on_front, busy.on_front)
    assert (False, (DOUBT,)) == (quiet.joules.reliable, quiet.joules.whys)


def test_joules_in_the_noise_of_idle_are_not_compared(make_trial: Make, make_run: MakeRun) -> None:
    before = make_run(*(make_trial(name, True, energy=energy(0.1, 0.5)) for name in "ab"))
    after = make_run(*(make_trial(name, True, energy=energy(9.0, 0.5)) for name in "ab"))
    (found,) = compare_runs(before, after, resamples=200).solvers
    assert (None, f"{DOUBT} (~)") == (found.differences[-1].value, found.differences[-1].why)


def test_joules_to_a_success_are_marked_in_the_noise_of_idle(
    make_trial: Make, make_run: MakeRun
) -> None:
    (curve,) = curves(make_run(make_trial("a", True, energy=energy(0.9, 0.5))))
    assert ["~0.9 host"] == [joules_to_a_success(point) for point in curve.points]


def test_a_trial_s_line_says_that_such_joules_may_not_be_ranked(
    make_trial: Make, make_run: MakeRun
) -> None:
    run = make_run(
        make_trial("a", energy=energy(0.1, 0.5)), make_trial("b", energy=energy(9.0, 0.5))
    )
    assert [False, True] == [line.energy_reliable for line in lines(run)]
