"""A small suite and its config on disk, and the command line run in this process or another."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import structlog
from fairtrial.cli.app import main
from fairtrial.cli.voice import VOICE

TASK = """
name = "{name}"
prompt = "`answer.txt` must hold 42."
test_cmd = ["python3", "check.py"]
test_files = ["check.py"]
timeout_s = 60
"""
CHECK = """
from pathlib import Path

assert Path("answer.txt").read_text() == "42\\n"
print("Ran 1 test")
"""
CONFIG = """
[run]
suite = "small"
solvers = ["reference", "noop"]

[suites.small]
plugin = "folder"
path = "small"

[solvers.good]
plugin = "command"
argv = ["python3", "-c", "open('answer.txt', 'w').write('42\\\\n')"]

[solvers.slow]
plugin = "command"
argv = ["python3", "-c", "import time; open('started', 'w'); time.sleep(60)"]
"""


Run = Callable[..., CompletedProcess[str]]


def write_task(folder: Path, name: str) -> Path:
    task = folder / name
    for tree, answer in (("before", "41\n"), ("reference", "42\n")):
        (task / tree).mkdir(parents=True)
        (task / tree / "answer.txt").write_text(answer)
    (task / "before" / "check.py").write_text(CHECK)
    (task / "task.toml").write_text(TASK.format(name=name))
    return task


@pytest.fixture(autouse=True)
def _own_voice() -> Iterator[None]:
    """Takes back what a command line in this process has set up, such as `--log json`."""
    yield
    structlog.reset_defaults()
    VOICE.as_json = False


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with `run.toml` and a suite of two tasks; the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("first", "second"):
        write_task(tmp_path / "small", name)
    (tmp_path / "run.toml").write_text(CONFIG)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], place: Path) -> Run:
    """Runs a command line in this process."""

    def call(*argv: str) -> CompletedProcess[str]:
        assert place.is_dir()
        capsys.readouterr()
        code = main(argv)
        said = capsys.readouterr()
        return CompletedProcess(argv, code, said.out, said.err)

    return call


@pytest.fixture
def spawn(place: Path, program: list[str]) -> Run:
    """Runs a command line in a process of its own, as a user does."""

    def call(*argv: str, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
        return subprocess.run(
            [*program, *argv],
            cwd=place,
            env={**os.environ, **(env or {})},
            capture_output=True,
            check=False,
            text=True,
            errors="backslashreplace",
        )

    return call


@pytest.fixture
def program() -> list[str]:
    """What the console script does."""
    return [
        sys.executable,
        "-c",
        "import sys; from fairtrial.cli.app import main; sys.exit(main())",
    ]
