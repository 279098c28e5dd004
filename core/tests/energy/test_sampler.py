import pytest
from fairtrial.energy.sampler import period_s


def test_the_keepalive_is_ten_seconds_unless_a_counter_could_wrap_before(counter) -> None:
    small = counter(modulus=65_532_610_987, max_watts=5000.0)

    assert [10.0, pytest.approx(6.55, abs=0.01)] == [period_s([counter()]), period_s([small])]


def test_a_counter_of_power_sets_the_pace_only_where_it_is_alone(counter) -> None:
    power = counter("gpu0/power", is_power=True, update_s=0.1, atoms=frozenset({"gpu0"}))

    assert [0.2, 10.0] == [period_s([power]), period_s([power, counter("gpu0")])]
