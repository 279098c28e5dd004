"""What the solver says before a run that it lacks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import MachineError, Outlook, ProgramMissing, Ready, Workspace
from fairtrial.conformance.fakes import open_local
from fairtrial_solver_command import CommandSolver

ABSENT = CommandSolver(argv=("nonesuch-agent", "{prompt}"))


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test") as workspace:
        yield workspace


def lack(solver: CommandSolver, workspace: Workspace) -> MachineError | None:
    assert isinstance(solver, Ready)
    return solver.lacks(Outlook(workspace=workspace))


@pytest.mark.parametrize(
    "argv",
    [
        ("python3", "{scratch}/agent.py"),
        ("sh", "-c", "nonesuch-agent"),
        ("./agent.sh",),
        ("{scratch}/agent.sh",),
        ("{workspace}/agent.sh",),
    ],
)
def test_a_program_that_is_there_or_may_be_is_no_lack(
    workspace: Workspace, argv: tuple[str, ...]
) -> None:
    assert lack(CommandSolver(argv=argv), workspace) is None


def test_a_program_that_is_nowhere_is_said_as_the_attempt_says_it(workspace: Workspace) -> None:
    said = lack(ABSENT, workspace)
    assert isinstance(said, ProgramMissing)
    assert "the program “nonesuch-agent” is not installed" == said.problem
    assert (("asked for in", "`argv` of a solver “command”"),) == said.facts
    versioned = CommandSolver(argv=("true",), version_argv=("nonesuch-agent", "-V"))
    assert isinstance(lack(versioned, workspace), ProgramMissing)


def test_its_own_path_counts(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "nonesuch-agent").write_text("#!/bin/sh\n")
    (tmp_path / "nonesuch-agent").chmod(0o755)
    assert lack(evolve(ABSENT, env={"PATH": f"{tmp_path}:/bin"}), workspace) is None
    assert lack(evolve(ABSENT, env={"PATH": "{scratch}/bin:/bin"}), workspace) is None
    assert lack(evolve(ABSENT, env={"PATH": "/bin"}), workspace) is not None


def test_a_variable_or_a_folder_that_is_missing_comes_first(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = evolve(ABSENT, pass_env=("NONESUCH_KEY",), files=tmp_path / "none")
    said = lack(solver, workspace)
    assert said is not None
    assert "the variable “NONESUCH_KEY” is not set" == said.problem
    monkeypatch.setenv("NONESUCH_KEY", "a-key-of-the-user")
    said = lack(solver, workspace)
    assert said is not None
    assert f"the folder “{tmp_path}/none” can't be copied" == said.problem
