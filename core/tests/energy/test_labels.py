import pytest
from fairtrial.api import Boundary, Label
from fairtrial.energy.gross import gross
from fairtrial.energy.labels import admitted, granted, weakest


def test_a_sum_takes_its_weakest_label() -> None:
    assert Label.ESTIMATOR is weakest([Label.HARDWARE_SHUNT, Label.ESTIMATOR, Label.MODEL_BASED])
    assert Label.UNAVAILABLE is weakest([])


def test_a_remote_figure_that_claims_to_be_measured_is_an_estimate(counter) -> None:
    liar = counter(boundary=Boundary.REMOTE, label=Label.HARDWARE_SHUNT)

    assert Label.ESTIMATOR is admitted(liar).label


@pytest.mark.parametrize(
    ("sensor", "label"),
    [
        ("vr-telemetry", Label.HARDWARE_SHUNT),
        ("smu-model", Label.MODEL_BASED),
        ("tdp-model", Label.ESTIMATOR),
        ("tdp-model, 15 W", Label.ESTIMATOR),
        ("token-model", Label.ESTIMATOR),
        ("crystal-ball", Label.MODEL_BASED),
    ],
)
def test_a_label_is_no_stronger_than_its_sensor(counter, sensor, label) -> None:
    assert label is granted(counter(sensor=sensor))


def test_a_weaker_claim_is_kept(counter) -> None:
    assert Label.ESTIMATOR is granted(counter(label=Label.ESTIMATOR))


def test_a_label_outside_the_closed_set_is_an_estimate(counter) -> None:
    assert Label.ESTIMATOR is granted(counter(label="certified"))


def test_a_counter_that_only_follows_the_clock_is_an_estimate_whatever_it_claims(
    counter, log_of
) -> None:
    instants = [0, 1, 3, 7, 8, 12, 20, 21, 25, 40]
    liar = log_of([counter()], [(at, {"pkg0": at * 15_000_000}) for at in instants])
    honest = log_of([counter()], [(at, {"pkg0": at * 15_000_000 + at * at}) for at in instants])

    told = [gross(log, 0, 9)[0] for log in (liar, honest)]

    assert [Label.ESTIMATOR, Label.HARDWARE_SHUNT] == [figure.label for figure in told]
    assert [("follows-clock",), ()] == [figure.flags for figure in told]
