"""A program is looked for where an attempt would find it, and never started for that."""

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.agents import AgentCommand
from fairtrial.agents.files import lacks_files
from fairtrial.agents.presence import lacks_program
from fairtrial.api import (
    EndedBy,
    Finished,
    MachineError,
    Outlook,
    ProgramMissing,
    Ready,
    SandboxDied,
    Workspace,
)
from fairtrial.conformance.fakes import ScriptedWorkspace

Script = Callable[..., AgentCommand]

WHERE = "`argv` of a test"


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    place = tmp_path / "tools" / "tool-of-a-test"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n", encoding="utf-8")
    place.chmod(0o755)
    return place


def test_a_program_is_found_on_the_path_that_it_would_get(
    workspace: Workspace, tool: Path, tmp_path: Path
) -> None:
    lack = lacks_program("tool-of-a-test", workspace, {}, WHERE)
    assert lack is not None
    assert "the program “tool-of-a-test” is not installed" == lack.problem
    assert (("asked for in", WHERE),) == lack.facts
    assert lacks_program("tool-of-a-test", workspace, {"PATH": str(tool.parent)}, WHERE) is None
    assert lacks_program(str(tool), workspace, {}, WHERE) is None
    assert lacks_program("sh", workspace, {}, WHERE) is None
    assert lacks_program("-tool", workspace, {}, WHERE) is not None
    assert lacks_program(f"{tool}-of-none", workspace, {}, WHERE) is not None
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("program", "path"),
    [
        ("./agent", None),
        ("tools/agent", None),
        ("{scratch}/agent", None),
        ("agent-of-none", "{workspace}/bin:/bin"),
        ("agent-of-none", "bin:/bin"),
        ("agent-of-none", ":/bin"),
    ],
)
def test_what_comes_with_the_task_is_not_known_beforehand(
    tmp_path: Path, program: str, path: str | None
) -> None:
    workspace = ScriptedWorkspace(root=tmp_path)
    assert lacks_program(program, workspace, {} if path is None else {"PATH": path}, WHERE) is None
    assert [] == workspace.calls


def test_without_a_shell_to_ask_nothing_is_said(tmp_path: Path) -> None:
    bare = ScriptedWorkspace(root=tmp_path, missing=True)
    assert lacks_program("agent", bare, {}, WHERE) is None
    odd = Finished(code=2, ended_by=EndedBy.EXIT)
    slow = Finished(code=None, ended_by=EndedBy.TIMEOUT)
    for done in (odd, slow):
        workspace = ScriptedWorkspace(root=tmp_path, outcomes=(done,))
        assert lacks_program("agent", workspace, {}, WHERE) is None


def test_a_folder_that_is_not_there_is_said_as_an_attempt_says_it(tmp_path: Path) -> None:
    assert lacks_files(None, WHERE) is None
    assert lacks_files(tmp_path, WHERE) is None
    lack = lacks_files(tmp_path / "none", WHERE)
    assert lack is not None
    assert f"the folder “{tmp_path}/none” can't be copied" == lack.problem


def told(agent: AgentCommand, workspace: Workspace, **environment: str) -> str:
    assert isinstance(agent, Ready)
    lack = agent.lacks(Outlook(workspace=workspace, environment=environment))
    return "" if lack is None else lack.problem


def test_an_agent_that_is_ready_lacks_nothing(workspace: Workspace, script: Script) -> None:
    assert "" == told(script("exit 7"), workspace)


def test_an_agent_says_that_it_is_not_installed(workspace: Workspace, script: Script) -> None:
    agent = evolve(script(), program="nonesuch-agent")
    assert "the program “nonesuch-agent” is not installed" == told(agent, workspace)
    assert isinstance(agent.lacks(Outlook(workspace=workspace)), ProgramMissing)
    # It may be in the task's tree.
    assert "" == told(evolve(agent, program="bin/nonesuch-agent"), workspace)


def test_an_agent_says_that_it_is_another_version(workspace: Workspace, script: Script) -> None:
    agent = script("# versioned", version="echo 1.3.0")
    expected = f"“{agent.program}” is version 1.3.0, and 2 is asked for"
    assert expected == told(evolve(agent, version="2"), workspace)
    old = script("# old", version="echo 1.0.0")
    assert "too old to be read" in told(old, workspace)
    assert isinstance(old.lacks(Outlook(workspace=workspace)), ProgramMissing)


def test_an_agent_says_that_it_has_no_key_unless_it_gets_one_elsewhere(
    workspace: Workspace, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = script()
    monkeypatch.delenv("ECHO_KEY")
    assert "no key for the solver “echo”" == told(agent, workspace)
    assert not isinstance(agent.lacks(Outlook(workspace=workspace)), ProgramMissing)
    assert "" == told(agent, workspace, ECHO_URL="http://127.0.0.1:9")
    assert "" == told(agent, workspace, ECHO_KEY="of-this-trial")
    monkeypatch.setenv("KEY_OF_ANOTHER_NAME", "key-of-the-user")
    assert "" == told(evolve(agent, pass_env=("KEY_OF_ANOTHER_NAME",)), workspace)
    lacks = told(evolve(agent, pass_env=("NONESUCH_KEY",)), workspace)
    assert "the variable “NONESUCH_KEY” is not set" == lacks


def test_an_agent_whose_key_the_gateway_lacks_says_so(
    workspace: Workspace, script: Script
) -> None:
    environment = {"ECHO_URL": "http://127.0.0.1:9", "OTHER_URL": "http://127.0.0.1:9"}
    keyless = {"ECHO_URL": "ECHO_KEY_OF_THE_USER"}
    agent = script()
    lack = agent.lacks(Outlook(workspace=workspace, environment=environment, keyless=keyless))
    assert lack is not None
    assert "the gateway has no key for the solver “echo”" == lack.problem
    assert (("looked for", "ECHO_KEY_OF_THE_USER"),) == lack.facts
    others = Outlook(workspace=workspace, environment=environment, keyless={"OTHER_URL": "X"})
    assert agent.lacks(others) is None
    elsewhere = evolve(agent, env={"ECHO_URL": "http://localhost:1"})
    outlook = Outlook(workspace=workspace, environment=environment, keyless=keyless)
    assert elsewhere.lacks(outlook) is None


def test_a_sandbox_that_dies_under_the_question_is_told_as_such(
    script: Script, tmp_path: Path
) -> None:
    class Dying(ScriptedWorkspace):
        def run(self, *_: object, **__: object) -> Finished:  # type: ignore[override]  # raises in any case
            raise SandboxDied(problem="it died")

    with pytest.raises(SandboxDied):
        script("# dying").lacks(Outlook(workspace=Dying(root=tmp_path)))


def test_what_is_said_beforehand_is_what_the_attempt_says(
    workspace: Workspace, script: Script, begin: Callable[..., object]
) -> None:
    agent = evolve(script(), program="nonesuch-agent")
    lack = agent.lacks(Outlook(workspace=workspace))
    with pytest.raises(MachineError) as caught:
        agent.solve(begin())  # type: ignore[arg-type]  # the fixture of conftest.py
    assert lack is not None
    assert (lack.problem, lack.facts, lack.way_on) == (
        caught.value.problem,
        caught.value.facts,
        caught.value.way_on,
    )
