import pytest
from fairtrial.energy.carbon import Grid, carbon_g, electricity_usd


def test_v22_joules_become_grams_and_dollars() -> None:
    grid = Grid(g_per_kwh=369.47, basis="location", year=2024)

    assert 25.66 == pytest.approx(carbon_g(250_000, grid), abs=0.01)
    assert 0.01042 == pytest.approx(electricity_usd(250_000, 0.15), abs=1e-5)


def test_unknown_joules_have_neither_price_nor_carbon() -> None:
    grid = Grid(g_per_kwh=470, basis="market", year=2024, pue=1.2)

    assert (None, None) == (carbon_g(None, grid), electricity_usd(None, 0.15))


def test_a_factor_needs_its_basis() -> None:
    with pytest.raises(ValueError, match="basis"):
        Grid(g_per_kwh=470, basis="world", year=2024)


def test_what_the_building_adds_is_in_the_carbon() -> None:
    grid = Grid(g_per_kwh=400, basis="market", year=2024, pue=1.5)

    assert 600.0 == carbon_g(3_600_000, grid)
