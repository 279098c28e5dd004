import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fairtrial.api import (
    Answer,
    AssistantText,
    Brief,
    CostSource,
    Ending,
    Fence,
    MachineError,
    Outlook,
    Question,
    Task,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    Usage,
    Workspace,
)
from fairtrial.conformance.fakes import CannedAnswers, FakeSession, open_local
from fairtrial_solver_acp import AcpSolver
from fairtrial_solver_acp.events import usage

AGENT = (sys.executable, str(Path(__file__).parent / "fake_agent.py"))
ODD = (
    "it ended before it began: a reply of another form than the protocol's: "
    "SetSessionConfigOptionResponse"
)
Begin = Callable[..., FakeSession]


class Refusing:
    def answer(self, question: Question, task: Task, /) -> Answer:
        return Answer(by="refusing")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with open_local("test", Fence()) as workspace:
        yield workspace


@pytest.fixture
def begin(workspace: Workspace, tmp_path: Path) -> Begin:
    def session(prompt: str = "do it", timeout_s: float = 30.0) -> FakeSession:
        brief = Brief(prompt=prompt, timeout_s=timeout_s)
        return FakeSession(brief=brief, workspace=workspace, scratch=tmp_path)

    return session


def said(session: FakeSession) -> str:
    return "".join(event.text for event in session.events if isinstance(event, AssistantText))


def solver(*flags: str, **fields: object) -> AcpSolver:
    return AcpSolver(argv=(*AGENT, *flags), grace_s=1.0, **fields)  # type: ignore[arg-type]  # checked by attrs' own validators


def test_a_turn_is_told_from_its_thoughts_to_its_cost(begin: Begin) -> None:
    session = begin()
    attempt = solver("--noise", model="m").solve(session)
    assert (Ending.FINISHED, "", "9.8.7") == (attempt.ending, attempt.note, attempt.agent_version)
    expected = Usage(
        model="m", input_uncached=16, cache_read=14, cache_write_5m=0, cache_write_1h=0, output=8,
        reasoning=3, cost_usd=0.5, cost_source=CostSource.REPORTED,
    )  # fmt: skip
    assert (expected,) == attempt.usage
    kinds = (Thinking, ToolCall, ToolResult, AssistantText)
    assert [
        Thinking(text="hmm"),
        ToolCall(tool_call_id="c1", name="Edit", input={"path": "answer.txt"}),
        ToolResult(tool_call_id="c1", output="written"),
        AssistantText(text="fine"),
    ] == [event for event in session.events if isinstance(event, kinds)]
    assert "do it" == (session.workspace.root / "answer.txt").read_text()
    end = session.events[-1]
    assert isinstance(end, TurnEnd)
    assert end.duration_ms is not None
    assert end.duration_ms > 0


def test_a_request_for_permission_goes_to_the_answerer(begin: Begin) -> None:
    session = begin("scene:permission")
    session.answerer = CannedAnswers(labels={"May I? Write answer.txt": "allow_always"})
    solver().solve(session)
    assert {"outcome": {"outcome": "selected", "optionId": "o-allow_always"}} == (
        json.loads(said(session))
    )
    (question,) = session.questions
    assert ("permission", 3) == (question.header, len(question.options))


def test_what_is_not_answered_is_not_permitted(begin: Begin) -> None:
    session = begin("scene:permission")
    session.answerer = Refusing()
    solver().solve(session)
    assert "o-reject_once" == json.loads(said(session))["outcome"]["optionId"]


def test_all_permissions_may_be_granted_beforehand(begin: Begin) -> None:
    session = begin("scene:permission")
    solver(permissions="allow").solve(session)
    assert "o-allow_always" == json.loads(said(session))["outcome"]["optionId"]
    assert [] == session.questions


def test_a_form_is_filled_in_by_the_answerer(begin: Begin) -> None:
    session = begin("scene:form")
    session.answerer = CannedAnswers(labels={"Which way?\nWay": "up"})
    solver().solve(session)
    assert {"action": "accept", "content": {"way": "up", "sure": True}} == json.loads(
        said(session)
    )
    assert ["Which way?\nWay", "Which way?\nAre you sure?"] == [
        question.text for question in session.questions
    ]


def test_a_form_that_nobody_fills_in_is_declined(begin: Begin) -> None:
    session = begin("scene:form")
    session.answerer = Refusing()
    solver().solve(session)
    assert {"action": "decline"} == json.loads(said(session))


def test_commands_run_in_the_workspace(begin: Begin) -> None:
    session = begin("scene:terminal")
    solver().solve(session)
    told = json.loads(said(session))
    assert 3 == told["exit"]["exitCode"]
    assert f"{session.workspace.inside}\nerr\n" == told["output"]["output"]
    assert (False, 3) == (told["output"]["truncated"], told["output"]["exitStatus"]["exitCode"])


def test_no_path_leads_out_of_the_workspace(begin: Begin) -> None:
    session = begin("scene:outside")
    (session.workspace.root / "link").symlink_to("/etc/passwd")
    solver().solve(session)
    assert [True, True, True, True] == json.loads(said(session))
    assert not Path("/tmp/evil.txt").exists()


@pytest.mark.parametrize(
    ("flag", "ending", "note"),
    [
        ("--logged-out", Ending.INFRA, "it ended before it began: Authentication required"),
        ("--overloaded", Ending.INFRA, "529 overloaded"),
        ("--odd", Ending.INFRA, ODD),
        ("--dies", Ending.CRASHED, "exit status 1: segmentation fault"),
    ],
)
def test_an_end_that_is_no_good_one_says_whose_fault_it_is(
    begin: Begin, flag: str, ending: Ending, note: str
) -> None:
    attempt = solver(flag, model="m" if flag == "--odd" else "").solve(begin())
    assert (ending, note) == (attempt.ending, attempt.note)


def test_a_refusal_is_the_agents_own_end(begin: Begin) -> None:
    attempt = solver().solve(begin("scene:refuse"))
    assert (Ending.FINISHED, "it stopped: refusal") == (attempt.ending, attempt.note)


def test_limits_are_told_apart(begin: Begin) -> None:
    attempt = solver("--stuck").solve(begin(timeout_s=0.5))
    assert (Ending.TIMED_OUT, "timeout") == (attempt.ending, attempt.limit)
    attempt = solver("--stuck", idle_s=0.3).solve(begin())
    assert (Ending.TIMED_OUT, "idle") == (attempt.ending, attempt.limit)


def test_a_program_that_speaks_another_language_never_began(begin: Begin) -> None:
    attempt = AcpSolver(argv=("sh", "-c", "echo hello; echo no >&2; exit 5")).solve(begin())
    assert (Ending.INFRA, "it ended before it began: exit status 5: no") == (
        attempt.ending, attempt.note
    )  # fmt: skip


def test_a_program_that_is_not_installed_is_named(begin: Begin) -> None:
    with pytest.raises(MachineError) as caught:
        AcpSolver(argv=("nonesuch-agent",)).solve(begin())
    assert "the program “nonesuch-agent” is not installed" == caught.value.problem


def test_a_key_in_the_config_is_refused() -> None:
    with pytest.raises(ValueError, match="holds what looks like a key"):
        AcpSolver(argv=("x",), env={"A_KEY": "abcdefghijklmnop1234"})


def test_a_total_shows_what_the_input_counts() -> None:
    told = {"inputTokens": 30, "outputTokens": 5, "cachedReadTokens": 14}
    for total, uncached in ((35, 16), (49, 30), (99, None)):
        found = usage({**told, "totalTokens": total}, None, None)
        assert found is not None
        assert uncached == found.input_uncached
    assert usage({}, None, None) is None


def test_what_it_lacks_is_said_before_a_run(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert solver().lacks(Outlook(workspace=workspace)) is None
    assert AcpSolver(argv=("{scratch}/agent",)).lacks(Outlook(workspace=workspace)) is None
    absent = AcpSolver(argv=("nonesuch-agent", "--acp"), pass_env=("NONESUCH_KEY",))
    assert "the variable “NONESUCH_KEY” is not set" == str(
        absent.lacks(Outlook(workspace=workspace))
    )
    monkeypatch.setenv("NONESUCH_KEY", "a-key-of-the-user")
    assert "the program “nonesuch-agent” is not installed" == str(
        absent.lacks(Outlook(workspace=workspace))
    )


def test_it_is_told_how_long_it_has(begin: Begin) -> None:
    session = begin(timeout_s=40.5)
    AcpSolver(argv=("sh", "-c", "echo $FAIRTRIAL_DEADLINE_S >seconds")).solve(session)
    assert int((session.workspace.root / "seconds").read_text()) in {39, 40}
