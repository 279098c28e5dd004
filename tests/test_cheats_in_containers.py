"""A part of the gallery in containers, where an engine can be started."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fairtrial.config import load
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.prepare import prepare
from fairtrial.engine.run import run
from fairtrial.processes import close

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests/cheats"
ENGINE = ROOT / "scripts/engine"
GIVEN = os.environ.get("FAIRTRIAL_DOCKER_SOCKET", "")

sys.path.insert(0, str(ROOT / "tests"))
specimens = importlib.import_module("cheats.specimens")
sys.path.remove(str(ROOT / "tests"))


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if GIVEN:
        yield GIVEN
        close()
        return
    place = tmp_path_factory.mktemp("engine")
    with (place / "said").open("w") as said:
        subprocess.run([ENGINE, "start", place], check=True, stdout=said, timeout=120)
    yield str(place / "docker.sock")
    close()
    subprocess.run([ENGINE, "stop", place], check=True, timeout=60)


class TestInContainers:
    # Without an engine there is nothing to try; under bubblewrap all of it is tried anyway.
    __test__ = bool(GIVEN) or (shutil.which("dockerd") is not None and os.geteuid() == 0)

    def test_cheats_lose_and_honest_ones_win(self, socket: str, tmp_path: Path) -> None:
        files = (HERE / "gallery.toml", HERE / "docker.toml")
        prepared = prepare(load(files, (f'sandboxes.docker.socket="{socket}"',)))
        (tmp_path / "runs").mkdir()
        record = run(prepared, RunDirectory(tmp_path / "runs/docker")).record
        fine = {one.name for one in specimens.honest()} | {"reference"}
        assert {name: name in fine for name in prepared.config.run.solvers} == {
            trial.solver: trial.resolved for trial in record.trials
        }
        assert {"docker"} == {
            trial.enforced["sandbox"] for trial in record.trials if trial.enforced
        }
