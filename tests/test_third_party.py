"""What a stranger wrote from docs/writing-a-plugin.md is built, installed and run by a config."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STRANGERS = ROOT / "tests" / "third_party"
NEEDED = ("core", "plugins/suites/folder", "plugins/reporters/json", "plugins/answerers/prefer")
TIMEOUT_S = 300
LEAKING = ("COV", "FAIRTRIAL", "PYTEST", "PYTHON", "VIRTUAL_ENV")

CONFIG = """
[run]
label = "strange"
suite = "small"
solvers = ["reference", "noop", "mender"]
meters = ["uptime"]
answerer = "prefer"
reporters = ["tally"]

[suites.small]
plugin = "folder"
path = "tasks"

[solvers.mender]
plugin = "substitute"
replacements = { "first - second" = "first + second" }

[meters.uptime]
watts = 100.0

[reporters.tally]
stroke = "#"
"""

TASK = """
name = "total"
prompt = "`total(2, 3)` gives -1, though the sum of 2 and 3 is wanted."
test_cmd = "python3 -m unittest -q test_total"
test_files = ["test_total.py"]
"""

TEST = """\
import unittest

from total import total


class TotalTest(unittest.TestCase):
    def test_two_and_three(self):
        self.assertEqual(5, total(2, 3))
"""


def _run(*argv: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    # No coverage, path or environment of this process's may leak into the fresh one.
    kept = {name: text for name, text in os.environ.items() if not name.startswith(LEAKING)}
    done = subprocess.run(
        [str(one) for one in argv],
        cwd=cwd,
        env={**kept, "NO_COLOR": "1", "FAIRTRIAL_CACHE": str(cwd / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done


def _wheels(folder: Path) -> list[Path]:
    """Builds the strangers' wheels, from copies: a stranger has no workspace around him."""
    for source in sorted(STRANGERS.iterdir()):
        copy = shutil.copytree(source, folder / source.name)
        if shutil.which("uv"):
            _run("uv", "build", "--wheel", "--out-dir", folder / "wheels", copy, cwd=folder)
        else:
            pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder / "wheels")
            _run(*pip, copy, cwd=folder)
    return sorted((folder / "wheels").glob("*.whl"))


def _environment(folder: Path) -> tuple[Path, tuple[str | Path, ...]]:
    """Makes a fresh environment; returns its programs and how to install into it."""
    place = folder / "environment"
    python = place / "bin" / "python"
    if shutil.which("uv"):
        _run("uv", "venv", "--python", sys.executable, place, cwd=folder)
        return python.parent, ("uv", "pip", "install", "--python", python)
    _run(sys.executable, "-m", "venv", place, cwd=folder)
    return python.parent, (python, "-m", "pip", "install")


@pytest.fixture(scope="module")
def bin_with_strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("strangers")
    programs, install = _environment(folder)
    _run(*install, *(ROOT / one for one in NEEDED), *_wheels(folder), cwd=folder)
    yield programs
    shutil.rmtree(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    task = tmp_path / "tasks" / "total"
    for tree, sign in (("before", "-"), ("reference", "+")):
        (task / tree).mkdir(parents=True)
        text = f"def total(first, second):\n    return first {sign} second\n"
        (task / tree / "total.py").write_text(text)
    (task / "before" / "test_total.py").write_text(TEST)
    (task / "task.toml").write_text(TASK)
    (tmp_path / "strange.toml").write_text(CONFIG)
    return tmp_path


def test_a_config_runs_a_strangers_solver_meter_and_reporter(
    bin_with_strangers: Path, project: Path
) -> None:
    done = _run(bin_with_strangers / "fairtrial", "run", "strange.toml", cwd=project)

    assert {"reference: #", "noop: .", "mender: #"} <= set(done.stdout.splitlines())
    trials = [
        json.loads(line)
        for line in (project / "runs" / "strange" / "trials.jsonl").read_text().splitlines()
    ]
    mender = next(trial for trial in trials if trial["solver"] == "mender")
    assert mender["changed"] == ["total.py"]
    assert mender["agent_version"] == "2.1.0"
    energy = mender["energy"][0]
    assert (energy["meter"], energy["label"]) == ("uptime", "estimator")
    assert energy["gross_j"] == pytest.approx(100.0 * mender["wall_s"], rel=0.5, abs=20.0)


def test_the_run_records_whose_plugins_took_part(bin_with_strangers: Path, project: Path) -> None:
    _run(bin_with_strangers / "fairtrial", "run", "strange.toml", cwd=project)

    record = json.loads((project / "runs" / "strange" / "run.json").read_text())

    versions = {one["name"]: one["version"] for one in record["plugins"]}
    assert versions["acme-trial-tools"] == "0.7"
    assert versions["fairtrial-solver-substitute"] == "2.1.0"


@pytest.mark.parametrize("name", ["substitute", "tally"])
def test_a_strangers_plugin_keeps_its_promises(
    bin_with_strangers: Path, tmp_path: Path, name: str
) -> None:
    _run(bin_with_strangers / "fairtrial", "plugins", "check", name, cwd=tmp_path)


def test_a_stranger_meter_is_held_to_what_it_declares(
    bin_with_strangers: Path, tmp_path: Path
) -> None:
    program = (
        "from fairtrial.conformance import MeterConformance, run_kit\n"
        "from acme_trial_tools.uptime import UptimeMeter\n"
        "class Uptime(MeterConformance):\n"
        "    entry_point = 'uptime'\n"
        "    estimates = True\n"
        "broken = [one for one in run_kit(Uptime(), UptimeMeter()) if not one.passed]\n"
        "assert not broken, broken\n"
    )
    _run(bin_with_strangers / "python", "-c", program, cwd=tmp_path)


def test_the_list_names_distributions_and_versions(
    bin_with_strangers: Path, tmp_path: Path
) -> None:
    done = _run(bin_with_strangers / "fairtrial", "plugins", "list", cwd=tmp_path)

    for word in ("substitute", "fairtrial-solver-substitute", "2.1.0", "acme-trial-tools", "0.7"):
        assert word in done.stdout
