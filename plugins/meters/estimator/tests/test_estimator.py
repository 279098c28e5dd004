import pytest
from fairtrial.api import ConfigError, Label, Meter
from fairtrial.conformance import MeterConformance
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_estimator import VARIABLE, EstimatorMeter


class TestEstimator(MeterConformance):
    entry_point = "estimator"
    estimates = True

    @pytest.fixture
    def meter(self) -> Meter:
        return EstimatorMeter()


@pytest.fixture
def host(tmp_path) -> FakeHost:
    return FakeHost.below(tmp_path)


def used_j(meter: EstimatorMeter, host: FakeHost, seconds: float) -> float:
    session = meter.open(host)
    (before,) = session.read()
    host.clock.advance(seconds)
    (after,) = session.read()
    return (after.count - before.count) * session.counters[0].microjoules_per_count / 1e6


def test_watts_times_seconds_are_joules(host) -> None:
    assert [600.0, 15.0] == [
        used_j(EstimatorMeter(watts=20), host, 30),
        used_j(EstimatorMeter(), host, 1),
    ]


def test_the_environment_overrides_the_watts(host, monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, "40")

    assert 40.0 == used_j(EstimatorMeter(watts=20), host, 1)


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_variable_is_not_set(host, monkeypatch, text) -> None:
    monkeypatch.setenv(VARIABLE, text)

    assert 20.0 == used_j(EstimatorMeter(watts=20), host, 1)


@pytest.mark.parametrize("text", ["warm", "0", "-5", "nan", "inf", "1e13", "1e-13"])
def test_watts_that_are_no_power_are_refused(host, monkeypatch, text) -> None:
    monkeypatch.setenv(VARIABLE, text)

    with pytest.raises(ConfigError) as caught:
        EstimatorMeter().open(host)

    assert f"FAIRTRIAL_ACTIVE_WATTS is “{text}”, which is not a power in watts" == (
        caught.value.problem
    )
    assert () == EstimatorMeter().probe(host).counters


@pytest.mark.parametrize("watts", [0, -1.0, 1e13])
def test_a_configured_power_must_be_one_that_a_machine_could_draw(watts) -> None:
    with pytest.raises(ValueError, match="watts"):
        EstimatorMeter(watts=watts)


def test_it_is_labelled_an_estimate(host) -> None:
    assert Label.ESTIMATOR is EstimatorMeter().probe(host).counters[0].label
