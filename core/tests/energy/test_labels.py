import pytest
from fairtrial.api import Boundary, Label
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
