"""Two solvers, two trials at once: whether each has joules hangs on the order of the trials."""

import math
import threading
import time
from collections.abc import Callable, Sequence

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
from fairtrial.energy.agreement import agreement
from fairtrial.energy.verify import verify
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run
from fairtrial.engine.prepare import Prepared
from fairtrial.engine.run import run

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


@pytest.fixture
def metered(prepare) -> Callable[[str], Prepared]:
    def made(order: str) -> Prepared:
        meeting = Meeting(met=threading.Barrier(2))
        return prepare(
            {"a": meeting, "b": meeting},
            meters={"swaying": Swaying()},
            jobs=2,
            limit=2,
            order=order,
            validate=False,
        )

    return made


@pytest.mark.parametrize(("order", "expected"), [("tasks", ALONE), ("solvers", TOGETHER)])
def test_each_of_two_solvers_has_the_joules_of_its_batch_where_they_take_turns(
    metered, directory, order: str, expected: list[tuple[bool, str]]
) -> None:
    trials = run(metered(order), directory).record.trials

    for solver in ("a", "b"):
        assert expected == sorted(joules_of(trials, solver))
    assert "" == verify(directory.energy).problem


def killed_before_batches(directory: RunDirectory) -> None:
    """Cuts off what a run writes after its last trial, as `kill -9` does there."""
    receipts = directory.energy.read_bytes().splitlines(keepends=True)
    first = next(at for at, line in enumerate(receipts) if b'"op":"batch"' in line)
    directory.energy.write_bytes(b"".join(receipts[:first]))
    trials = directory.journal.read_bytes().splitlines(keepends=True)
    directory.journal.write_bytes(b"".join(trials[:4]))


def test_what_a_killed_sitting_used_is_worked_out_when_the_run_goes_on(metered, directory) -> None:
    before = run(metered("solvers"), directory).record.trials
    killed_before_batches(directory)
    assert ALONE * 2 == [
        own for solver in "ab" for own in joules_of(read_run(directory).trials, solver)
    ]

    record = run(metered("solvers"), directory, resume=True).record

    assert before == record.trials
    found = verify(directory.energy)
    assert "" == found.problem
    assert () == agreement(record, found).differences


def test_receipts_that_do_not_hold_give_a_killed_sitting_no_joules(metered, directory) -> None:
    run(metered("solvers"), directory)
    killed_before_batches(directory)
    receipts = directory.energy.read_bytes()
    directory.energy.write_bytes(receipts.replace(b'"op":"end"', b'"op":"ende"', 1))

    trials = run(metered("solvers"), directory, resume=True).record.trials

    assert ALONE * 2 == [own for solver in "ab" for own in joules_of(trials, solver)]
