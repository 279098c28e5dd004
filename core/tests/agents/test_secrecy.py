"""Keys are found nowhere in what is kept of an agent, however it keeps its logs."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fairtrial.agents.secrecy import Secrets

KEY = "sk-0123456789abcdef"
NOBODY = 65534


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder of a user who isn't root, and that user meanwhile."""
    place = Path(tempfile.mkdtemp())
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(place, NOBODY, -1)
        os.seteuid(NOBODY)
    try:
        yield place
    finally:
        if is_root:
            os.seteuid(0)
        shutil.rmtree(place)


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o000])
def test_a_key_is_wiped_out_of_a_log_that_its_agent_locked(place: Path, mode: int) -> None:
    log = place / "session.jsonl"
    log.write_text(f"key {KEY}\n")
    log.chmod(mode)
    Secrets.of([KEY]).wipe(place)
    log.chmod(0o600)
    assert f"key {'*' * len(KEY)}\n" == log.read_text()


def test_a_link_in_an_agents_folder_is_left_alone(place: Path) -> None:
    logs = place / "logs"
    logs.mkdir()
    mine = place / "mine"
    mine.write_text(KEY)
    mine.chmod(0o400)
    (logs / "session.jsonl").symlink_to(mine)
    Secrets.of([KEY]).wipe(logs)
    assert (KEY, 0o400) == (mine.read_text(), mine.stat().st_mode & 0o777)
