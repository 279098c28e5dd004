"""
What the clean room and the sandbox `bubblewrap` cost a trial.

The same trial (an agent and a check, both a line of shell), over and over, in three ways: in place
(one workspace of `local`, checks run where the agent worked), in a clean room of `local`, and in a
clean room of `bubblewrap`. Prints one JSON line: the milliseconds of each (the lower quartile,
since a machine's other work only ever adds), what the last adds to the first, and their ratio.
"""

import json
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import structlog
from fairtrial.api import Fence, Sandbox
from fairtrial.builtin.local import LocalSandbox
from fairtrial.conformance.fakes import CannedAnswers
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial
from fairtrial_sandbox_bubblewrap import BubblewrapSandbox
from fairtrial_solver_command import CommandSolver
from fairtrial_suite_folder import FolderSuite

ROUNDS = 60
MOST_MS = 40.0
AGENT = ("sh", "-c", "echo done > answer.txt")
TASK = """
name = "answer"
prompt = "Write done into answer.txt."
test_cmd = ["sh", "-c", "grep -q done answer.txt"]
"""


def lay_out(folder: Path) -> FolderSuite:
    """Writes the one task."""
    (folder / "tasks/answer/before").mkdir(parents=True)
    (folder / "tasks/answer/before/answer.txt").write_text("open\n")
    (folder / "tasks/answer/task.toml").write_text(TASK)
    return FolderSuite(path=folder / "tasks")


def in_place(suite: FolderSuite) -> None:
    """Lets the agent and the checks work in one and the same workspace."""
    task = next(iter(suite.tasks()))
    with LocalSandbox().open("answer", Fence()) as workspace:
        suite.seed(task, workspace)
        workspace.run(AGENT, timeout_s=60)
        if suite.grade(task, workspace).resolved is not True:
            raise SystemExit("the check does not pass in place")


def in_clean_room(room: Room) -> None:
    """Runs a whole trial, as a run does."""
    cell = Cell(task=next(iter(room.suite.tasks())), solver="agent", rollout=1)
    trial = run_trial(cell, room)
    if trial.resolved is not True:
        raise SystemExit(f"the trial is not resolved: {trial.ending} {trial.note}")


def room_of(suite: FolderSuite, sandbox: Sandbox, folder: Path, ledger: EnergyLedger) -> Room:
    """Makes a room with one agent and a sandbox."""
    folder.mkdir()
    return Room(
        suite=suite,
        solvers={"agent": CommandSolver(argv=AGENT)},
        sandbox=sandbox,
        answerer=CannedAnswers(),
        auditors={},
        gateway=None,
        ledger=ledger,
        directory=RunDirectory(folder),
        fence=Fence(),
    )


def main() -> None:
    """Measures the three ways in turn, so that a slow moment of the machine hits all of them."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="fence-") as name, ExitStack() as stack:
        folder = Path(name)
        os.environ["FAIRTRIAL_CACHE"] = str(folder / "cache")
        suite = lay_out(folder)
        ledger = stack.enter_context(EnergyLedger(meters={}))
        local = room_of(suite, LocalSandbox(), folder / "local", ledger)
        fenced = room_of(suite, BubblewrapSandbox(), folder / "fenced", ledger)
        ways: dict[str, Callable[[], None]] = {
            "in_place": lambda: in_place(suite),
            "clean_room": lambda: in_clean_room(local),
            "clean_room_and_bubblewrap": lambda: in_clean_room(fenced),
        }
        taken: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(ROUNDS + 3):
            for way, work in ways.items():
                start = time.perf_counter()
                work()
                if number >= 3:
                    taken[way].append((time.perf_counter() - start) * 1000)
    quick = {way: round(statistics.quantiles(each)[0], 2) for way, each in taken.items()}
    added = quick["clean_room_and_bubblewrap"] - quick["in_place"]
    line = {
        "trial_ms": quick,
        "added_ms": round(added, 2),
        "most_ms": MOST_MS,
        "ratio": round(quick["clean_room_and_bubblewrap"] / quick["in_place"], 2),
        "met": added <= MOST_MS,
    }
    print(json.dumps(line))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
