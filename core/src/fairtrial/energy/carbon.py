"""
Joules as electricity: its price and its carbon, for local energy only.

What a provider charges for a model already holds the provider's electricity, so the two are never
added. A factor without its basis and year says nothing, so neither can be left out.
"""

from attrs import field, frozen
from attrs.validators import ge, gt, in_

J_PER_KWH = 3.6e6


@frozen(kw_only=True)
class Grid:
    """
    Where the electricity comes from.

    Attributes:
        g_per_kwh: Grams of CO2 equivalents a kilowatt hour.
        basis: `location` or `market`, which are never mixed.
        year: The year that the factor is for.
        pue: What the building adds; 1 for a desk.
    """

    g_per_kwh: float = field(validator=ge(0))
    basis: str = field(validator=in_(("location", "market")))
    year: int = field(validator=gt(0))
    pue: float = field(default=1.0, validator=ge(1))


def kwh(joules: float) -> float:
    """Returns kilowatt hours."""
    return joules / J_PER_KWH


def carbon_g(joules: float | None, grid: Grid) -> float | None:
    """Returns grams of CO2 equivalents; None where the joules are not known."""
    return None if joules is None else kwh(joules) * grid.g_per_kwh * grid.pue


def electricity_usd(joules: float | None, usd_per_kwh: float) -> float | None:
    """Returns the price of local joules in dollars; None where they are not known."""
    return None if joules is None else kwh(joules) * usd_per_kwh
