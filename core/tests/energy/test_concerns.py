import pytest
from fairtrial.api import Boundary, Label
from fairtrial.energy.account import Account
from fairtrial.energy.concerns import concerns

J = 10**6


def window(gross_j: int, idle_j: int, *flags: str) -> Account:
    return Account(
        boundary=Boundary.HOST,
        label=Label.HARDWARE_SHUNT,
        gross_uj=gross_j * J,
        idle_uj=idle_j * J,
        net_uj=max(0, gross_j - idle_j) * J,
        flags=(*flags, *(("clipped",) if gross_j < idle_j else ())),
    )


@pytest.mark.parametrize(
    ("clipped", "said"), [(1, ()), (2, ("host: 2 of 20 windows are below idle power",))]
)
def test_more_than_one_window_in_twenty_below_idle_is_told(clipped, said) -> None:
    windows = [window(9, 10)] * clipped + [window(100, 10)] * (20 - clipped)

    assert said == concerns(windows)


@pytest.mark.parametrize(
    ("idle_j", "said"), [(95, ()), (96, ("host: idle is 96% of all that was used",))]
)
def test_an_idle_power_of_more_than_95_percent_of_what_was_used_is_told(idle_j, said) -> None:
    assert said == concerns([window(100, idle_j)] * 3)


def test_windows_below_the_floor_say_nothing_of_idle() -> None:
    assert () == concerns([window(9, 10, "below-floor"), window(100, 10)])
