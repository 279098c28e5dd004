"""What auditors are shown, what comes of it, and the ledger."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve, field, frozen
from fairtrial.api import (
    Attempt,
    Auditor,
    Ending,
    Evidence,
    Finding,
    Session,
    Task,
    ToolCall,
    Trial,
)
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine import artifacts
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.grading import look_again
from fairtrial.engine.originals import visible_tests
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.snapshot import Difference
from fairtrial.engine.trial import run_trial

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]


@frozen(kw_only=True)
class Works:
    logs: bool = True

    def solve(self, session: Session, /) -> Attempt:
        root = session.workspace.root
        first = min(path for path in root.rglob("*") if path.is_file())
        first.write_text("changed\n")
        (root / "new.txt").write_text("new\n")
        (root / ".git").mkdir()
        (root / ".git/config").write_text("x\n")
        if self.logs:
            session.record(ToolCall(tool_call_id="1", name="Bash", input={"command": "ls"}))
        return Attempt(ending=Ending.FINISHED)


@frozen(kw_only=True)
class Eye:
    seen: list[Evidence] = field(factory=list)
    findings: tuple[Finding, ...] = ()
    monitor: str = "eye-monitor"
    pattern_set: int = 7

    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        self.seen.append(evidence)
        return self.findings


@frozen(kw_only=True)
class ReadsLogs:
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        return None if evidence.events is None else ()


BOUGHT = Finding(rule="bought", enforcing=True, evidence="x", where="1")


def trial_of(
    make_room: MakeRoom,
    make_cell: MakeCell,
    solver: Works,
    *,
    rollout: int = 1,
    **auditors: Auditor,
) -> Trial:
    cell = make_cell("s", rollout=rollout)
    return run_trial(cell, make_room({"s": solver}, auditors=auditors))


def test_an_auditor_sees_what_was_there_before(make_room: MakeRoom, make_cell: MakeCell) -> None:
    eye = Eye()
    trial_of(make_room, make_cell, Works(), eye=eye)
    [evidence] = eye.seen
    assert evidence.before is not None
    changed = {*evidence.patch.paths, *evidence.refused.paths}
    assert changed - {*evidence.before} == {"new.txt", ".git/config"}
    assert b"changed\n" not in evidence.before.values()
    assert (".git/config",) == evidence.refused.paths
    assert evidence.tests is not None
    assert 1 == len(evidence.events or ())


def test_the_audit_is_entered_beside_the_log(
    make_room: MakeRoom, make_cell: MakeCell, directory: RunDirectory
) -> None:
    trial = trial_of(make_room, make_cell, Works(), eye=Eye(findings=(BOUGHT,)))
    [path] = directory.path.rglob("audit.jsonl")
    assert (path.parent / "trajectory.jsonl").exists()
    row = json.loads(path.read_text())
    assert row.pop("ts").endswith("Z")
    assert {
        "monitor": "eye-monitor",
        "pattern_set": 7,
        "events": 1,
        "hits": ["bought"],
        "clean": False,
    } == row
    assert ({"eye": 7}, False) == (trial.audited_by, trial.clean)


def test_what_one_auditor_did_not_find_is_not_clean_without_a_log(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    both = trial_of(make_room, make_cell, Works(), eye=Eye(), logs=ReadsLogs())
    assert ((), True) == (both.unheard, both.clean)
    one = trial_of(make_room, make_cell, Works(logs=False), rollout=2, eye=Eye(), logs=ReadsLogs())
    assert (("logs",), (), None) == (one.unheard, one.findings, one.clean)


def test_what_an_auditor_found_stands_without_a_log(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    found = trial_of(
        make_room, make_cell, Works(logs=False), eye=Eye(findings=(BOUGHT,)), logs=ReadsLogs()
    )
    assert False is found.clean
    assert {"eye": 7} == found.audited_by


def test_where_none_could_judge_nothing_was_audited(
    make_room: MakeRoom, make_cell: MakeCell
) -> None:
    none = trial_of(make_room, make_cell, Works(logs=False), logs=ReadsLogs())
    assert (None, ("logs",), None) == (none.findings, none.unheard, none.clean)


@pytest.fixture
def task() -> Task:
    return next(iter(ThreeTaskSuite().tasks()))


def test_visible_tests_are_those_of_the_stack_and_the_protected(
    task: Task, tmp_path: Path
) -> None:
    files = {
        "tests/test_a.py": "a",
        "b_test.go": "b",
        "gold/x.txt": "c",
        "src/a.py": "d",
        ".git/tests/x": "e",
        "node_modules/x/a.test.js": "f",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "tests/big.py").write_bytes(b"x" * 300_000)
    (tmp_path / "tests/link.py").symlink_to(tmp_path / "src/a.py")
    asked = evolve(task, stack="python", protected=("gold",))
    assert {"tests/test_a.py": b"a", "gold/x.txt": b"c"} == visible_tests(asked, tmp_path)
    anywhere = visible_tests(evolve(task, stack="", protected=()), tmp_path)
    assert {"tests/test_a.py", "b_test.go"} == set(anywhere)


def test_an_audit_done_again_sees_the_same_evidence(
    make_room: MakeRoom, make_cell: MakeCell, directory: RunDirectory
) -> None:
    eye = Eye()
    room = make_room({"s": Works()}, auditors={"eye": eye})
    cell = make_cell("s")
    trial = run_trial(cell, room)
    place = directory.trial(cell.task.id, "s", 1)
    left = Difference(patch=artifacts.tree(place), left_behind={})
    graded = look_again(cell, room, left)
    [first] = eye.seen
    assert (first.patch, first.refused) == (graded.patch, graded.refused)
    assert (first.before, first.tests) == (graded.before, graded.tests)
    assert trial.dropped == tuple(graded.dropped)
