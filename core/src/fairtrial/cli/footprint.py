"""`fairtrial energy footprint`: a run's own joules as electricity, its price and its carbon."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import asdict, frozen

from fairtrial.cli.numbers import amount
from fairtrial.cli.options import JsonFlag
from fairtrial.cli.streams import emit

if TYPE_CHECKING:
    from fairtrial.api import RunRecord
    from fairtrial.energy.carbon import Grid

HEADINGS = ("Solver", "Boundary", "Label", "Basis", "J", "kWh", "Electricity $", "CO2e g")


@frozen(kw_only=True)
class Row:
    """
    One solver's joules at one boundary, and what they come to; None for what is not known.

    Attributes:
        solver: Its name.
        boundary: What the joules include.
        label: How they were come by.
        basis: `net` or `gross`.
        granularity: `trial`, or `batch` where they are known for a whole batch only.
        reliable: Whether there is no doubt about them; shown with `~` where there is.
        energy_j: The sum.
        energy_kwh: The same.
        electricity_usd: Its price.
        co2e_g: Its carbon.
    """

    solver: str
    boundary: str
    label: str
    basis: str | None
    granularity: str
    reliable: bool
    energy_j: float | None
    energy_kwh: float | None
    electricity_usd: float | None
    co2e_g: float | None


def footprint(  # noqa: PLR0913, PLR0917 - each is an option
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's directory, or its label.")],
    usd_per_kwh: Annotated[
        float | None,
        typer.Option(
            "--usd-per-kwh",
            parser=amount("--usd-per-kwh"),
            metavar="$",
            help="What a kilowatt hour costs.",
        ),
    ] = None,
    g_per_kwh: Annotated[
        float | None,
        typer.Option(
            "--g-per-kwh",
            parser=amount("--g-per-kwh"),
            metavar="G",
            help="Grams of CO2e of one; needs the next two.",
        ),
    ] = None,
    basis: Annotated[
        str | None,
        typer.Option("--basis", metavar="B", help="What these grams are: location or market."),
    ] = None,
    year: Annotated[
        int | None, typer.Option("--year", metavar="Y", help="The year that they are for.")
    ] = None,
    pue: Annotated[
        float,
        typer.Option(
            "--pue",
            parser=amount("--pue", least=1.0),
            metavar="X",
            help="What the building adds to the grams.",
        ),
    ] = 1.0,
    as_json: JsonFlag = False,
) -> None:
    """
    Show what a run's joules are in kilowatt hours, dollars and grams of CO2.

    Only what was used here counts: a model's price already holds its provider's electricity, so
    the estimate for a remote model is left out, and these dollars are never added to others.
    """
    from fairtrial.cli.places import find_run
    from fairtrial.engine.journal import read_run

    grid = _grid(g_per_kwh, basis, year, pue)
    rows = _rows(read_run(find_run(run)), grid, usd_per_kwh)
    if as_json:
        said = {
            "footprint": list(map(asdict, rows)),
            "usd_per_kwh": usd_per_kwh,
            "factor": None if grid is None else asdict(grid),
        }
        emit(json.dumps(said, indent=2) + "\n")
    else:
        emit(_page(rows, grid))


def _rows(record: "RunRecord", grid: "Grid | None", usd_per_kwh: float | None) -> list[Row]:
    from fairtrial.api import Boundary
    from fairtrial.energy.carbon import carbon_g, electricity_usd, kwh
    from fairtrial.figures.basis import gross_at, metered
    from fairtrial.figures.energies import joules_by_boundary
    from fairtrial.figures.tally import tallies

    rows: list[Row] = []
    counted = tallies(record)
    # Rows stand beside one another: all are with idle where any can't be without it.
    gross = gross_at(*(metered(tally.attempted) for tally in counted))
    for tally in counted:
        for part in joules_by_boundary(tally.attempted, tally.outcomes, gross=gross):
            if part.group.boundary is Boundary.REMOTE:
                continue
            total_j = part.total_j
            rows.append(
                Row(
                    solver=tally.solver,
                    boundary=part.group.boundary.value,
                    label=part.group.label.value,
                    basis=None if part.group.basis is None else part.group.basis.value,
                    granularity=part.group.granularity,
                    reliable=part.reliable,
                    energy_j=total_j,
                    energy_kwh=None if total_j is None else kwh(total_j),
                    electricity_usd=None
                    if usd_per_kwh is None
                    else electricity_usd(total_j, usd_per_kwh),
                    co2e_g=None if grid is None else carbon_g(total_j, grid),
                )
            )
    return rows


def _grid(
    g_per_kwh: float | None, basis: str | None, year: int | None, pue: float
) -> "Grid | None":
    from fairtrial.api.errors import ConfigError
    from fairtrial.energy.carbon import Grid

    if g_per_kwh is None:
        idle = {"--basis": basis, "--year": year, "--pue": None if pue == 1.0 else pue}
        given = [f"{name} {value}" for name, value in idle.items() if value is not None]
        if given:
            raise ConfigError(
                problem=f"{' '.join(given)} says nothing without --g-per-kwh",
                way_on="add --g-per-kwh with the grams of CO2e of a kilowatt hour",
            )
        return None
    if basis not in ("location", "market") or year is None or year <= 0:
        raise ConfigError(
            problem=f"--g-per-kwh {g_per_kwh:g} says nothing without its basis and its year",
            facts=(("--basis", basis or "not given"), ("--year", str(year or "not given"))),
            way_on="add --basis location (or market) and --year, as the factor's source tells them",
        )
    return Grid(g_per_kwh=g_per_kwh, basis=basis, year=year, pue=pue)


def _page(rows: list[Row], grid: "Grid | None") -> str:
    from fairtrial.figures.markdown import cell, table
    from fairtrial.figures.rates import DASH

    if not rows:
        return "No joules were metered on this machine.\n"
    shown = [
        (
            cell(row.solver),
            row.boundary,
            row.label,
            row.basis or DASH,
            *_amounts(row),
        )
        for row in rows
    ]
    text = table(HEADINGS, shown, right="llllrrrr")
    if any(row.energy_j is not None and not row.reliable for row in rows):
        text += "\n`~`: joules in doubt; the run's report says why.\n"
    if grid is not None:
        text += (
            f"\nCO2e at {grid.g_per_kwh:g} g/kWh ({grid.basis}-based, {grid.year}),"
            f" times {grid.pue:g} for the building.\n"
        )
    return text


def _amounts(row: Row) -> list[str]:
    """Returns joules and what they come to, marked where they are in doubt."""
    from fairtrial.figures.rates import DASH, joules

    mark = "" if row.reliable else "~"
    return [
        DASH if row.energy_j is None else f"{mark}{joules(row.energy_j)}",
        *(
            DASH if amount is None else f"{mark}{amount:.4g}"
            for amount in (row.energy_kwh, row.electricity_usd, row.co2e_g)
        ),
    ]
