"""One odd value of a plugin's costs neither what its attempt used nor any other trial."""

from pathlib import Path
from typing import cast

import pytest
from attrs import evolve, frozen
from fairtrial.api import Attempt, Ending, RunRecord, Session, Solver, Trial, Usage
from fairtrial.config import load
from fairtrial.conformance.fakes import ScriptedSolver
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.journal import read_run
from fairtrial.engine.prepare import prepare
from fairtrial.engine.run import run
from fairtrial.engine.salvage import writable

CONFIG = """
[run]
suite = "small"
solvers = ["odd", "good"]
sandbox = "local"
meters = []
budget = "unlimited"
validate = false
[suites.small]
plugin = "folder"
path = "small"
[solvers.odd]
plugin = "command"
argv = ["true"]
[solvers.good]
plugin = "command"
argv = ["true"]
"""
TASK = """
name = "{name}"
prompt = "`answer.txt` must hold 42."
test_cmd = ["sh", "-c", "grep -q 42 answer.txt && echo Ran 1 test"]
timeout_s = 60
"""
RIGHT = ScriptedSolver(writes={"answer.txt": "42\n"})
SPENT = Usage(model="m", output=5, cost_usd=0.25)


class Int64:
    """A number like numpy's: no `int`, but one can be had of it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __ge__(self, other: int) -> bool:
        return self.value >= other

    def item(self) -> int:
        return self.value


@frozen(kw_only=True)
class Odd:
    """Does the work, and says something odd of it."""

    usage: object = (SPENT,)
    note: object = ""
    model: object = None

    def solve(self, session: Session, /) -> Attempt:
        (session.workspace.root / "answer.txt").write_text("42\n")
        return Attempt(
            ending=Ending.FINISHED,
            usage=cast("tuple[Usage, ...]", self.usage),
            note=cast("str", self.note),
            model=cast("str", self.model),
        )


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    for name in ("first", "second"):
        (tmp_path / "small" / name / "before").mkdir(parents=True)
        (tmp_path / "small" / name / "before/answer.txt").write_text("41\n")
        (tmp_path / "small" / name / "task.toml").write_text(TASK.format(name=name))
    Path("run.toml").write_text(CONFIG)


def done(odd: object, *, resume: bool = False) -> RunRecord:
    found = prepare(load((Path("run.toml"),)))
    solvers = {"odd": cast("Solver", odd), "good": RIGHT}
    prepared = evolve(found, plugins=evolve(found.plugins, solvers=solvers))
    return run(prepared, RunDirectory(Path("runs/run")), resume=resume).record


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (Odd(note=b"bytes"), "TypeError"),
        (Odd(model={1, 2}), "set can't be written as JSON"),
        (Odd(usage=("of another type",)), "AttributeError"),
        (Odd(usage=(Usage(cost_usd=float("inf")),)), "ValueError"),
    ],
)
def test_an_odd_value_makes_its_own_trial_infra_and_loses_no_other(odd: Odd, said: str) -> None:
    record = done(odd)
    assert [("first", "odd"), ("first", "good"), ("second", "odd"), ("second", "good")] == [
        (trial.task, trial.solver) for trial in record.trials
    ]
    assert [None, True, None, True] == [trial.resolved for trial in record.trials]
    trial = record.trials[0]
    assert Ending.INFRA is trial.ending
    assert "its record can't be written: " in trial.note
    assert said in trial.note
    # What the attempt left is kept all the same.
    assert Path("runs/run/trials/first/odd/1/tree.json").exists()
    again = done(Odd(), resume=True)
    assert [True] * 4 == [one.resolved for one in again.trials]


def test_what_an_attempt_cost_is_kept_beside_an_odd_value() -> None:
    trial = done(Odd(note=b"bytes")).trials[0]
    assert (0.25, (SPENT,)) == (trial.cost_usd, trial.usage)
    assert trial.wall_s is not None


def test_a_number_of_another_library_is_a_number() -> None:
    used = Usage(model="m", output=cast("int", Int64(7)))
    trial = done(Odd(usage=(used,))).trials[0]
    assert (Ending.FINISHED, True, 7) == (trial.ending, trial.resolved, trial.usage[0].output)
    assert read_run(RunDirectory(Path("runs/run"))).trials[0] == trial


def test_a_sound_trial_is_left_as_it_is() -> None:
    trial = Trial(task="a", digest="d", family="a", solver="s", ending=Ending.FINISHED)
    assert trial is writable(trial)
    stopped = evolve(trial, ending=Ending.INTERRUPTED, note=cast("str", 5))
    assert Ending.INTERRUPTED is writable(stopped).ending
