import copy
import functools
import json
import operator
from collections.abc import Iterable, Iterator

import pytest
from atif import Trajectory
from fairtrial.agents import atif
from fairtrial.api import (
    Agent,
    AssistantText,
    CostSource,
    Event,
    LogMessage,
    Option,
    Question,
    QuestionAnswered,
    QuestionAsked,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    Usage,
    UserMessage,
)
from pydantic import ValidationError

TS = "2026-01-01T00:00:00.000Z"
SUB = Agent(id="t1", name="Explore", description="Look")
QUESTION = Question(text="Which?", options=(Option(label="a"), Option(label="b")))
EVENTS: tuple[Event, ...] = (
    Status(state="working"),
    UserMessage(id="initial", text="Fix it.", ts=TS),
    Thinking(text="hmm", message_id="m1", ts=TS),
    AssistantText(text="I look.", message_id="m1", ts=TS),
    ToolCall(tool_call_id="t1", name="Task", input={"x": 1}, message_id="m1", ts=TS),
    ToolCall(tool_call_id="c2", name="Bash", input={"command": "ls"}, message_id="m2", agent=SUB),
    ToolResult(tool_call_id="c2", output="a", agent=SUB),
    ToolResult(tool_call_id="t1", output="seen", is_error=True, ts=TS),
    QuestionAsked(question_id="1", questions=(QUESTION,)),
    QuestionAnswered(question_id="1", answers={"Which?": "a"}),
    LogMessage(level="info", message="not shown"),
    LogMessage(level="warn", message="slow"),
    ToolResult(tool_call_id="lost", output="an orphan"),
    AssistantText(text="Done."),
    TurnEnd(result="Done."),
)
USAGES = (
    Usage(
        model="m",
        input_uncached=100,
        cache_read=50,
        cache_write_5m=7,
        cache_write_1h=0,
        output=30,
        cost_usd=0.5,
        cost_source=CostSource.PRICED,
    ),
)


def written(**fields: object) -> dict[str, object]:
    document = atif.write(EVENTS, agent="opus", version="2.1.0", usages=USAGES, **fields)  # type: ignore[arg-type]  # names and texts
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]  # an object goes in


def test_what_is_written_holds_the_formats_own_models() -> None:
    document = written(model="m", session_id="page-count/opus/1")
    Trajectory.model_validate(document)
    assert () == atif.faults(document)
    assert "ATIF-v1.7" == document["schema_version"]


def test_events_become_steps_of_one_call_each() -> None:
    steps = written()["steps"]
    assert isinstance(steps, list)
    assert list(range(1, len(steps) + 1)) == [step["step_id"] for step in steps]
    first, second, third, question, warning, orphan, last = steps
    assert ("user", "Fix it.", TS) == (first["source"], first["message"], first["timestamp"])
    assert ("I look.", "hmm") == (second["message"], second["reasoning_content"])
    assert ["Task"] == [call["function_name"] for call in second["tool_calls"]]
    assert [{"source_call_id": "t1", "content": "seen", "extra": {"is_error": True}}] == (
        second["observation"]["results"]
    )
    assert {"id": "t1", "name": "Explore", "description": "Look"} == third["extra"]["agent"]
    assert "AskUserQuestion" == question["tool_calls"][0]["function_name"]
    assert "Which?: a" == question["observation"]["results"][0]["content"]
    assert ("system", "slow") == (warning["source"], warning["message"])
    assert [{"content": "an orphan"}] == orphan["observation"]["results"]
    assert ("agent", "Done.") == (last["source"], last["message"])


def test_totals_include_what_was_cached_and_leave_out_what_is_not_known() -> None:
    assert {
        "total_prompt_tokens": 157, "total_completion_tokens": 30, "total_cached_tokens": 50,
        "total_cost_usd": 0.5, "total_steps": 7,
        "extra": {"cache_write_tokens": 7, "cost_source": "priced"},
    } == written()["final_metrics"]  # fmt: skip
    bare = atif.write(EVENTS, agent="x", usages=(Usage(output=3), *USAGES))
    assert {"total_completion_tokens": 33, "total_steps": 7} == bare["final_metrics"]
    Trajectory.model_validate(bare)


def test_a_trajectory_without_a_step_is_refused() -> None:
    with pytest.raises(ValueError, match="without a single step"):
        atif.write((TurnEnd(),), agent="x")


def test_what_was_written_is_read_back() -> None:
    found = atif.read(written(model="m"))
    assert ("opus", "2.1.0", "m") == (found.agent, found.version, found.model)
    (usage,) = found.usages
    assert (100, 50, 7, 30, 0.5) == (
        usage.input_uncached, usage.cache_read, usage.cache_write_5m, usage.output, usage.cost_usd
    )  # fmt: skip
    assert UserMessage(id="initial", text="Fix it.", ts=TS) == found.events[0]
    calls = [event for event in found.events if isinstance(event, ToolCall)]
    assert ["Task", "Bash", "AskUserQuestion"] == [call.name for call in calls]
    assert [None, SUB, None] == [call.agent for call in calls]
    errors = [event for event in found.events if isinstance(event, ToolResult) and event.is_error]
    assert ["seen"] == [event.output for event in errors]


def test_what_others_wrote_is_read_leniently() -> None:
    inner = {"trajectory_id": "s1", "agent": {"name": "Sub"}, "steps": [
        {"source": "agent", "message": [{"type": "text", "text": "part"}, {"type": "image"}]}]}  # fmt: skip
    document = {
        "schema_version": "ATIF-v1.3", "unknown": 1, "agent": {},
        "steps": ["odd", {"source": "agent", "message": None, "observation": {"results": [
            {"content": "out", "new": 1}]}}, {"source": "user", "message": "go on"}],
        "subagent_trajectories": [inner],
    }  # fmt: skip
    found = atif.read(document)
    assert ("", None, ()) == (found.agent, found.version, found.usages)
    result, user, text, end = found.events
    assert isinstance(result, ToolResult)
    assert isinstance(user, UserMessage)
    assert ("part\n[image]", "s1") == (text.text, text.agent.id)  # type: ignore[union-attr]  # an AssistantText
    assert TurnEnd() == end


@pytest.mark.parametrize(
    "document", [None, [], {}, {"steps": 1}, {"schema_version": "x", "steps": []}]
)
def test_what_is_no_trajectory_is_refused(document: object) -> None:
    with pytest.raises(ValueError, match="not a trajectory of ATIF"):
        atif.read(document)


def broken(change: str) -> dict[str, object]:  # noqa: C901 - one case a rule
    document = written()
    steps = document["steps"]
    assert isinstance(steps, list)
    inner = {**copy.deepcopy(document), "trajectory_id": "s1"}
    match change:
        case "a gap":
            steps[1]["step_id"] = 9
        case "another step's call":
            steps[1]["observation"]["results"][0]["source_call_id"] = "c2"
        case "metrics on a user's step":
            steps[0]["metrics"] = {"prompt_tokens": 1}
        case "no call, but metrics":
            steps[1].update(llm_call_count=0, metrics={"prompt_tokens": 1})
        case "an embedded one without an id":
            document["subagent_trajectories"] = [{**inner, "trajectory_id": None}]
        case "two of one id":
            document["subagent_trajectories"] = [inner, copy.deepcopy(inner)]
        case "a reference to nothing":
            results = steps[1]["observation"]["results"]
            results[0]["subagent_trajectory_ref"] = [{"session_id": "s"}]
        case "a bad time":
            steps[0]["timestamp"] = "yesterday"
        case "an unknown key":
            steps[0]["joules"] = 1
        case "no step":
            document["steps"] = []
        case "an unknown source":
            steps[0]["source"] = "tool"
        case "no agent":
            del document["agent"]
    return document


@pytest.mark.parametrize(
    "change",
    [
        "a gap", "another step's call", "metrics on a user's step", "no call, but metrics",
        "an embedded one without an id", "two of one id", "a reference to nothing", "a bad time",
        "an unknown key", "an unknown source", "no agent",
    ],
)  # fmt: skip
def test_the_strict_check_finds_what_the_formats_own_models_refuse(change: str) -> None:
    document = broken(change)
    with pytest.raises(ValidationError):
        Trajectory.model_validate(document)
    assert atif.faults(document)


WHOLE = {
    "schema_version": "ATIF-v1.7", "session_id": "s", "notes": "n", "extra": {},
    "agent": {
        "name": "a", "version": "1", "model_name": "m", "tool_definitions": [{}], "extra": {},
    },
    "steps": [
        {"step_id": 1, "timestamp": "2026-01-01T00:00:00Z", "source": "user", "message": "hi"},
        {
            "step_id": 2, "source": "agent", "model_name": "m", "reasoning_effort": "high",
            "message": [
                {"type": "text", "text": "x"},
                {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
            ],
            "reasoning_content": "r", "llm_call_count": 1, "is_copied_context": False,
            "tool_calls": [{"tool_call_id": "c", "function_name": "Bash", "arguments": {}}],
            "observation": {"results": [{
                "source_call_id": "c", "content": [{"type": "text", "text": "out"}],
                "subagent_trajectory_ref": [{"trajectory_id": "t", "session_id": "s"}],
            }]},
            "metrics": {
                "prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 3, "cost_usd": 0.1,
                "prompt_token_ids": [1], "logprobs": [-0.5], "extra": {},
            },
        },
    ],
    "final_metrics": {
        "total_prompt_tokens": 10, "total_completion_tokens": 5, "total_cached_tokens": 3,
        "total_cost_usd": 0.1, "total_steps": 2,
    },
    "subagent_trajectories": [{
        "schema_version": "ATIF-v1.7", "trajectory_id": "t", "agent": {"name": "b", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "q"}],
    }],
}  # fmt: skip
GONE = object()


def places(value: object, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner: Iterable[tuple[str | int, object]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, one in inner:
        yield (*before, key)
        yield from places(one, (*before, key))


def changed(place: tuple[str | int, ...], value: object) -> dict[str, object]:
    document = copy.deepcopy(WHOLE)
    holder = functools.reduce(operator.getitem, place[:-1], document)
    if value is GONE:
        operator.delitem(holder, place[-1])
    else:
        operator.setitem(holder, place[-1], value)
    return document


@pytest.mark.parametrize(
    "value", [GONE, None, "", "x", 0, -1, True, 1.5, [], {}, [None], {"new": 1}]
)
def test_the_strict_check_finds_every_change_that_the_formats_own_models_refuse(
    value: object,
) -> None:
    assert () == atif.faults(WHOLE)
    for place in places(WHOLE):
        document = changed(place, value)
        try:
            Trajectory.model_validate(document)
        except ValidationError:
            assert atif.faults(document), place


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        (("agent", "name"), GONE, "agent.name: is missing"),
        (("agent",), [], "agent: is no object"),
        (("steps", 1), 5, "steps[2]: is no object"),
        (
            ("steps", 1, "metrics", "prompt_tokens"),
            10.5,
            "steps[2].metrics.prompt_tokens: is no whole number from 0 on",
        ),
        (("steps", 1, "metrics", "cost_usd"), 10**400, None),
        (("steps", 0, "message"), 5, "steps[1].message: is no text or list"),
        (("steps", 0, "joules"), 5, "steps[1]: “joules” is no field of a step"),
        (
            ("steps", 1, "message", 1, "text"),
            "y",
            "steps[2].message[2].text: a part of the type “image” has none",
        ),
        (
            ("steps", 1, "observation", "results", 0, "source_call_id"),
            {},
            "steps[2].observation.results[1].source_call_id: is no text",
        ),
    ],
)
def test_a_fault_names_its_place(
    place: tuple[str | int, ...], value: object, fault: str | None
) -> None:
    assert ((fault,) if fault else ()) == atif.faults(changed(place, value))


def test_trajectories_inside_of_trajectories_without_end_are_a_fault() -> None:
    document: dict[str, object] = copy.deepcopy(WHOLE)
    for _ in range(2_000):
        document = {**WHOLE, "trajectory_id": "t", "subagent_trajectories": [document]}
    (fault,) = atif.faults(document)
    assert "the document: holds too many trajectories, one inside of the other" == fault


@pytest.mark.parametrize("document", [None, [], "x", {}])
def test_what_is_no_document_has_faults(document: object) -> None:
    assert atif.faults(document)


def test_a_document_without_a_step_is_a_fault() -> None:
    assert ("steps: there is none",) == atif.faults(broken("no step"))


def test_a_sound_embedded_trajectory_is_no_fault() -> None:
    document = written()
    document["subagent_trajectories"] = [{**written(), "trajectory_id": "s1"}]
    Trajectory.model_validate(document)
    assert () == atif.faults(document)
