"""What a run asks of its sandbox, and that it is proved before anything is spent."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from attrs import evolve, field, frozen
from fairtrial.api import (
    Attempt,
    ConfigError,
    Ending,
    Fence,
    MachineError,
    Network,
    Session,
    Usage,
    Workspace,
)
from fairtrial.builtin.local import LocalSandbox, opened
from fairtrial.cli.app import main
from fairtrial.config import load
from fairtrial.conformance.fakes import ThreeTaskSuite
from fairtrial.engine.plan import Cell
from fairtrial.engine.prepare import prepare
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial

CONFIG = """
[run]
suite = "small"
solvers = ["good"]
sandbox = "{sandbox}"
network = "none"
require_fence = {required}

[suites.small]
plugin = "folder"
path = "small"

[solvers.good]
plugin = "command"
argv = ["sh", "-c", "echo 42 > answer.txt"]
"""
TASK = """
name = "first"
prompt = "`answer.txt` must hold 42."
test_cmd = ["sh", "-c", "grep -q 42 answer.txt && echo Ran 1 test"]
timeout_s = 60
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "small/first/before").mkdir(parents=True)
    (tmp_path / "small/first/before/answer.txt").write_text("41\n")
    (tmp_path / "small/first/task.toml").write_text(TASK)
    return tmp_path


def test_a_required_fence_that_can_not_be_had_stops_before_anything_is_spent(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "run.toml").write_text(CONFIG.format(sandbox="local", required="true"))
    assert 3 == main(["run", "run.toml"])
    said = capsys.readouterr().err
    assert "the sandbox “local” can't keep the fence that is required" in said
    assert not (place / "runs/run/trials.jsonl").exists()
    assert not (place / "runs/run/run.json").exists()


@pytest.mark.parametrize(
    ("sandbox", "required", "kept"),
    [("local", "false", "open"), ("bubblewrap", "true", "none"), ("auto", "true", "none")],
)
def test_what_was_kept_of_the_fence_is_in_the_record(
    place: Path, sandbox: str, required: str, kept: str
) -> None:
    (place / "run.toml").write_text(CONFIG.format(sandbox=sandbox, required=required))
    assert 0 == main(["run", "run.toml"])
    journal = (place / "runs/run/trials.jsonl").read_text()
    assert f'"network":"{kept}"' in journal
    assert '"resolved"' in journal or '"passed":true' in journal


def test_only_the_model_without_a_gateway_is_refused(place: Path) -> None:
    text = CONFIG.format(sandbox="auto", required="false").replace('"none"', '"model-only"')
    (place / "run.toml").write_text(text)
    with pytest.raises(ConfigError, match="has no way to a model"):
        prepare(load((place / "run.toml",)))


@frozen
class OneAddress:
    """A gateway's session that is at one address, and may have a socket."""

    socket: Path | None
    exhausted: bool = False
    environment: Mapping[str, str] = field(
        factory=lambda: {
            "MODEL_BASE_URL": "http://127.0.0.1:39999/secret/v1",
            "SETTINGS": '{"url":"http://localhost:39999","other":"http://example.org:80"}',
        }
    )

    def usage(self) -> tuple[Usage, ...]:
        return ()

    def close(self) -> None:
        pass


@frozen
class OneGateway:
    session: OneAddress

    def open(self, label: str, budget_usd: float | None, /) -> OneAddress:
        return self.session


@frozen
class SaysModelOnly:
    """The sandbox `local`, as if it had a fence."""

    def open(self, label: str, fence: Fence, /) -> AbstractContextManager[Workspace]:
        remarks = {"network": fence.network.value}
        return opened(LocalSandbox(), label, fence, remarks)


@frozen
class Asks:
    seen: list[Mapping[str, str]]

    def solve(self, session: Session, /) -> Attempt:
        self.seen.append(dict(session.environment))
        return Attempt(ending=Ending.FINISHED)


@pytest.fixture
def cell() -> Cell:
    return Cell(task=next(iter(ThreeTaskSuite().tasks())), solver="asks", rollout=1)


@contextmanager
def room_of(
    make_room: object, seen: list[Mapping[str, str]], socket: Path | None
) -> Iterator[Room]:
    room = make_room(solvers={"asks": Asks(seen)})  # type: ignore[operator] - the fixture of conftest.py
    yield evolve(
        room,
        gateway=OneGateway(OneAddress(socket=socket)),
        sandbox=SaysModelOnly(),
        fence=Fence(network=Network.MODEL_ONLY),
    )


def test_behind_a_model_only_fence_the_gateways_address_is_the_relays(
    make_room: object, cell: Cell, tmp_path: Path
) -> None:
    seen: list[Mapping[str, str]] = []
    with room_of(make_room, seen, tmp_path / "socket") as room:
        run_trial(cell, room)
        run_trial(cell, evolve(room, fence=Fence()))
    assert "http://127.0.0.1:4180/secret/v1" == seen[0]["MODEL_BASE_URL"]
    assert '{"url":"http://127.0.0.1:4180","other":"http://example.org:80"}' == seen[0]["SETTINGS"]
    assert "http://127.0.0.1:39999/secret/v1" == seen[1]["MODEL_BASE_URL"]


def test_a_gateway_without_a_socket_is_infra_behind_such_a_fence(
    make_room: object, cell: Cell
) -> None:
    seen: list[Mapping[str, str]] = []
    with room_of(make_room, seen, None) as room:
        trial = run_trial(cell, room)
    assert Ending.INFRA is trial.ending
    assert "the gateway has no socket" in trial.note
    assert [] == seen


def test_checks_keep_what_is_required(make_room: object, tmp_path: Path) -> None:
    with room_of(make_room, [], tmp_path / "socket") as made:
        room = evolve(
            made, fence=Fence(network=Network.OPEN, required=True), sandbox=LocalSandbox()
        )
        task = next(iter(ThreeTaskSuite().tasks()))
        with pytest.raises(MachineError), room.open_for_checks("x", room.equip(task)):
            pass
