from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import Brief, Ending, Fence, MachineError, Workspace
from fairtrial.conformance.fakes.session import FakeSession
from fairtrial.conformance.fakes.workspace import open_local
from fairtrial_solver_command import CommandSolver
from fairtrial_solver_command.result import Pointers


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


def test_no_file_of_the_users_is_taken_for_one_of_fairtrials(
    session: FakeSession, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/prompt.txt").write_text("my own prompt")
    solver = CommandSolver(
        argv=("cat", "{scratch}/prompt.txt", "{prompt_file}"), files=tmp_path / "mine"
    )
    assert Ending.FINISHED is solver.solve(session).ending
    kept = session.scratch / "native/stdout"
    assert "my own promptdo it" == kept.read_text()


@pytest.mark.parametrize("name", ["native", "native/stdout", "native/stdout/lines"])
def test_a_file_of_the_users_may_have_the_name_of_a_log(
    session: FakeSession, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("here")
    solver = CommandSolver(argv=("cat", f"{{scratch}}/{name}"), files=tmp_path / "mine")
    assert Ending.FINISHED is solver.solve(session).ending
    assert "here" == (session.scratch / "native/stdout").read_text()


def test_logs_are_not_moved_to_where_a_link_leads(session: FakeSession, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    line = 'rmdir "$0/native" && ln -s "$1" "$0/native" && echo said'
    argv = ("sh", "-c", line, "{scratch}", str(tmp_path / "elsewhere"))
    assert Ending.FINISHED is CommandSolver(argv=argv).solve(session).ending
    assert [] == [*(tmp_path / "elsewhere").iterdir()]
    assert "said\n" == (session.scratch / "native/stdout").read_text()


def test_nothing_is_moved_from_where_a_link_leads(session: FakeSession, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/stdout").write_text('{"cost": 9}')
    line = (
        'mv "$0/.fairtrial" "$0/x" && mkdir "$0/.fairtrial" && ln -s "$1" "$0/.fairtrial/native"'
    )
    solver = CommandSolver(
        argv=("sh", "-c", f"{line} && echo said", "{scratch}", str(tmp_path / "elsewhere")),
        result="stdout",
        pointers=Pointers(cost="/cost"),
    )
    attempt = solver.solve(session)
    assert (Ending.FINISHED, ()) == (attempt.ending, attempt.usage)
    assert ["stdout"] == [path.name for path in (tmp_path / "elsewhere").iterdir()]
    assert "said\n" == (session.scratch / "native/stdout").read_text()


PROBE = 'echo 1.2.3; cd "$0"; for f in $1; do mkdir -p $(dirname $f); echo probed >$f; done'


def asked(*left: str, **fields: object) -> CommandSolver:
    """Returns a solver that leaves files when it is asked its version, and no others."""
    return CommandSolver(
        argv=("cat", "{prompt_file}"),
        version_argv=("sh", "-c", PROBE, "{scratch}", " ".join(left)),
        **fields,  # type: ignore[arg-type]  # fields of the solver
    )


def test_logs_of_a_program_that_is_asked_its_version_are_not_the_attempts(
    session: FakeSession,
) -> None:
    solver = asked(
        "native/log", "native/deep/log", ".fairtrial/native/log", ".fairtrial/prompt.txt"
    )
    attempt = solver.solve(session)
    assert (Ending.FINISHED, "1.2.3") == (attempt.ending, attempt.agent_version)
    kept = session.scratch / "native"
    assert ["stderr", "stdout"] == sorted(path.name for path in kept.iterdir())
    assert "do it" == (kept / "stdout").read_text()


@pytest.mark.parametrize("lays", ["ln -s / .fairtrial/native", "mkdir .fairtrial/stdout"])
def test_what_is_laid_where_logs_will_be_leads_no_log_elsewhere(
    session: FakeSession, lays: str
) -> None:
    own = "mkdir .fairtrial/native; mv .fairtrial/stdout .fairtrial/native/stdout; true"
    solver = CommandSolver(
        argv=("echo", "said"), version_argv=("sh", "-c", f'cd "$0"; {lays}; {own}', "{scratch}")
    )
    assert Ending.FINISHED is solver.solve(session).ending
    assert "said\n" == (session.scratch / "native/stdout").read_text()


@pytest.mark.parametrize("name", ["native", "native/mine", "native/mine/deep"])
def test_the_users_own_files_outlast_the_question_for_a_version(
    session: FakeSession, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("here")
    solver = evolve(
        asked("native/log", files=tmp_path / "mine"), argv=("cat", f"{{scratch}}/{name}")
    )
    assert Ending.FINISHED is solver.solve(session).ending
    assert "here" == (session.scratch / "native/stdout").read_text()
    assert not (session.scratch / "native/log").exists()


def test_the_private_directory_stays_private(session: FakeSession, tmp_path: Path) -> None:
    session.scratch.chmod(0o700)
    (tmp_path / "mine").mkdir(mode=0o755)
    CommandSolver(argv=("true",), files=tmp_path / "mine").solve(session)
    assert 0o700 == session.scratch.stat().st_mode & 0o777


def test_a_folder_that_holds_fairtrials_own_name_is_refused(
    session: FakeSession, tmp_path: Path
) -> None:
    (tmp_path / "mine/.fairtrial").mkdir(parents=True)
    with pytest.raises(MachineError) as caught:
        CommandSolver(argv=("true",), files=tmp_path / "mine").solve(session)
    problem = f"the folder “{tmp_path / 'mine'}” holds “.fairtrial”, which is fairtrial's own name"
    assert problem == caught.value.problem
