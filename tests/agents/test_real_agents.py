"""What the real programs do with a scripted model: their tools, their questions, their tokens."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.agents import AgentCommand
from fairtrial.agents.desk import Desk, lay_helper
from fairtrial.api import (
    Brief,
    Ending,
    Fence,
    ToolCall,
    ToolResult,
)
from fairtrial.conformance.fakes import CannedAnswers, FakeSession, open_local
from fairtrial.conformance.models import (
    Call,
    Scene,
    ScriptedModelServer,
    ScriptedUsage,
    Step,
)
from fairtrial_solver_acp import AcpSolver
from fairtrial_solver_claude import ClaudeSolver
from fairtrial_solver_codex import CodexSolver
from fairtrial_solver_gemini import GeminiSolver

Begin = Callable[..., FakeSession]
Serve = Callable[..., ScriptedModelServer]

USAGE = ScriptedUsage(input_uncached=1000, cache_read=500, output=90, reasoning=20)
WORK = (
    Step(text="I look first.", shell="echo fixed > answer.txt", usage=USAGE),
    Step(text="All done.", usage=USAGE),
)
CLAUDE = ClaudeSolver(model="claude-opus-4-8", provider_retries=0)
CODEX = CodexSolver(model="gpt-5-codex", provider_retries=0)
GEMINI = GeminiSolver(model="gemini-2.5-pro", provider_retries=0)
ALL = pytest.mark.parametrize("agent", [CLAUDE, CODEX, GEMINI], ids=lambda agent: agent.tool.name)
HARD = "--help -x 'a' \"b\" $HOME `id`\n" + "Ж い ع ξ 🦊 " * 6000


@ALL
def test_a_hard_prompt_is_worked_on_and_every_token_is_counted(
    begin: Begin, serve: Serve, agent: AgentCommand
) -> None:
    server = serve(*WORK)
    session = begin(server, prompt=HARD)
    attempt = agent.solve(session)
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.note)
    assert "fixed\n" == (session.workspace.root / "answer.txt").read_text()
    (used,) = attempt.usage
    assert (2000, 1000, 180) == (used.input_uncached, used.cache_read, used.output)
    assert agent.model == used.model
    assert ["Bash"] == [event.name for event in session.events if isinstance(event, ToolCall)]
    asked = next(seen for seen in server.requests() if "🦊" in str(seen.body))
    assert "--help -x 'a'" in str(asked.body).replace("\\'", "'")


def test_claude_asks_and_its_answer_is_recorded(begin: Begin, serve: Serve) -> None:
    options = [{"label": "up", "description": "ceil"}, {"label": "down", "description": "floor"}]
    entry = {"question": "Which way?", "header": "Way", "multiSelect": False, "options": options}
    ask = Step(calls=(Call(name="AskUserQuestion", arguments={"questions": [entry]}),))
    server = serve(ask, Step(text="Thanks."))
    session = begin(server)
    session.answerer = CannedAnswers(labels={"Which way?": "down"})
    attempt = CLAUDE.solve(session)
    assert Ending.FINISHED == attempt.ending
    assert ["Which way?"] == [question.text for question in session.questions]
    assert [] == [event for event in session.events if isinstance(event, ToolCall | ToolResult)]
    assert "down" in str(list(server.requests())[-1].body["messages"][-2:])


def test_claudes_subagents_are_told_apart_and_counted(begin: Begin, serve: Serve) -> None:
    given = {"description": "Look", "prompt": "SUBAGENT look around", "subagent_type": "Explore"}
    delegate = Step(calls=(Call(name="Task", arguments=given),), usage=USAGE)
    inner = (Step(shell="ls", usage=USAGE), Step(text="Seen.", usage=USAGE))
    server = serve(
        delegate, Step(text="Done.", usage=USAGE), Step(text="Done.", usage=USAGE),
        scenes=(Scene(when="SUBAGENT look", steps=inner),),
    )  # fmt: skip
    session = begin(server)
    attempt = CLAUDE.solve(session)
    assert Ending.FINISHED == attempt.ending
    calls = [event for event in session.events if isinstance(event, ToolCall)]
    assert calls[0].name in {"Task", "Agent"}
    assert calls[0].agent is None
    inside = [call for call in calls if call.agent is not None]
    assert [("Bash", "Explore", "Look")] == [
        (call.name, call.agent.name, call.agent.description) for call in inside if call.agent
    ]
    # Two calls of the subagent, two of the main agent, and one after the subagent's report.
    assert [5 * 90] == [used.output for used in attempt.usage]


def test_claude_stops_at_its_budget(begin: Begin, serve: Serve) -> None:
    dear = ScriptedUsage(input_uncached=100_000, output=5_000)
    server = serve(Step(shell="true", usage=dear), *WORK)
    attempt = CLAUDE.solve(begin(server, budget_usd=0.01))
    assert (Ending.OVER_BUDGET, "budget") == (attempt.ending, attempt.limit)
    assert [(100_000, 5_000)] == [(used.input_uncached, used.output) for used in attempt.usage]


def test_claude_stops_at_its_turns_and_is_graded(begin: Begin, serve: Serve) -> None:
    server = serve(*(Step(shell=f"echo {n} > n", usage=USAGE) for n in range(9)))
    solver = ClaudeSolver(model="claude-opus-4-8", max_turns=2, questions=False)
    attempt = solver.solve(begin(server))
    assert (Ending.FINISHED, "turns") == (attempt.ending, attempt.limit)


def test_claude_has_no_price_for_a_model_that_nobody_knows(begin: Begin, serve: Serve) -> None:
    solver = ClaudeSolver(model="claude-nonesuch-9", provider_retries=0)
    (used,) = solver.solve(begin(serve(Step(text="Hi.", usage=USAGE)))).usage
    assert ("claude-nonesuch-9", 1000, None) == (used.model, used.input_uncached, used.cost_usd)


def test_a_killed_claude_is_counted_by_its_session_file(begin: Begin, serve: Serve) -> None:
    server = serve(
        Step(text="One.", shell="python3 -c 'import time; time.sleep(50)'", usage=USAGE)
    )
    attempt = CLAUDE.solve(begin(server, timeout_s=6.0))
    assert (Ending.TIMED_OUT, "timeout") == (attempt.ending, attempt.limit)
    assert [(1000, 500, 90)] == [
        (used.input_uncached, used.cache_read, used.output) for used in attempt.usage
    ]


def test_an_agent_of_the_client_protocol_asks_for_permission(begin: Begin, serve: Serve) -> None:
    session = begin(serve(*WORK))
    solver = AcpSolver(
        argv=("gemini", "--acp", "--model=gemini-2.5-pro"),
        env={"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"},
        login="gemini-api-key",
    )
    attempt = solver.solve(session)
    assert (Ending.FINISHED, "") == (attempt.ending, attempt.note)
    assert "0.61.0" == attempt.agent_version
    assert "fixed\n" == (session.workspace.root / "answer.txt").read_text()
    assert ["permission"] == [question.header for question in session.questions]
    assert ["Bash"] == [event.name for event in session.events if isinstance(event, ToolCall)]


@pytest.mark.usefixtures("programs")
def test_codex_asks_at_the_desk(serve: Serve, tmp_path: Path) -> None:
    ask = Step(shell="fairtrial-ask 'Which way?' up down > answer.txt", usage=USAGE)
    server = serve(ask, Step(text="Thanks."))
    helper = lay_helper(tmp_path)
    with open_local("test", Fence(path=(helper,))) as workspace:
        session = FakeSession(
            brief=Brief(prompt="Ask.", timeout_s=60.0),
            workspace=workspace,
            scratch=tmp_path,
            environment={"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "of-this-trial"},
            answerer=CannedAnswers(labels={"Which way?": "down"}),
        )
        with Desk(session):
            assert Ending.FINISHED == CODEX.solve(session).ending
        assert "down\n" == (workspace.root / "answer.txt").read_text()
    assert ["Which way?"] == [question.text for question in session.questions]
