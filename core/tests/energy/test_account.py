import pytest
from fairtrial.api import Boundary, Label
from fairtrial.energy.account import Account
from fairtrial.energy.reasons import REASONS


def account(**parts: object) -> Account:
    return Account(
        boundary=Boundary.HOST, label=Label.HARDWARE_SHUNT, **{"gross_uj": 5_000_000, **parts}
    )


@pytest.mark.parametrize(
    "flag",
    [
        "below-floor",
        "foreign-cpu",
        "mirror-unproven",
        "shared-counter",
        "slow-read",
        "wrap-ambiguous",
    ],
)
def test_a_doubtful_figure_is_shown_and_not_ranked(flag: str) -> None:
    energy = account(flags=("wrapped", flag)).energy()

    assert (5.0, False) == (energy.joules, energy.reliable)
    assert REASONS[flag]


@pytest.mark.parametrize(
    "flag", ["wrapped", "mirrored-zone", "psys-below-package", "dip-dropped", "clipped"]
)
def test_what_was_put_right_may_be_ranked(flag: str) -> None:
    assert account(flags=(flag,)).energy().reliable


def test_a_figure_that_is_not_known_is_not_reliable_and_not_zero() -> None:
    energy = account(gross_uj=None, flags=("counter-reset",)).energy()

    assert (None, None, False) == (energy.joules, energy.gross_j, energy.reliable)
