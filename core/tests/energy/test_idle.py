import pytest
from fairtrial.energy.idle import IdlePower, changed, idle_power, net, u_idle_w

QUIET_W = [24.6, 25.1, 24.9, 25.3, 25.1]


def test_v9_idle_is_taken_off_with_its_uncertainty() -> None:
    found = net(1850, 60, 25.0, u_gross_j=0.0126, u_idle=0.4)

    assert 350 == found.joules
    assert 24.0 == pytest.approx(found.uncertainty_j, abs=0.01)
    assert (True, False) == (found.significant, found.clipped)


def test_v9_quiet_windows_make_a_calibration() -> None:
    found = idle_power(QUIET_W)

    assert (25.1, 5, "") == (found.watts, found.windows, found.invalid)
    assert 0.2965 == pytest.approx(found.spread_w, abs=0.001)


def test_v9_restless_windows_make_none() -> None:
    assert (
        "the idle windows differ by 36%, more than 10%" == idle_power([20, 31, 24, 45, 22]).invalid
    )


def test_four_windows_are_too_few() -> None:
    assert "only 4 idle windows, and 5 are needed" == idle_power(QUIET_W[:4]).invalid


def test_v10_a_figure_below_idle_is_clipped_and_not_significant() -> None:
    found = net(1480, 60, 25.0, u_idle=0.4)

    assert (0, True, False) == (found.joules, found.clipped, found.significant)


def test_drift_widens_the_uncertainty_of_idle() -> None:
    before = IdlePower(watts=25, spread_w=0.4, windows=16)
    after = IdlePower(watts=27, spread_w=0.4, windows=16)

    assert 0.1 == u_idle_w(before)
    assert 0.5859 == pytest.approx(u_idle_w(before, after), abs=1e-4)


def test_conditions_that_moved_are_named_and_a_warmer_gpu_only_from_ten_degrees() -> None:
    before = {"governor": "powersave", "gpu0.temperature_c": "40", "gone": "1"}
    after = {"governor": "performance", "gpu0.temperature_c": "49", "new": "2"}

    assert ["governor went from powersave to performance"] == list(changed(before, after))
    assert ["gpu0.temperature_c went from 40 to 51"] == list(
        changed({"gpu0.temperature_c": "40"}, {"gpu0.temperature_c": "51"})
    )


@pytest.mark.parametrize(("gross_j", "significant"), [(1547, False), (1549, True)])
def test_net_joules_are_significant_above_twice_their_uncertainty(gross_j, significant) -> None:
    found = net(gross_j, 60, 25.0, u_idle=0.4)

    assert (24.0, significant) == (found.uncertainty_j, found.significant)
