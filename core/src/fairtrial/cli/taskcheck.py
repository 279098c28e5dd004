"""Checking a suite: each rule of each task, and whether its oracle says the same every time."""

import json
import tempfile
from collections.abc import Container, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

from attrs import evolve, frozen

from fairtrial.api import (
    Answerer,
    Checked,
    Fence,
    NeedMissing,
    PartlyRead,
    Sandbox,
    Suite,
    SuiteError,
    Task,
)
from fairtrial.cli.streams import emit, note
from fairtrial.cli.suites import suite_of
from fairtrial.cli.taskblame import blamed, made_ready, told
from fairtrial.config import RunConfig
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.controls import fault_of
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import plan
from fairtrial.engine.room import Room
from fairtrial.figures.markdown import safe
from fairtrial.registry import Builder

BROKEN = 1


@frozen(kw_only=True)
class Finding:
    """
    What one task was found to be.

    Attributes:
        task: Its id.
        problems: Rules that it breaks, in words.
        missing: What it needs and isn't here, so that its oracle was not tried.
        flaky: How many of the repeated trials of its oracle broke a rule.
        repeat: How many there were.
        apart: Why its author keeps it out of the headline, where it was found flaky indeed.
    """

    task: str
    problems: tuple[str, ...] = ()
    missing: str = ""
    flaky: int = 0
    repeat: int = 0
    apart: str = ""

    @property
    def quarantine(self) -> str:
        """What to write into the task, where its oracle says now this and now that."""
        if 0 < self.flaky < self.repeat:
            return f"flaky: its oracle failed in {self.flaky} of {self.repeat} tries"
        return ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What to say of it, one line each."""
        if self.problems:
            said = [f"{self.task}: {problem}" for problem in self.problems]
        elif self.missing:
            said = [f"{self.task}: not tried: {self.missing}"]
        elif self.apart:
            said = [f"{self.task}: kept apart: {self.apart}"]
        else:
            said = [f"{self.task}: sound"]
        if self.quarantine and self.quarantine != self.apart:
            said.append(
                f"{self.task}: or keep it apart: quarantine = {json.dumps(self.quarantine)}"
            )
        return tuple(said)


@frozen(kw_only=True)
class Inspection:
    """
    A check of a suite.

    Attributes:
        config: Names the suite.
        repeat: How often each oracle is tried.
        jobs: Tasks at once.
    """

    config: RunConfig
    repeat: int = 1
    jobs: int = 1

    def run(self, *, static: bool, as_json: bool) -> int:
        """Checks, prints, and returns the exit code."""
        findings = []
        for finding in self.findings(static=static):
            findings.append(finding)
            if not as_json:
                emit("".join(f"{safe(line)}\n" for line in finding.lines))
        broken = sum(bool(finding.problems) for finding in findings)
        if as_json:
            emit(json.dumps([_plain(each) for each in findings], ensure_ascii=False, indent=2))
            emit("\n")
        note(f"{len(findings)} checked, {broken} broken")
        return BROKEN if broken else 0

    def findings(self, *, static: bool) -> Iterator[Finding]:
        """Yields one finding a task, the broken forms first, then each oracle as it was tried."""
        builder = Builder(config=self.config)
        suite = suite_of(builder)
        faults = self._faults(suite)
        yield from (Finding(task=task, problems=tuple(said)) for task, said in faults.items())
        try:
            every = _readable(suite)
        except SuiteError as error:
            # What keeps the suite from loading is among the faults already, if it can tell them.
            if faults:
                note("no other task was checked: the suite can't be read until these are mended")
            else:
                yield Finding(task=error.task or "suite", problems=(told(error),))
            return
        tasks = self._chosen(every, faults)
        if static:
            yield from (Finding(task=task.id) for task in tasks)
        else:
            yield from self._tried(builder, suite, tasks)

    def _faults(self, suite: object) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        only = set(self.config.run.only)
        for fault in suite.faults() if isinstance(suite, Checked) else ():
            task = fault.task or "suite"
            if not fault.warning:
                found.setdefault(task, []).append(f"{fault.problem} ({fault.rule})")
            elif not only or task in only:
                note(safe(f"{task}: warning: {fault.problem} ({fault.rule})"))
        return {task: said for task, said in found.items() if not only or task in only}

    def _chosen(self, every: Sequence[Task], faults: Container[str]) -> Sequence[Task]:
        """Returns the tasks that are wanted, but for those that are known to be broken."""
        run = self.config.run
        sound = tuple(name for name in run.only if name not in faults)
        if not every or (run.only and not sound):
            return ()
        only_in = self.config.asked_in("only")
        tasks = plan(every, evolve(run, only=sound), only_in=only_in).tasks
        return [task for task in tasks if task.id not in faults]

    def _tried(self, builder: Builder, suite: Suite, tasks: Sequence[Task]) -> Iterator[Finding]:
        ready = []
        for task, why in made_ready(suite, tasks):
            if why:
                yield Finding(task=task.id, problems=(why,))
            else:
                ready.append(task)
        with (
            tempfile.TemporaryDirectory(prefix="fairtrial-check-") as place,
            EnergyLedger(meters={}) as ledger,
            ThreadPoolExecutor(self.jobs) as pool,
        ):
            room = _room(builder, suite, ledger, Path(place))
            yield from pool.map(lambda task: self._try(task, room), ready)

    def _try(self, task: Task, room: Room) -> Finding:
        finding = Finding(task=task.id, repeat=self.repeat)
        try:
            faults = [fault_of(task, room) for _ in range(self.repeat)]
        except NeedMissing as error:
            return evolve(finding, missing=told(error))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, it hides no other task
            return evolve(finding, problems=(blamed(task, error),))
        wrong = [fault for fault in faults if fault]
        if task.quarantine and 0 < len(wrong) < self.repeat:
            return evolve(finding, apart=task.quarantine, flaky=len(wrong))
        return evolve(finding, problems=tuple(dict.fromkeys(wrong)), flaky=len(wrong))


def _readable(suite: Suite) -> Sequence[Task]:
    try:
        return tuple(suite.tasks())
    except SuiteError:
        if not isinstance(suite, PartlyRead):
            raise
        return tuple(suite.readable())


def _room(builder: Builder, suite: Suite, ledger: EnergyLedger, place: Path) -> Room:
    run = builder.config.run
    return Room(
        suite=suite,
        solvers={},
        sandbox=cast("Sandbox", builder.asked("sandbox", run.sandbox)),
        answerer=cast("Answerer", builder.asked("answerer", run.answerer)),
        auditors={},
        gateway=None,
        ledger=ledger,
        directory=RunDirectory(place),
        fence=Fence(network=run.network),
    )


def _plain(finding: Finding) -> dict[str, object]:
    return {
        "task": finding.task,
        "problems": list(finding.problems),
        "missing": finding.missing,
        "tries": finding.repeat,
        "failed_tries": finding.flaky,
        "quarantine": finding.quarantine,
    }
