"""`fairtrial heldout …`, and `fairtrial run … --heldout`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def fairtrial(place, tmp_path: Path):
    def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "FAIRTRIAL_CACHE": str(tmp_path / "cache")}
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", *arguments],
            cwd=cwd or place.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


def test_a_set_is_looked_after_from_the_command_line(fairtrial, place, tmp_path: Path) -> None:
    check = tmp_path / "more.py"
    check.write_text("def test_x():\n    pass\n")
    where = ("--heldout", str(place.set))
    added = fairtrial("heldout", "add", *where, "--family", "twice", "--check", str(check))
    assert "added twice.1 as twice.1.py; the set is at version 2\n" == added.stdout
    again = fairtrial("heldout", "add", *where, "--family", "twice", "--check", str(check))
    assert 2 == again.returncode
    assert "family “twice” has a held-out check already: twice.1" in again.stderr
    told = json.loads(fairtrial("heldout", "status", *where, "--json").stdout)
    assert {
        "version": 2,
        "locked": False,
        "families": [{"family": "twice", "check": "twice.1", "decisions_left": 3}],
    } == told
    assert "twice  twice.1  3 decisions left\n" == fairtrial("heldout", "status", *where).stdout
    assert "retired twice.1; the set is at version 3\n" == (
        fairtrial("heldout", "retire", *where, "twice.1").stdout
    )
    listed = fairtrial("heldout", "list", *where)
    assert listed.stdout.startswith("twice.1  twice  twice.1.py  retired  20")
    assert "twice  none: add one\n" == fairtrial("heldout", "status", *where).stdout


def test_no_directory_is_taken_for_granted(fairtrial) -> None:
    told = fairtrial("heldout", "list")
    assert 2 == told.returncode
    assert "missing option “--heldout”" in told.stderr


CONFIG = """
[run]
suite = "twice"
solvers = ["reference", "overfit"]

[suites.twice]
plugin = "folder"
path = "tasks"

[solvers.overfit]
plugin = "command"
argv = ["sh", "-c", "printf 'def double(n):\\\\n    return 6 if n == 3 else n\\\\n' > twice.py"]
"""


def test_a_run_is_scored_by_a_set_and_fails_on_its_gap(fairtrial, place, tmp_path: Path) -> None:
    place.companion()
    (place.root / "run.toml").write_text(CONFIG)
    told = fairtrial("run", "run.toml", "--heldout", str(place.set), "--out", str(tmp_path / "r"))
    assert 1 == told.returncode, told.stderr
    assert "gate failed: held-out gap too wide: twice (overfit)" in told.stderr
    record = json.loads((tmp_path / "r/run/run.json").read_text())
    assert ("twice-heldout", 2) == (record["suite"], record["heldout"]["version"])
    assert {
        "max_gap": 0.25,
        "families": [
            {
                "solver": "reference",
                "family": "twice",
                "tasks": 1,
                "visible": 1.0,
                "heldout": 1.0,
                "gap": 0.0,
            },
            {
                "solver": "overfit",
                "family": "twice",
                "tasks": 1,
                "visible": 1.0,
                "heldout": 0.0,
                "gap": 1.0,
            },
        ],
        "failures": ["twice (overfit): visible 100%, held-out 0%, gap 100% > max 25%"],
        "version": 2,
    } == record["heldout"]
    assert 1 == place.keeper.read().checks[0].decisions
    resumed = fairtrial(
        *("run", "run.toml", "--heldout", str(place.set), "--out", str(tmp_path / "r")),
        *("--label", "run", "--resume"),
    )
    assert 1 == resumed.returncode
    assert 1 == place.keeper.read().checks[0].decisions


def test_a_gap_at_the_limit_passes(fairtrial, place, tmp_path: Path) -> None:
    place.companion()
    (place.root / "run.toml").write_text(CONFIG)
    where = ("--heldout", str(place.set), "--out", str(tmp_path / "r"))
    assert 0 == fairtrial("run", "run.toml", *where, "--max-gap", "1").returncode


def test_a_run_without_companions_stops_before_it_begins(fairtrial, place, tmp_path: Path) -> None:
    place.companion(family="other")
    (place.root / "run.toml").write_text(CONFIG)
    told = fairtrial("run", "run.toml", "--heldout", str(place.set), "--out", str(tmp_path / "r"))
    assert 2 == told.returncode
    assert "no active held-out check for twice" in told.stderr
    assert not (tmp_path / "r/run/trials.jsonl").exists()


@pytest.mark.parametrize("gap", ["soon", "nan", "1.5"])
def test_a_gap_that_is_no_share_is_refused(fairtrial, gap: str) -> None:
    told = fairtrial("run", "run.toml", "--max-gap", gap)
    assert 2 == told.returncode
    assert f"“{gap}”" in told.stderr


LOUD = """
import pathlib

from twice import double


def test_others():
    print("hush" + "-hush")
    pathlib.Path("left-behind.txt").write_text("hush" + "-hush")
    assert double(7) == 14, "hush" + "-hush"
"""


def test_what_a_companion_prints_and_leaves_behind_is_kept_nowhere(
    fairtrial, place, tmp_path: Path
) -> None:
    place.companion(LOUD)
    (place.root / "run.toml").write_text(CONFIG)
    before = {path for path in place.root.rglob("*") if path.is_file()}
    where = ("--heldout", str(place.set), "--out", str(tmp_path / "r"))
    told = fairtrial("run", "run.toml", *where)
    assert 1 == told.returncode, told.stderr
    assert "hush-hush" not in told.stdout + told.stderr
    kept = [path for path in (tmp_path / "r").rglob("*") if path.is_file()]
    assert not [path for path in kept if b"hush-hush" in path.read_bytes()]
    assert not [path for path in kept if path.name == "left-behind.txt"]
    assert before == {path for path in place.root.rglob("*") if path.is_file()}
