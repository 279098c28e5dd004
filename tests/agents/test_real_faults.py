"""What becomes of the real programs when their provider fails them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from attrs import define, evolve
from fairtrial.agents import AgentCommand
from fairtrial.api import Ending, Event, TurnEnd
from fairtrial.conformance.fakes import FakeSession
from fairtrial.conformance.models import Script, ScriptedModelServer, ScriptedUsage, Step
from fairtrial.conformance.models.plot import Plot
from fairtrial_solver_claude import ClaudeSolver
from fairtrial_solver_codex import CodexSolver
from fairtrial_solver_gemini import GeminiSolver

Begin = Callable[..., FakeSession]
Serve = Callable[..., ScriptedModelServer]


@define(kw_only=True)
class Mending(FakeSession):
    """A session whose provider works again once an agent has failed at it."""

    server: ScriptedModelServer | None = None

    def record(self, event: Event, /) -> None:
        super().record(event)
        if isinstance(event, TurnEnd) and self.server is not None:
            self.server.plot = Plot(Script(steps=(Step(text="All done."),)))


CLAUDE = ClaudeSolver(model="claude-opus-4-8", retries=0, provider_retries=0)
CODEX = CodexSolver(model="gpt-5-codex", retries=0, provider_retries=0)
GEMINI = GeminiSolver(model="gemini-2.5-pro", retries=0, provider_retries=0)
ALL = pytest.mark.parametrize("agent", [CLAUDE, CODEX, GEMINI], ids=lambda agent: agent.tool.name)


@ALL
def test_a_key_that_is_refused_is_not_the_agents_fault(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    server = serve(Step(error=401, repeat=0))
    attempt = evolve(agent, retries=2).solve(begin(server))
    assert Ending.INFRA == attempt.ending
    assert "check the key that the agent is given" in attempt.note
    assert "started" not in attempt.note


@ALL
@pytest.mark.parametrize("status", [429, 503])
def test_a_provider_that_has_no_room_is_not_the_agents_fault(
    begin: Begin, serve: Serve, agent: AgentCommand, status: int
) -> None:
    attempt = agent.solve(begin(serve(Step(error=status, repeat=0))))
    assert (Ending.INFRA, ()) == (attempt.ending, attempt.usage)
    assert attempt.note


@pytest.mark.parametrize("agent", [CLAUDE, CODEX], ids=lambda agent: agent.tool.name)
def test_after_a_passing_fault_it_is_started_again(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    server = serve(Step(hang_up=True, repeat=0))
    session = Mending(**attrs.asdict(begin(server), recurse=False, filter=lambda a, _: a.init))
    session.server = server
    attempt = evolve(agent, retries=1, retry_wait_s=0.0).solve(session)
    assert Ending.FINISHED == attempt.ending
    assert "done (started 2 times: the provider failed it)" == attempt.note


@pytest.mark.parametrize("agent", [CLAUDE, CODEX], ids=lambda agent: agent.tool.name)
def test_a_stream_that_is_cut_is_not_the_agents_fault(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    cut = Step(text="one two three four five", cut_after=2, repeat=0)
    assert Ending.INFRA == agent.solve(begin(serve(cut))).ending


@ALL
def test_a_model_that_does_not_exist_is_told_so(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    server = serve(Step(error=404, message="model not found", repeat=0))
    attempt = evolve(agent, model="claude-nonesuch-1").solve(begin(server))
    assert Ending.INFRA == attempt.ending
    assert "check the model's name and the address" in attempt.note


@pytest.mark.parametrize("agent", [CLAUDE, CODEX], ids=lambda agent: agent.tool.name)
def test_a_provider_that_falls_silent_is_given_up(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    attempt = evolve(agent, idle_s=4.0).solve(begin(serve(Step(stall_s=60.0))))
    assert (Ending.TIMED_OUT, "idle") == (attempt.ending, attempt.limit)


@ALL
def test_a_program_that_stays_after_its_last_word_is_ended_and_was_done(
    begin: Begin, serve: Serve, agent: AgentCommand, tmp_path: Path
) -> None:
    session = begin(serve(Step(text="All done.", usage=ScriptedUsage(output=90))))
    staying = tmp_path / "staying"
    staying.write_text(f'#!/bin/sh\n"{shutil.which(agent.tool.name)}" "$@"\nexec sleep 600\n')
    staying.chmod(0o755)

    attempt = evolve(agent, program=str(staying), grace_s=0.3).solve(session)

    assert (Ending.FINISHED, "") == (attempt.ending, attempt.note)
    assert [90] == [used.output for used in attempt.usage]
