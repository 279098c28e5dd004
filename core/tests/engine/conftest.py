"""A room with real workspaces, a quick suite, and whatever solvers a test brings."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import structlog
from fairtrial.api import Auditor, Fence, Meter, Selector, Solver, Suite, Task
from fairtrial.builtin.local import LocalSandbox
from fairtrial.config import RunConfig, RunTable
from fairtrial.conformance.fakes import CannedAnswers, ThreeTaskSuite
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import Cell, plan
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.room import Room
from fairtrial.registry import Plugins

MakeRoom = Callable[..., Room]
Prepare = Callable[..., Prepared]
MakeCell = Callable[..., Cell]


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Takes back what a command line in this process has set up, such as `--log quiet`."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    found = RunDirectory(tmp_path / "run")
    found.path.mkdir()
    return found


@pytest.fixture
def make_room(directory: RunDirectory) -> Iterator[MakeRoom]:
    with EnergyLedger(meters={}) as ledger:

        def make(
            solvers: Mapping[str, Solver] | None = None,
            suite: Suite | None = None,
            auditors: Mapping[str, Auditor] | None = None,
        ) -> Room:
            return Room(
                suite=suite or ThreeTaskSuite(),
                solvers=solvers or {},
                sandbox=LocalSandbox(),
                answerer=CannedAnswers(),
                auditors=auditors or {},
                gateway=None,
                ledger=ledger,
                directory=directory,
                fence=Fence(),
            )

        yield make


@pytest.fixture
def prepare() -> Prepare:
    """Prepares a run of quick tasks with plugins that are built already."""

    def made(
        solvers: Mapping[str, Solver] | None = None,
        suite: Suite | None = None,
        /,
        *,
        meters: Mapping[str, Meter] | None = None,
        selectors: Mapping[str, Selector] | None = None,
        **keys: object,
    ) -> Prepared:
        plugins = Plugins(
            suite=suite or ThreeTaskSuite(),
            solvers=solvers or {},
            meters=meters or {},
            sandbox=LocalSandbox(),
            gateway=None,
            auditors={},
            answerer=CannedAnswers(),
            reporters={},
            distributions=(),
            selectors=selectors or {},
        )
        asked = {
            "suite": "three",
            "solvers": tuple(plugins.solvers),
            "meters": tuple(plugins.meters),
        }
        table = RunTable(**(asked | keys))  # type: ignore[arg-type]  # keys of the table
        config = RunConfig(run=table, tables={})
        return Prepared(config=config, plugins=plugins, plan=plan(plugins.suite.tasks(), table))

    return made


@pytest.fixture
def make_cell() -> MakeCell:
    def make(solver: str, task: Task | None = None, rollout: int = 1) -> Cell:
        return Cell(
            task=task or next(iter(ThreeTaskSuite().tasks())), solver=solver, rollout=rollout
        )

    return make
