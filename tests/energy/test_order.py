"""Two solvers, two trials at once: whether each has joules hangs on the order of the trials."""

import math
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve, frozen
from fairtrial.api import (
    Attempt,
    Boundary,
    Counter,
    Ending,
    Host,
    Label,
    MeterSession,
    Probe,
    RawReading,
    Session,
    Trial,
)
from fairtrial.builtin.local import LocalSandbox
from fairtrial.config import RunConfig, RunTable
from fairtrial.conformance.fakes import CannedAnswers, ThreeTaskSuite
from fairtrial.energy.verify import verify
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import plan
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.run import run
from fairtrial.registry import Plugins

COUNTER = Counter(
    id="pkg0",
    microjoules_per_count=1.0,
    modulus=2**62,
    atoms=frozenset({"pkg0"}),
    label=Label.HARDWARE_SHUNT,
    boundary=Boundary.HOST,
    sensor="vr-telemetry",
)


@frozen
class Swaying:
    """A counter of a machine that uses 80 to 120 W; one that followed the clock is found out."""

    host: Host | None = None
    counters: tuple[Counter, ...] = (COUNTER,)

    def probe(self, host: Host, /) -> Probe:
        return Probe(counters=self.counters)

    def open(self, host: Host, /) -> MeterSession:
        return evolve(self, host=host)

    def read(self) -> Sequence[RawReading]:
        assert self.host is not None
        now = self.host.monotonic_ns()
        count = round(now / 10 + 2e4 * math.sin(now / 1e6))
        return [RawReading(counter="pkg0", count=count, before_ns=now, after_ns=now)]

    def close(self) -> None:
        pass


@frozen
class Meeting:
    """Attempts that meet another one, so that two always run at once."""

    met: threading.Barrier

    def solve(self, session: Session, /) -> Attempt:
        self.met.wait(20)
        begun = time.monotonic_ns()
        while time.monotonic_ns() < begun + 1_000_000:
            pass
        self.met.wait(20)
        return Attempt(ending=Ending.FINISHED)


def joules_of(trials: Sequence[Trial], solver: str) -> list[tuple[bool, str]]:
    """Says of each attempt whether its joules are known, and what they are of."""
    return [
        (each.energy[0].joules is not None, each.energy[0].granularity)
        for each in trials
        if each.solver == solver
    ]


ALONE = [(False, "trial"), (False, "trial")]
TOGETHER = [(False, "batch"), (True, "batch")]


@pytest.mark.parametrize(("order", "expected"), [("tasks", ALONE), ("solvers", TOGETHER)])
def test_each_of_two_solvers_has_the_joules_of_its_batch_where_they_take_turns(
    order: str, expected: list[tuple[bool, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    table = RunTable(
        suite="three",
        solvers=("a", "b"),
        meters=("swaying",),
        jobs=2,
        limit=2,
        order=order,
        validate=False,
    )
    meeting = Meeting(met=threading.Barrier(2))
    plugins = Plugins(
        suite=ThreeTaskSuite(),
        solvers={"a": meeting, "b": meeting},
        meters={"swaying": Swaying()},
        sandbox=LocalSandbox(),
        gateway=None,
        auditors={},
        answerer=CannedAnswers(),
        reporters={},
        distributions=(),
        selectors={},
    )
    prepared = Prepared(
        config=RunConfig(run=table, tables={}),
        plugins=plugins,
        plan=plan(plugins.suite.tasks(), table),
    )
    directory = RunDirectory(tmp_path / "run")
    directory.path.mkdir()

    trials = run(prepared, directory).record.trials

    for solver in ("a", "b"):
        assert expected == sorted(joules_of(trials, solver))
    assert "" == verify(directory.energy).problem
