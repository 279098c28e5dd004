"""`fairtrial energy footprint`."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from attrs import evolve
from fairtrial import serial
from fairtrial.api import Boundary, Ending, Energy, Label, PlannedTask, RunRecord, Trial
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import write_plan

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def metered(tmp_path: Path) -> Path:
    """A run of one attempt that used a kilowatt hour here, and as much elsewhere."""
    energy = tuple(
        Energy(joules=3.6e6, boundary=boundary, label=Label.ESTIMATOR, meter="m")
        for boundary in (Boundary.WALL, Boundary.REMOTE)
    )
    trial = Trial(
        task="t", digest="0", family="f", solver="x", ending=Ending.FINISHED, energy=energy
    )
    task = PlannedTask(id="t", digest="0", family="f")
    directory = RunDirectory(tmp_path / "metered")
    directory.path.mkdir()
    write_plan(directory, RunRecord(label="l", suite="s", solvers=("x", "y"), tasks=(task,)))
    directory.journal.write_text(serial.dumps(trial) + "\n")
    return directory.path


def test_a_footprint_is_of_what_was_used_here_alone(run: Run, metered: Path) -> None:
    asked = ("--usd-per-kwh", "0.15", "--g-per-kwh", "369.47", "--basis", "location")
    said = run("energy", "footprint", str(metered), *asked, "--year", "2024", "--pue", "1.5")

    assert 0 == said.returncode, said.stderr
    rows = [line for line in said.stdout.splitlines() if line.startswith("| x")]
    assert 1 == len(rows)
    assert ["x", "wall", "estimator", "gross", "3,600,000", "1", "0.15", "554.2"] == [
        part.strip() for part in rows[0].strip("|").split("|")
    ]
    assert "369.47 g/kWh (location-based, 2024), times 1.5" in said.stdout


def test_a_footprint_holds_idle_for_all_where_it_does_for_one(run: Run, metered: Path) -> None:
    net = Energy(
        joules=1.0e6, gross_j=3.6e6, idle_j=2.6e6, boundary=Boundary.WALL, label=Label.ESTIMATOR
    )
    trial = Trial(
        task="t", digest="0", family="f", solver="y", ending=Ending.FINISHED, energy=(net,)
    )
    journal = metered / "trials.jsonl"

    def shown() -> list[tuple[str, str, float]]:
        rows = json.loads(run("energy", "footprint", str(metered), "--json").stdout)["footprint"]
        return [(row["solver"], row["basis"], row["energy_j"]) for row in rows]

    with journal.open("a") as file:
        file.write(serial.dumps(trial) + "\n")
    assert [("x", "gross", 3.6e6), ("y", "gross", 3.6e6)] == shown()
    journal.write_text(serial.dumps(trial) + "\n")
    assert [("y", "net", 1.0e6)] == shown()


def test_a_footprint_of_joules_in_doubt_is_in_doubt_too(run: Run, metered: Path) -> None:
    journal = metered / "trials.jsonl"
    trial = serial.loads(Trial, journal.read_text())
    journal.write_text(
        serial.dumps(evolve(trial, energy=(evolve(trial.energy[0], reliable=False),))) + "\n"
    )
    asked = ("energy", "footprint", str(metered), "--usd-per-kwh", "0.15")

    said = run(*asked).stdout
    assert re.search(r"\| +~3,600,000 +\| +~1 +\| +~0.15 +\| +– +\|", said), said
    assert "`~`: joules in doubt; the run's report says why." in said
    (row,) = json.loads(run(*asked, "--json").stdout)["footprint"]
    assert (False, "trial") == (row["reliable"], row["granularity"])


def test_a_footprint_tells_programs_by_what_it_was_reckoned(run: Run, metered: Path) -> None:
    asked = ("--usd-per-kwh", "0.15", "--g-per-kwh", "369.47", "--basis", "location")
    said = run("energy", "footprint", str(metered), *asked, "--year", "2024", "--json")

    found = json.loads(said.stdout)
    factor = {"g_per_kwh": 369.47, "basis": "location", "year": 2024, "pue": 1.0}
    assert (0.15, factor) == (found["usd_per_kwh"], found["factor"])


def test_what_belongs_to_grams_alone_is_refused_without_them(run: Run, metered: Path) -> None:
    said = run("energy", "footprint", str(metered), "--usd-per-kwh", "0.15", "--pue", "2")

    assert 2 == said.returncode
    assert "--pue 2.0 says nothing without --g-per-kwh" in said.stderr


def test_a_footprint_without_a_price_has_none(run: Run, metered: Path) -> None:
    said = json.loads(run("energy", "footprint", str(metered), "--json").stdout)

    (row,) = said["footprint"]
    assert (1.0, None, None) == (row["energy_kwh"], row["electricity_usd"], row["co2e_g"])
    assert said["factor"] is None


def test_grams_without_their_basis_and_year_are_refused(run: Run, metered: Path) -> None:
    said = run("energy", "footprint", str(metered), "--g-per-kwh", "400", "--basis", "guess")

    assert 2 == said.returncode
    assert "--g-per-kwh 400 says nothing without its basis and its year" in said.stderr
    assert "guess" in said.stderr
