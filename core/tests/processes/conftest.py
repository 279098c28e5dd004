import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from fairtrial.processes import Job, close


def alive(token: str) -> list[str]:
    """The command lines of the processes that hold the token and are no zombies."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if token.encode() in line:
            found.append(line.replace(b"\0", b" ").decode())
    return found


@pytest.fixture
def token() -> str:
    return f"token-{uuid4().hex}"


@pytest.fixture
def survivors(token: str, tmp_path: Path) -> Callable[[], list[str]]:
    """Waits up to a second, and returns what then still holds the token or beats."""

    def look() -> list[str]:
        deadline = time.monotonic() + 1.0
        while (found := alive(token)) and time.monotonic() < deadline:
            time.sleep(0.02)
        if (beat := tmp_path / "beat").exists():
            before = beat.stat().st_size
            time.sleep(0.1)
            found += ["a comet"] if beat.stat().st_size > before else []
        return found

    return look


@pytest.fixture
def escape(tmp_path: Path, token: str) -> Callable[..., Job]:
    """A job that tries the tricks named."""

    def job(*tricks: str) -> Job:
        script = str(Path(__file__).with_name("escapes.py"))
        argv = (sys.executable, script, token, *tricks)
        return Job(argv=argv, env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path)

    return job


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], Job]:
    """A job that runs a line of shell."""

    def job(line: str) -> Job:
        return Job(argv=("sh", "-c", line), env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path)

    return job


@pytest.fixture(autouse=True, scope="module")
def _nursery() -> Iterator[None]:
    yield
    close()
