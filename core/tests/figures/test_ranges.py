from collections.abc import Callable

from fairtrial.api.energy import Energy
from fairtrial.api.reading import Boundary, Label
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.aside import asides
from fairtrial.figures.energies import joules_by_boundary
from fairtrial.figures.groups import range_of
from fairtrial.figures.lines import lines
from fairtrial.figures.tally import tallies

Make = Callable[..., Trial]
MakeRun = Callable[..., RunRecord]


def remote(joules: float | None, low_j: float | None, high_j: float | None) -> tuple[Energy, ...]:
    return (
        Energy(
            joules=joules,
            low_j=low_j,
            high_j=high_j,
            boundary=Boundary.REMOTE,
            label=Label.ESTIMATOR,
        ),
    )


def test_an_estimate_s_range_is_the_sum_of_its_ends(make_trial: Make) -> None:
    estimates = [remote(200.0, 100.0, 400.0), remote(20.0, 10.0, 40.0)]
    (found,) = joules_by_boundary([make_trial(str(i), energy=e) for i, e in enumerate(estimates)])
    assert (220, 110, 440) == (found.known_j, found.low_j, found.high_j)
    assert "remote-inference, estimator" == str(found.group)
    assert " (range 110 to 440)" == range_of(found)


def test_a_range_of_a_part_of_the_estimates_is_none_of_the_sum(make_trial: Make) -> None:
    estimates = [remote(200.0, 100.0, 400.0), remote(20.0, None, None)]
    (found,) = joules_by_boundary([make_trial(str(i), energy=e) for i, e in enumerate(estimates)])
    assert (220, None, None, "") == (found.known_j, found.low_j, found.high_j, range_of(found))


def test_what_is_not_known_has_no_range(make_trial: Make) -> None:
    (found,) = joules_by_boundary([make_trial("a", energy=remote(None, None, None))])
    assert (None, None, "") == (found.low_j, found.high_j, range_of(found))


def test_the_range_of_what_is_in_no_sum_is_told(make_trial: Make, make_run: MakeRun) -> None:
    run = make_run(make_trial("a"), again=(make_trial("a", energy=remote(200.0, 100.0, 400.0)),))
    assert ["200 J (range 100 to 400) (remote-inference) of 1 attempt that was made again"] == [
        str(aside) for aside in asides(tallies(run))
    ]


def test_a_trial_s_line_holds_the_range_of_its_estimate(
    make_trial: Make, make_run: MakeRun
) -> None:
    (line,) = lines(make_run(make_trial("a", energy=remote(200.0, 100.0, 400.0))))
    assert (200, 100, 400) == (
        line.remote_energy_j,
        line.remote_energy_low_j,
        line.remote_energy_high_j,
    )
