"""Workers as real processes: one that keeps the protocol, and many that don't."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve
from fairtrial.api import (
    AssistantText,
    Brief,
    CostSource,
    Ending,
    LogMessage,
    MachineError,
    ModelUsage,
    OtherEvent,
    Outlook,
    Solver,
    ToolCall,
    ToolResult,
    TurnEnd,
    Usage,
    UserMessage,
)
from fairtrial.conformance import SolverConformance
from fairtrial.conformance.fakes import FakeSession, open_local
from fairtrial_solver_worker import WorkerSolver
from fairtrial_solver_worker.talk import VERSIONS

HERE = Path(__file__).parent
REFERENCE = HERE / "reference_worker.py"
FAULTY = HERE / "faulty_worker.py"
KEEPING = WorkerSolver(argv=(sys.executable, str(REFERENCE), "{socket}"))


def faulty(way: str) -> WorkerSolver:
    argv = (sys.executable, str(FAULTY), "{socket}", way)
    return WorkerSolver(argv=argv, heartbeat_s=0.2, connect_s=1.0, grace_s=0.2)


class TestWorker(SolverConformance):
    entry_point = "worker"
    asks_questions = True

    @pytest.fixture
    def solver(self) -> WorkerSolver:
        return KEEPING

    def stuck(self, solver: Solver) -> Solver:
        return evolve(faulty("mute"), heartbeat_s=10.0)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[FakeSession]:
    with open_local("worker") as workspace:
        brief = Brief(prompt="Write the sum.", timeout_s=30, budget_usd=2.0)
        yield FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)


def heard(session: FakeSession) -> list[dict[str, object]]:
    lines = (session.scratch / "native/control.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_worker_is_heard_from_hello_to_finish(session: FakeSession) -> None:
    attempt = KEEPING.solve(session)
    assert (Ending.FINISHED, "reference-1", "reference 2.1", "") == (
        attempt.ending,
        attempt.model,
        attempt.agent_version,
        attempt.note,
    )
    told = Usage(
        model="reference-1",
        input_uncached=12,
        output=3,
        cost_usd=0.01,
        cost_source=CostSource.REPORTED,
    )
    assert (told,) == attempt.usage
    end = session.events[-1]
    assert isinstance(end, TurnEnd)
    assert end.duration_ms is not None
    assert end.duration_ms > 0
    kinds = [type(event) for event in session.events]
    assert [UserMessage, ToolCall, ToolResult, AssistantText, OtherEvent, TurnEnd] == kinds
    assert (
        OtherEvent(kind="checkpoint", fields={"type": "checkpoint", "number": 1})
        == session.events[-2]
    )
    assert "5\n" == (session.workspace.root / "answer.txt").read_text()


def test_a_question_goes_to_the_answerer_and_its_answer_back(session: FakeSession) -> None:
    session.brief = evolve(session.brief, prompt="Ask me, then write the sum.")
    KEEPING.solve(session)
    assert [["five", "5"]] == [[one.label for one in q.options] for q in session.questions]
    assert "five\n" == (session.workspace.root / "answer.txt").read_text()


def test_a_worker_whose_time_is_up_may_finish_within_the_grace(session: FakeSession) -> None:
    session.brief = evolve(session.brief, prompt="Write the sum slowly.", timeout_s=1.0)
    attempt = KEEPING.solve(session)
    assert (Ending.TIMED_OUT, "timeout", 1) == (attempt.ending, attempt.limit, len(attempt.usage))


def test_one_that_does_not_is_ended(session: FakeSession) -> None:
    session.brief = evolve(session.brief, timeout_s=1.0)
    start = time.monotonic()
    attempt = evolve(faulty("mute"), heartbeat_s=10.0).solve(session)
    assert (Ending.TIMED_OUT, "timeout") == (attempt.ending, attempt.limit)
    assert "it did not finish within 0.2 s of being told to" == attempt.note
    assert time.monotonic() - start < 10


def test_a_model_that_is_told_twice_is_counted_twice(session: FakeSession) -> None:
    attempt = faulty("twice").solve(session)
    assert [3, 3] == [usage.output for usage in attempt.usage]
    end = session.events[-1]
    assert isinstance(end, TurnEnd)
    assert {"m": ModelUsage(output_tokens=6)} == end.model_usage


BROKEN = "the worker broke the attempt off: "


@pytest.mark.parametrize(
    ("way", "note"),
    [
        ("exits", "it died: it ended before it opened its socket (exit status 1: no licence)"),
        ("never-listens", "it opened no socket within 1 s"),
        ("mute-at-once", "nothing was heard of it for 0.6 s"),
        ("mute", "nothing was heard of it for 0.6 s"),
        ("dies", "it died: it closed the connection (signal 9)"),
        ("version", "it speaks another version of the protocol (2.0; ours: 1.0)"),
        ("claims", "it speaks another version of the protocol (7.0; ours: 1.0)"),
        ("early", "it sent rubbish: `finish` before the reply to `hello`"),
        ("unnumbered", "it sent rubbish: `ask` without an id"),
        ("refuses", "no seat is free"),
        ("no-json", "it sent rubbish: no JSON: Traceback (most recent call last):"),
        ("no-rpc", 'it sent rubbish: no JSON-RPC 2.0: {"method": "finish"}'),
        ("binary", "it sent rubbish: no JSON: \ufffd\ufffd\x00"),
        ("endless", "it sent rubbish: a line of more than 4194304 bytes"),
        ("ending", "it sent rubbish: `finish` with the ending “excellent”"),
        ("untyped", "it sent rubbish: an event without a type"),
        (
            "mistyped",
            "it sent rubbish: an event “assistant_text” whose text is of another type",
        ),
        (
            "cut-event",
            "it sent rubbish: an event “tool_call” without a field that it must have",
        ),
        ("nothing-asked", "it sent rubbish: `ask` without a question"),
        ("stray-reply", "it sent rubbish: a reply to a request that was not made: 99"),
    ],
)
def test_a_worker_that_breaks_the_protocol_is_infra_with_the_reason(
    session: FakeSession, way: str, note: str
) -> None:
    attempt = faulty(way).solve(session)
    assert Ending.INFRA is attempt.ending
    # One that is cut off while it writes may end by itself before it is ended, and that is told.
    cut_off = f"{BROKEN}{note} (exit status 1: BrokenPipeError: [Errno 32] Broken pipe)"
    assert attempt.note in {BROKEN + note, cut_off}
    assert LogMessage(level="error", message=attempt.note) == session.events[-2]


def test_a_worker_that_runs_already_is_connected_to(session: FakeSession, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere.sock"
    with subprocess.Popen([sys.executable, str(REFERENCE), str(place)]) as running:
        attempt = WorkerSolver(socket=place).solve(session)
        assert 0 == running.wait(10)
    assert Ending.FINISHED is attempt.ending
    assert "5\n" == (session.workspace.root / "answer.txt").read_text()


def test_an_attempt_that_is_broken_off_leaves_a_worker_elsewhere(
    session: FakeSession, tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere.sock"
    session.brief = evolve(session.brief, prompt="Write the sum slowly.")
    with subprocess.Popen([sys.executable, str(REFERENCE), str(place)]) as running:
        later = threading.Timer(1.0, session.workspace.settle)
        later.start()
        attempt = WorkerSolver(socket=place).solve(session)
        assert 0 == running.wait(10)
    assert Ending.INFRA is attempt.ending


def test_a_socket_that_nobody_serves_is_infra(session: FakeSession, tmp_path: Path) -> None:
    attempt = WorkerSolver(socket=tmp_path / "none.sock", connect_s=0.1).solve(session)
    assert (Ending.INFRA, BROKEN + "it opened no socket within 0.1 s") == (
        attempt.ending,
        attempt.note,
    )


def test_a_worker_that_is_not_installed_is_the_users_to_mend(session: FakeSession) -> None:
    with pytest.raises(MachineError, match="“no-such-worker” can't be started"):
        WorkerSolver(argv=("no-such-worker", "{socket}")).solve(session)


def test_the_users_own_files_lie_in_the_scratch(session: FakeSession, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "worker.py").write_bytes(REFERENCE.read_bytes())
    argv = (sys.executable, "{scratch}/worker.py", "{socket}")
    (folder / "native").touch()
    (folder / "s").touch()
    assert Ending.FINISHED is WorkerSolver(argv=argv, files=folder).solve(session).ending
    assert "event" in [message.get("method") for message in heard(session)]


def test_a_key_reaches_the_worker_and_no_log(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKER_KEY", "a-secret-of-the-user")
    shell = 'printf %s "$WORKER_KEY" > seen.txt; exec "$@"'
    solver = evolve(
        KEEPING, argv=("sh", "-c", shell, "sh", *KEEPING.argv), pass_env=("WORKER_KEY",)
    )
    solver.solve(session)
    assert "a-secret-of-the-user" == (session.workspace.root / "seen.txt").read_text()
    kept = b"".join(path.read_bytes() for path in (session.scratch / "native").iterdir())
    assert b"a-secret-of-the-user" not in kept


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "either 'argv' or 'socket'"),
        ({"argv": ("worker",)}, "argv must tell the worker where to listen"),
        ({"argv": ("worker", "{socket}"), "socket": Path("x")}, "either 'argv' or 'socket'"),
    ],
)
def test_a_config_that_makes_no_sense_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        WorkerSolver(**fields)  # type: ignore[arg-type]  # that is the test


def test_a_worker_with_a_key_can_spend() -> None:
    assert [None, True, False] == [
        KEEPING.spends,
        evolve(KEEPING, pass_env=("KEY",), spends=True).spends,
        WorkerSolver(argv=KEEPING.argv, pass_env=("KEY",), spends=False).spends,
    ]
    assert WorkerSolver(argv=KEEPING.argv, pass_env=("KEY",)).spends is True


def schema(part: str) -> jsonschema.protocols.Validator:
    text = files("fairtrial_solver_worker").joinpath("protocol.schema.json").read_text()
    whole = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(whole)
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]})


def test_both_sides_keep_to_the_schema(session: FakeSession, tmp_path: Path) -> None:
    """A listener between the two hears every line of both."""
    session.brief = evolve(session.brief, prompt="Ask me, then slowly.", timeout_s=1.0)
    outer, inner = tmp_path / "outer.sock", tmp_path / "inner.sock"
    said: list[tuple[str, dict[str, object]]] = []

    def pass_on(part: str, source: socket.socket, target: socket.socket) -> None:
        for line in source.makefile("rb"):
            said.append((part, json.loads(line)))
            target.sendall(line)
        target.shutdown(socket.SHUT_RDWR)

    with (
        subprocess.Popen([sys.executable, str(REFERENCE), str(inner)]) as running,
        socket.socket(socket.AF_UNIX) as listener,
        socket.socket(socket.AF_UNIX) as onwards,
    ):
        listener.bind(str(outer))
        listener.listen(1)
        attempts: list[Ending] = []
        solver = WorkerSolver(socket=outer)
        solving = threading.Thread(target=lambda: attempts.append(solver.solve(session).ending))
        solving.start()
        connection, _ = listener.accept()
        while not inner.exists():
            time.sleep(0.01)
        onwards.connect(str(inner))
        ways = [("from-harness", connection, onwards), ("from-worker", onwards, connection)]
        threads = [threading.Thread(target=pass_on, args=way) for way in ways]
        for thread in (*threads, solving):
            if thread is not solving:
                thread.start()
        solving.join(20)
        assert 0 == running.wait(10)
        for thread in threads:
            thread.join(5)
        connection.close()
    assert [Ending.TIMED_OUT] == attempts
    for part, message in said:
        schema(part).validate(message)
    methods = {message.get("method") for _, message in said}
    assert {"hello", "start", "cancel", "ask", "event", "finish", None} <= methods


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "1.0", "method": "heartbeat"},
        {"jsonrpc": "2.0", "method": "finish", "params": {"ending": "excellent"}},
        {"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "log"}}},
        {"jsonrpc": "2.0", "method": "ask", "params": {"questions": [{"text": "?"}]}},
    ],
)
def test_the_schema_refuses_what_the_solver_refuses(message: dict[str, object]) -> None:
    assert not schema("from-worker").is_valid(message)


def test_the_page_names_every_method_and_the_version() -> None:
    page = (HERE.parents[3] / "docs/worker-protocol.md").read_text()
    for word in ("hello", "start", "event", "ask", "cancel", "finish", "heartbeat", *VERSIONS):
        assert f"`{word}`" in page


def test_what_it_lacks_is_said_before_a_run(
    session: FakeSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = session.workspace
    assert KEEPING.lacks(Outlook(workspace=workspace)) is None
    # Its socket may be opened later.
    assert WorkerSolver(socket=tmp_path / "none.sock").lacks(Outlook(workspace=workspace)) is None
    absent = WorkerSolver(argv=("nonesuch-worker", "{socket}"), pass_env=("NONESUCH_KEY",))
    assert "the variable “NONESUCH_KEY” is not set" == str(
        absent.lacks(Outlook(workspace=workspace))
    )
    monkeypatch.setenv("NONESUCH_KEY", "a-key-of-the-user")
    assert "the program “nonesuch-worker” is not installed" == str(
        absent.lacks(Outlook(workspace=workspace))
    )
    away = evolve(KEEPING, files=tmp_path / "none")
    assert f"the folder “{tmp_path}/none” can't be copied" == str(
        away.lacks(Outlook(workspace=workspace))
    )
