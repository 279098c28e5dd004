import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from fairtrial.processes.leftovers import owned_prefix, sweep
from fairtrial.processes.places import private_places

HOLD = """
from fairtrial.processes.places import private_places
with private_places() as places:
    (places.root / "work in progress").write_text("x")
    print(places.top, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_harness_left_is_removed_and_what_is_in_use_is_not(temporary: Path) -> None:
    env = {**os.environ, "TMPDIR": str(temporary)}
    argv = [sys.executable, "-c", HOLD]
    with (
        private_places() as ours,
        subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as harness,
    ):
        assert harness.stdout is not None
        theirs = Path(harness.stdout.readline().decode().strip())
        assert 0 == sweep()
        os.kill(harness.pid, signal.SIGKILL)
        harness.wait()
        assert (theirs / "work/work in progress").exists()
        assert 1 == sweep()
        assert [ours.top] == list(temporary.iterdir())
    assert [] == list(temporary.iterdir())


def test_kept_and_foreign_directories_stay(temporary: Path) -> None:
    with private_places(keep=True) as places:
        pass
    (temporary / "fairtrial-notes").mkdir()
    (temporary / "fairtrial-link").symlink_to(places.top)
    (temporary / "fairtrial-pipe").mkdir()
    os.mkfifo(temporary / "fairtrial-pipe/other")
    before = sorted(temporary.iterdir())
    assert 0 == sweep()
    assert before == sorted(temporary.iterdir())


def test_a_directory_is_left_once_the_process_that_its_name_tells_is_gone(temporary: Path) -> None:
    mine = Path(tempfile.mkdtemp(prefix=owned_prefix()))
    namespace, process, started = re.findall(r"\d+", mine.name)[:3]
    gone = temporary / f"fairtrial-of-{namespace}-{process}-{int(started) + 1}-x"
    elsewhere = temporary / f"fairtrial-of-{int(namespace) + 1}-{process}-1-x"
    for place in (gone, elsewhere):
        place.mkdir()
    assert 1 == sweep()
    # What belongs to a process of another namespace can't be judged from here.
    assert [mine, elsewhere] == [place for place in (mine, elsewhere) if place.exists()]
