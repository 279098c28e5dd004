import base64
import hashlib
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from fairtrial.api import Patch, Task, Verdict, Workspace
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial.conformance.tree import lay
from fairtrial_suite_folder import FolderSuite

TASK = """
name = "clock"
prompt = "The clock is one off."
stack = "python"
test_cmd = ["python3", "-m", "unittest", "-q", "tests.test_clock"]
test_files = ["tests"]
check = "check/check_clock.py"
"""

CHECK = """
import clock
raise SystemExit(clock.tick(41) != 42)
"""

TEST = """
import unittest
import clock


class ClockTest(unittest.TestCase):
    def test_it_ticks(self):
        self.assertEqual(2, clock.tick(1))
"""


class Folder:
    """Writes the folders of a suite."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str | bytes = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return file

    def clock(self, toml: str = TASK) -> "Folder":
        """Writes the task `clock`: a wrong function, a test, a check and a fix."""
        self.write("clock/task.toml", toml)
        self.write("clock/before/clock.py", "def tick(at):\n    return at\n")
        self.write("clock/before/tests/__init__.py")
        self.write("clock/before/tests/test_clock.py", TEST)
        self.write("clock/reference/clock.py", "def tick(at):\n    return at + 1\n")
        self.write("clock/check/check_clock.py", CHECK)
        return self


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    root = tmp_path / "suite"
    root.mkdir()
    return Folder(root)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def suite(folder: Folder, cache: Path) -> FolderSuite:
    return FolderSuite(path=folder.root, cache=cache)


Graded = Callable[..., Verdict]


@pytest.fixture
def seeded(suite: FolderSuite) -> Callable[[], AbstractContextManager[Workspace]]:
    @contextmanager
    def opened() -> Iterator[Workspace]:
        (task,) = suite.tasks()
        with open_local("test") as workspace:
            suite.seed(task, workspace)
            yield workspace

    return opened


@pytest.fixture
def graded(suite: FolderSuite, seeded) -> Graded:
    """Grades the suite's one task after a patch, or after a function changed its tree."""

    def grade(
        patch: Patch | None = None, change: Callable[[Path], object] | None = None
    ) -> Verdict:
        (task,) = suite.tasks()
        with seeded() as workspace:
            lay(patch or Patch(), workspace.root)
            if change:
                change(workspace.root)
            return suite.grade(task, workspace)

    return grade


@pytest.fixture
def fix(suite: FolderSuite) -> Callable[[], Patch]:
    def reference() -> Patch:
        task: Task
        (task,) = suite.tasks()
        patch = suite.reference(task)
        assert patch is not None
        return patch

    return reference


def wheel(folder: Path, name: str, version: str) -> None:
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"VERSION = '{version}'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        rows.append(f"{path},sha256={digest.decode()},{len(text)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "wheels"
    wheel(folder, "pocketwatch", "1.2")
    for tool in ("UV", "PIP"):
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(folder))
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
    return folder
