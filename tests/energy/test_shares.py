"""Joules of attempts at once, shared out by the CPU time that their sandbox counted."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen
from fairtrial.api import Attempt, Ending, Energy, Fence, Label, Session, Solver, Trial
from fairtrial.builtin.local import LocalSandbox
from fairtrial.conformance.fakes import CannedAnswers, ThreeTaskSuite
from fairtrial.energy import EnergyLedger
from fairtrial.energy.verify import verify
from fairtrial.engine.crew import Crew
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial
from fairtrial_meter_cgroup import CgroupMeter
from fairtrial_meter_rapl import RaplMeter

BURN = "import time\nwhile time.process_time() < {seconds}: pass"
TASK = next(iter(ThreeTaskSuite().tasks()))


@frozen
class Busy:
    """Burns CPU time in the workspace, then does what the test wants."""

    seconds: float
    then: Callable[[], object]

    def solve(self, session: Session, /) -> Attempt:
        code = BURN.format(seconds=self.seconds)
        session.workspace.run([sys.executable, "-c", code], timeout_s=20)
        self.then()
        return Attempt(ending=Ending.FINISHED)


@frozen
class Thinking:
    """Works in the harness's own process."""

    then: Callable[[], object]

    def solve(self, session: Session, /) -> Attempt:
        self.then()
        return Attempt(ending=Ending.FINISHED)


@frozen
class Leaving:
    """Leaves a program behind that still runs."""

    then: Callable[[], object]

    def solve(self, session: Session, /) -> Attempt:
        session.workspace.run(["true"], timeout_s=20)
        session.workspace.spawn(["sleep", "60"], timeout_s=60)
        self.then()
        return Attempt(ending=Ending.FINISHED)


@frozen
class Both:
    """Lets one solver follow the other."""

    first: Solver
    second: Solver

    def solve(self, session: Session, /) -> Attempt:
        session.perform(self.first, session)
        session.perform(self.second, session)
        return Attempt(ending=Ending.FINISHED)


@pytest.fixture
def spend(machine) -> Callable[[], None]:
    """Lets ten seconds pass, in which the package used 100 J and a CPU was busy for two."""
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    machine.host.put("sys/fs/cgroup/run.scope/cpu.stat", "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    ticks = [0]

    def spend() -> None:
        machine.used(10, z0=100)
        ticks[0] += 200
        machine.host.put("proc/stat", f"cpu {ticks[0]} 0 0 0 0 0 0 0\ncpu0 0\n")

    return spend


@pytest.fixture
def room(machine, tmp_path: Path, monkeypatch) -> Callable[..., Iterator[Room]]:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    directory = RunDirectory(tmp_path / "run")
    directory.path.mkdir()

    @contextmanager
    def opened(solvers: Mapping[str, Solver]) -> Iterator[Room]:
        meters = {"rapl": RaplMeter(), "cgroup": CgroupMeter()}
        with EnergyLedger(
            meters=meters, host=machine.host, path=directory.energy, keepalive_s=None
        ) as ledger:
            yield Room(
                suite=ThreeTaskSuite(),
                solvers=solvers,
                sandbox=LocalSandbox(),
                answerer=CannedAnswers(),
                auditors={},
                gateway=None,
                ledger=ledger,
                directory=directory,
                fence=Fence(),
            )

    return opened


def beside_another(room: Room, solver: str) -> Trial:
    """Makes one trial while another window is open."""
    with room.ledger.window("another", group="another"):
        return run_trial(Cell(task=TASK, solver=solver, rollout=1), room)


def shown(energy: Energy) -> tuple[Label, str, tuple[str, ...]]:
    return energy.label, energy.sensor, energy.flags


def test_two_attempts_at_once_each_have_their_share(room, spend) -> None:
    met = threading.Barrier(2)
    both_burnt = threading.Barrier(2, action=spend)

    @frozen
    class Meeting(Busy):
        def solve(self, session: Session, /) -> Attempt:
            met.wait(20)
            return Busy.solve(self, session)

    def then() -> None:
        both_burnt.wait(20)

    found: dict[str, Trial] = {}
    with room({"small": Meeting(0.2, then), "large": Meeting(0.6, then)}) as own:

        def work(cell: Cell) -> None:
            found[cell.solver] = run_trial(cell, own)

        cells = [Cell(task=TASK, solver=name, rollout=1) for name in own.solvers]
        Crew(work=work, jobs=2, leave=own.leave, on_stopping=lambda _: None).work_off(cells)
        receipts = own.directory.energy
    (small,), (large,) = found["small"].energy, found["large"].energy

    assert [(Label.ESTIMATOR, "cpu-share", ("concurrent-window", "cpu-share"))] * 2 == [
        shown(small),
        shown(large),
    ]
    assert 10 <= small.joules < 25
    assert 30 <= large.joules < 50
    assert "" == verify(receipts).problem


def test_each_stage_has_the_share_of_its_own_programs(room, spend) -> None:
    with room({"both": Both(Busy(0.1, spend), Busy(0.4, spend))}) as own:
        trial = beside_another(own, "both")
    (whole,), (one,), (two,) = trial.energy, trial.stages[0].energy, trial.stages[1].energy

    assert ["cpu-share"] * 3 == [energy.flags[-1] for energy in (whole, one, two)]
    assert 5 <= one.joules < 20 <= two.joules < 40
    assert whole.joules == pytest.approx(one.joules + two.joules)


@pytest.mark.parametrize("kind", [Thinking, Leaving])
def test_what_is_not_all_counted_has_no_share(room, spend, kind) -> None:
    with room({"odd": kind(spend)}) as own:
        trial = beside_another(own, "odd")
    (energy,) = trial.energy

    assert (None, "share-unknown") == (energy.joules, energy.flags[-1])
