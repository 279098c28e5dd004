"""Our own suites, run by the command as a user runs them."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fairtrial.api import Fence
from fairtrial.conformance.fakes import sample_task
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox
from fairtrial_suite_folder.aftermath import Aftermath
from fairtrial_suite_folder.entry import Entry

ROOT = Path(__file__).parents[1]
SUITES = {"smoke": 5, "mix": 19}


@pytest.mark.parametrize("suite", SUITES)
def test_reference_resolves_every_task_and_noop_none(suite: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fairtrial", "run", str(ROOT / f"tasks/{suite}.toml")]
    done = subprocess.run(
        [*command, "--json", "--log", "quiet", "--out", str(tmp_path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert 0 == done.returncode, done.stderr
    report = json.loads(done.stdout)
    points = {point["solver"]: point for point in report["runs"][0]["frontier"]["points"]}
    counts = {name: point["counts"]["resolved"] for name, point in points.items()}
    assert {"reference": SUITES[suite], "noop": 0} == counts
    assert {SUITES[suite]} == {point["counts"]["planned"] for point in points.values()}


def test_a_temporary_directory_is_emptied_around_what_the_fence_shows_below_it() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        shown = Path(name) / "cache"
        shown.mkdir()
        (shown / "file").write_text("shown")
        sandbox = BubblewrapSandbox()
        with sandbox.open("task", Fence(readable=(shown,))) as workspace:
            entry = cast("Entry", SimpleNamespace(task=sample_task()))
            aftermath = Aftermath(entry=entry, pristine={}, workspace=workspace, checks=2)
            assert "" == aftermath.undo()
            workspace.run(["sh", "-c", "touch /tmp/left ~/left"], timeout_s=9)
            assert "" == aftermath.undo()
            line = f"ls /tmp ~; cat {shown}/file"
            left = workspace.run(["sh", "-c", line], timeout_s=9).stdout.decode()
    assert "left" not in left
    assert left.endswith("shown")
