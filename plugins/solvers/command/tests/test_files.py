from collections.abc import Iterator
from pathlib import Path

import pytest
from fairtrial.api import Brief, Ending, Fence, MachineError, Workspace
from fairtrial.conformance.fakes.session import FakeSession
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial_solver_command import CommandSolver


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


@pytest.fixture
def session(workspace: Workspace, tmp_path: Path) -> FakeSession:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return FakeSession(
        brief=Brief(prompt="do it", timeout_s=20.0), workspace=workspace, scratch=scratch
    )


def test_a_folder_of_the_users_is_there_when_the_program_starts(
    session: FakeSession, tmp_path: Path
) -> None:
    (tmp_path / "mine/lib").mkdir(parents=True)
    (tmp_path / "mine/agent.sh").write_text('cat "$1/lib/part" > answer.txt')
    (tmp_path / "mine/lib/part").write_text("here")
    solver = CommandSolver(argv=("sh", "{scratch}/agent.sh", "{scratch}"), files=tmp_path / "mine")
    assert Ending.FINISHED is solver.solve(session).ending
    assert "here" == (session.workspace.root / "answer.txt").read_text()


def test_what_the_program_does_to_its_files_reaches_nobody_elses(
    session: FakeSession, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/agent.sh").write_text('echo spoilt > "$0"')
    CommandSolver(argv=("sh", "{scratch}/agent.sh"), files=tmp_path / "mine").solve(session)
    assert 'echo spoilt > "$0"' == (tmp_path / "mine/agent.sh").read_text()


def test_a_folder_that_is_not_there_is_no_fault_of_the_agent(
    session: FakeSession, tmp_path: Path
) -> None:
    solver = CommandSolver(argv=("true",), files=tmp_path / "nowhere")
    with pytest.raises(MachineError) as caught:
        solver.solve(session)
    assert f"the folder “{tmp_path / 'nowhere'}” can't be copied" == caught.value.problem
