"""Keys that an agent had, or printed, are nowhere in what is kept of its trial."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import structlog
from attrs import frozen
from fairtrial.api import (
    AssistantText,
    Attempt,
    Check,
    CheckKind,
    Ending,
    Finding,
    Question,
    Session,
    ToolCall,
    Trial,
    Verdict,
)
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine import artifacts
from fairtrial.engine.directory import RunDirectory
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.secrecy import copy_without_keys, holds_logs, without_secrets
from fairtrial.engine.trial import run_trial
from fairtrial.processes.removal import remove_tree

KEY = "sk-ant-api03-abcdefghijkl"
TOKEN = "ghp_" + "a1B2" * 9


@frozen
class Leaky:
    """Tells its key in every way that it has."""

    def solve(self, session: Session, /) -> Attempt:
        session.record(AssistantText(text=f"export ANTHROPIC_API_KEY={KEY}"))
        session.record(
            ToolCall(tool_call_id="1", name="Bash", input={"env": {"password": "hunter22"}})
        )
        session.ask(Question(text=f"is {TOKEN} right?"))
        (session.workspace.root / "settings").write_text(f"key = {KEY}\ntoken = parse(line)\n")
        native = session.scratch / "native"
        native.mkdir()
        (native / "log").write_text(f'{{"key":"{KEY}","token":1234567}}')
        return Attempt(ending=Ending.FINISHED, note=f"Bearer abcdefghijkl {TOKEN}")


def test_no_file_of_a_trial_but_the_tree_holds_a_key(
    make_room: Callable[..., Room], directory: RunDirectory
) -> None:
    task = next(iter(ThreeTaskSuite().tasks()))
    room = make_room(solvers={"leaky": Leaky()})
    trial = without_secrets(run_trial(Cell(task=task, solver="leaky", rollout=1), room))
    place = directory.trial(task.id, "leaky", 1)
    kept = {path.name: path.read_text() for path in place.rglob("*") if path.is_file()}
    assert {"tree.json", "patch.diff", "trajectory.jsonl", "log"} <= kept.keys()
    tree = artifacts.tree(place)
    assert [KEY in (change.after or b"").decode() for change in tree.changes].count(True) == 1
    del kept["tree.json"]
    for name, text in kept.items():
        assert KEY not in text, name
        assert TOKEN not in text, name
        assert "hunter22" not in text, name
    assert "+token = parse(line)" in kept["patch.diff"]
    assert '{"key":"sk-ant-…","token":1234567}' == kept["log"]
    assert "Bearer … ghp_…" == trial.note
    assert TOKEN not in repr(trial)


def test_every_text_of_a_trial_is_redacted_and_nothing_else_changes() -> None:
    check = Check(name="tests", kind=CheckKind.VISIBLE, passed=False, why=f"got {KEY}")
    trial = Trial(
        task="t",
        digest="d",
        family="t",
        solver="s",
        ending=Ending.FINISHED,
        verdict=Verdict(checks=(check,), suite_version="1"),
        findings=(Finding(rule="r", enforcing=True, evidence=f"password={TOKEN}"),),
        submission=f"https://me:{TOKEN}@host/pull/1",
        changed=("token=abcdefg",),
    )
    shown = without_secrets(trial)
    assert shown.verdict is not None
    assert shown.findings is not None
    assert "got sk-ant-…" == shown.verdict.checks[0].why
    assert "password=ghp_…" == shown.findings[0].evidence
    assert "https://…@host/pull/1" == shown.submission
    assert ("token=abcdefg",) == shown.changed
    assert shown == without_secrets(shown)


def test_logs_are_copied_and_nothing_behind_a_link_or_in_a_pipe_is(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("x")
    native = tmp_path / "native"
    (native / "deep").mkdir(parents=True)
    (native / "deep/text").write_text(f"a {TOKEN}\n")
    (native / "bytes").write_bytes(b"\xff\x00 plain")
    (native / "latin").write_bytes(b"\xe9 " + KEY.encode())
    (native / "base").write_bytes(b"\x00" + KEY.encode())
    (native / "link").symlink_to(tmp_path / "outside")
    os.mkfifo(native / "pipe")
    copy_without_keys(native, tmp_path / "kept")
    found = {str(p.relative_to(tmp_path / "kept")) for p in (tmp_path / "kept").rglob("*")}
    assert {"deep", "deep/text", "bytes", "latin", "link"} == found
    assert "a ghp_…\n" == (tmp_path / "kept/deep/text").read_text()
    assert b"\xe9 sk-ant-\xe2\x80\xa6" == (tmp_path / "kept/latin").read_bytes()
    assert (tmp_path / "kept/link").is_symlink()


def test_logs_that_are_locked_are_told_and_break_nothing() -> None:
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    ourselves = os.geteuid()
    if ourselves == 0:  # a lock holds nothing back from the superuser
        os.chown(place, 65534, 65534)
        os.seteuid(65534)
    try:
        (place / "native/deep").mkdir(parents=True)
        for name in ("open", "locked", "deep/text"):
            (place / "native" / name).write_text("said")
        (place / "native/locked").chmod(0)
        (place / "native/deep").chmod(0)
        with structlog.testing.capture_logs() as logs:
            copy_without_keys(place / "native", place / "kept")
            place.chmod(0)
            assert not holds_logs(place / "native")
            place.chmod(0o700)
    finally:
        os.seteuid(ourselves)
    assert ["open"] == [path.name for path in (place / "kept").iterdir()]
    assert remove_tree(place)
    told = [(each["file"], each["because"]) for each in logs]
    assert [(name, "Permission denied") for name in ("locked", "deep", "native")] == told
