"""A site directory of its own, with real distributions and nothing else that is installed."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from fairtrial.config import RunConfig, load

Install = Callable[..., Path]

ECHO = '''
from attrs import frozen

from fairtrial.api import Attempt, Ending, Session


@frozen(kw_only=True)
class EchoSolver:
    """
    Says what it was told.

    Attributes:
        loud: Whether it shouts.
    """

    loud: bool = False

    def solve(self, session: Session, /) -> Attempt:
        return Attempt(ending=Ending.FINISHED)
'''

DUO = """
from pathlib import Path

from attrs import frozen

from fairtrial.api import Attempt, Ending, Session, Solver


@frozen(kw_only=True)
class DuoSolver:
    stages: tuple[Solver, ...]
    spare: Solver | None = None
    folder: Path = Path()

    def solve(self, session: Session, /) -> Attempt:
        return Attempt(ending=Ending.FINISHED)
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yields a directory on `sys.path` beside which nothing else counts as installed."""
    root = tmp_path / "site"
    root.mkdir()
    elsewhere = [path for path in sys.path if not path.endswith("-packages")]
    monkeypatch.setattr(sys, "path", [str(root), *elsewhere])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield root
    for module in [name for name in sys.modules if name.startswith("acme")]:
        del sys.modules[module]


@pytest.fixture
def install(site: Path) -> Install:
    """Returns what writes a distribution as an installer would; it gives back its dist-info."""

    def write(
        name: str,
        points: Mapping[str, Mapping[str, str]],
        modules: Mapping[str, str] | None = None,
        version: str = "1.0",
    ) -> Path:
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(about)
        sections = (
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in points.items()
        )
        (info / "entry_points.txt").write_text("\n".join(sections))
        for module, source in (modules or {}).items():
            (site / f"{module}.py").write_text(source)
        return info

    write("fairtrial-core", {}, version="0.1.0")
    return write


@pytest.fixture
def solver(install: Install) -> Install:
    """Returns what installs one solver plugin, `acme-<name>`, from its source."""

    def write(name: str, source: str, class_name: str = "EchoSolver") -> Path:
        points = {"fairtrial.solvers": {name: f"acme_{name}:{class_name}"}}
        return install(f"acme-{name}", points, {f"acme_{name}": source})

    return write


@pytest.fixture
def echo(solver: Install) -> None:
    """Installs the solver `echo`."""
    solver("echo", ECHO)


@pytest.fixture
def duo(solver: Install) -> None:
    """Installs the solver `duo`, which has other solvers as its parts."""
    solver("duo", DUO, "DuoSolver")


@pytest.fixture
def config(tmp_path: Path) -> Callable[[str], RunConfig]:
    """Returns what writes the tables of a run.toml and reads them."""

    def read(tables: str, solvers: str = '["echo"]') -> RunConfig:
        run = f'[run]\nsuite = "few"\nanswerer = "calm"\nreporters = []\nsolvers = {solvers}\n'
        (tmp_path / "run.toml").write_text(run + tables)
        return load([Path("run.toml")])

    return read
