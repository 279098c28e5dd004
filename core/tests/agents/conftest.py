"""A small agent of the tests' own: a shell script that prints JSON lines, and its driver."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from attrs import define, evolve, frozen
from fairtrial.agents import AgentCommand, Launch, Place, Tool, Transcript, failure
from fairtrial.agents.picking import amount, count, text
from fairtrial.agents.sessions import documents, session_files
from fairtrial.agents.tokens import merged
from fairtrial.api import (
    AssistantText,
    Brief,
    CostSource,
    Event,
    Fence,
    ToolCall,
    Usage,
    Workspace,
)
from fairtrial.conformance.fakes import FakeSession, open_local


@define(kw_only=True)
class EchoTranscript(Transcript):
    usage: tuple[Usage, ...] = ()

    def read(self, document: dict[str, object], /) -> Iterable[Event]:
        match document["type"]:
            case "say":
                return [AssistantText(text=text(document, "text"))]
            case "tool":
                return [ToolCall(tool_call_id="1", name="Bash")]
            case "end":
                self.done, self.model = True, "echo-1"
                self.usage = (
                    Usage(
                        model="echo-1",
                        output=count(document, "output"),
                        cost_usd=amount(document, "cost"),
                        cost_source=CostSource.REPORTED,
                    ),
                )
                if text(document, "error"):
                    self.failure = failure(text(document, "error"), count(document, "status"))
        return ()

    def usages(self) -> tuple[Usage, ...]:
        return self.usage


@frozen(kw_only=True)
class EchoAgent(AgentCommand):
    tool: ClassVar[Tool] = Tool(
        name="echo",
        program="echo-agent",
        package="echo-agent",
        keys=("ECHO_KEY", "ECHO_TOKEN"),
        addresses=("ECHO_URL",),
        oldest=(1, 2, 0),
        sessions=("sessions/*.jsonl",),
    )

    def launch(self, brief: Brief, place: Place, /) -> Launch:
        return Launch(argv=self.args, stdin=brief.prompt.encode())

    def transcript(self) -> EchoTranscript:
        return EchoTranscript()

    def settle(self, transcript: Transcript, place: Place, /) -> None:
        told = [
            Usage(model="echo-1", output=count(row, "output"))
            for path in session_files(place.home, self.tool.sessions)
            for row in documents(path)
            if "output" in row
        ]
        if told and isinstance(transcript, EchoTranscript):
            transcript.usage = merged(told)

    def aside(self, stderr: str, /) -> Iterable[str]:
        return [line for line in stderr.splitlines() if line.startswith("again")]


Script = Callable[..., EchoAgent]
Begin = Callable[..., FakeSession]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


@pytest.fixture
def begin(workspace: Workspace, tmp_path: Path) -> Begin:
    def session(prompt: str = "do it", timeout_s: float = 20.0, **fields: object) -> FakeSession:
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        brief = Brief(prompt=prompt, timeout_s=timeout_s)
        session = FakeSession(brief=brief, workspace=workspace, scratch=scratch)
        for name, value in fields.items():
            setattr(session, name, value)
        return session

    return session


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Writes the agent's program, a shell script; its version is 1.3.0."""
    monkeypatch.setenv("ECHO_KEY", "key-of-the-user")

    def write(*lines: str, version: str = "echo 1.3.0", **fields: object) -> EchoAgent:
        program = tmp_path / "echo-agent"
        head = ("#!/bin/sh", f'[ "$1" = --version ] && {{ {version}; exit; }}')
        program.write_text("\n".join((*head, *lines)) + "\n", encoding="utf-8")
        program.chmod(0o755)
        agent = EchoAgent(program=str(program), grace_s=0.1, retry_wait_s=0.0)
        return evolve(agent, **fields)

    return write
