"""What a log shows, by the worked examples."""

from collections.abc import Mapping

import pytest
from attrs import evolve
from fairtrial import serial
from fairtrial.api import (
    Agent,
    AssistantText,
    Event,
    LogMessage,
    ModelUsage,
    Question,
    QuestionAnswered,
    QuestionAsked,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)
from fairtrial.api.insight import Insight, Repeat, ToolCount
from fairtrial.figures.insight import insight_of


def at(second: float) -> str:
    return f"2026-10-10T00:{int(second) // 60:02d}:{second % 60:06.3f}Z"


def call(name: str, number: int = 1, **given: str) -> ToolCall:
    return ToolCall(tool_call_id=f"c{number}", name=name, input=given)


def turn(*counts: int, model: str = "m", ms: float | None = None) -> TurnEnd:
    usage: Mapping[str, ModelUsage] | None = None
    if counts:
        usage = {
            model: ModelUsage(
                input_tokens=counts[0],
                output_tokens=counts[1],
                cache_read_tokens=counts[2],
                cache_write_tokens=counts[3],
            )
        }
    return TurnEnd(model_usage=usage, duration_ms=ms)


def spent(*events: object) -> dict[str, int]:
    tokens = insight_of(events).tokens  # type: ignore[arg-type]  # a test's shorthand
    return {name: count for name, count in (tokens or {}).items() if count}


def test_tokens_go_to_the_most_telling_tool_and_cached_ones_to_replay() -> None:
    first = [call("Read"), call("Edit"), turn(100, 20, 50, 0)]
    second = [*first, call("Bash"), turn(150, 30, 80, 10)]
    third = [*second, turn(160, 30, 80, 10)]
    fourth = [*third, call("Read"), turn(), call("Grep"), turn(200, 40, 80, 10)]
    fifth = [*fourth, turn(190, 40, 80, 10)]
    assert {"edit": 120, "replay": 50} == spent(*first)
    assert {"edit": 120, "command_output": 60, "replay": 90} == spent(*second)
    assert {"edit": 120, "command_output": 60, "reasoning": 10, "replay": 90} == spent(*third)
    assert 50 == spent(*fourth)["search"]
    assert spent(*fourth) == spent(*fifth)
    # The baseline became the smaller count: what grows from there counts again.
    assert 51 == spent(*fifth, call("Grep"), turn(191, 40, 80, 10))["search"]


def test_an_unknown_tool_is_reasoning() -> None:
    assert {"reasoning": 30} == spent(call("WebFetch"), turn(20, 10, 0, 0))


def test_a_monotone_usage_is_spent_to_the_last_token() -> None:
    assert 290 == sum(spent(call("Read"), turn(100, 20, 50, 0), turn(150, 30, 100, 10)).values())


def test_without_usage_no_category_is_known() -> None:
    assert insight_of([call("Read"), turn()]).tokens is None


def test_models_are_kept_apart() -> None:
    found = insight_of([call("Read"), turn(10, 0, 0, 0, model="a"), turn(7, 0, 0, 0, model="b")])
    assert {"a": 10, "b": 0} == {m: t["read"] for m, t in found.tokens_by_model.items()}
    assert 7 == found.tokens_by_model["b"]["reasoning"]


def test_waiting_for_an_answer_is_not_working_time() -> None:
    found = insight_of(
        [
            Status(ts=at(0), state="working"),
            QuestionAsked(ts=at(10), question_id="q", questions=(Question(text="?"),) * 2),
            Status(ts=at(10), state="waiting_for_answer"),
            QuestionAnswered(ts=at(30), question_id="q"),
            Status(ts=at(30), state="working"),
            turn(ms=60_000),
            turn(ms=30_000),
        ]
    )
    assert (70_000, 20_000, 30_000) == (found.working_ms, found.waiting_ms, found.wall_ms)
    assert (1, 2) == (found.questions, found.question_items)
    # The silence while the question waited is nobody's.
    assert 10_000 == found.longest_silence_ms


def test_tools_subagents_and_errors_are_counted() -> None:
    found = insight_of(
        [
            call("Bash", 1, command="make"),
            ToolResult(tool_call_id="c1", output="Error: 429 Too Many Requests", is_error=True),
            call("Task", 2),
            ToolCall(tool_call_id="c3", name="Read", agent=Agent(id="a")),
            ToolResult(tool_call_id="c3", output="429", is_error=False),
        ]
    )
    assert {"Bash": ToolCount(calls=1, errors=1), "Task": ToolCount(calls=1)} == {
        name: (found.tools or {})[name] for name in ("Bash", "Task")
    }
    assert (3, 1) == (found.tool_calls, found.tool_errors)
    assert (1, 1, 1) == (found.subagents, found.subagent_tool_calls, found.rate_limit_hits)


def test_what_is_done_three_times_is_named_most_often_first() -> None:
    events = [call("Read", n, file_path=path) for n, path in enumerate("aabbba" + "a" + "c")]
    events += [call("Bash", 50 + n, command="make") for n in range(3)]
    found = insight_of(events)
    assert (Repeat(what="a", times=4), Repeat(what="b", times=3)) == found.repeated_reads
    assert (Repeat(what="make", times=3),) == found.repeated_commands


def test_messages_and_nudges_are_told_apart() -> None:
    found = insight_of(
        [
            UserMessage(id="initial", text="do"),
            UserMessage(id="watchdog-1", text="go on"),
            UserMessage(id="7", text="and"),
            LogMessage(level="info", message="asked in plain text; overloaded"),
            LogMessage(level="warn", message="overloaded"),
        ]
    )
    assert (1, 1, 1, 1) == (
        found.watchdog_nudges,
        found.user_messages,
        found.plain_text_reprompts,
        found.rate_limit_hits,
    )


def test_the_last_turn_tells_the_cost_and_a_failed_one_is_counted() -> None:
    found = insight_of(
        [
            TurnEnd(cost_usd=0.1),
            TurnEnd(cost_usd=0.3, is_error=True, result="rate limit"),
            TurnEnd(),
        ]
    )
    assert (3, 1, 0.3, 1) == (
        found.turns,
        found.failed_turns,
        found.cost_usd,
        found.rate_limit_hits,
    )


def test_an_empty_log_has_figures_of_nothing() -> None:
    assert Insight() == insight_of([])
    assert Insight().tool_calls is None


def test_what_a_program_printed_tells_nothing_of_its_tools() -> None:
    events = (
        UserMessage(ts=at(0), id="initial", text="do"),
        AssistantText(ts=at(400), text="done"),
        LogMessage(ts=at(400), level="error", message="exit status 2"),
        evolve(turn(10, 5, 0, 0, ms=400_000), ts=at(400)),
    )
    found = insight_of(events)
    assert (None, None, None) == (found.tools, found.tool_calls, found.tool_errors)
    assert (None, None) == (found.subagents, found.subagent_tool_calls)
    assert (None, None) == (found.repeated_reads, found.repeated_commands)
    assert (None, None) == (found.longest_silence_ms, found.rate_limit_hits)
    assert (1, 0, 400_000, 400_000) == (
        found.turns,
        found.failed_turns,
        found.wall_ms,
        found.working_ms,
    )
    limited = LogMessage(level="error", message="exit status 2: rate limit")
    assert 1 == insight_of([*events, limited]).rate_limit_hits


@pytest.mark.parametrize(
    "event", [AssistantText(text="No.", message_id="1"), Thinking(text="Shall I?")]
)
def test_a_transcript_without_a_call_tells_that_no_tool_was_called(event: Event) -> None:
    found = insight_of([evolve(event, ts=at(0)), TurnEnd(ts=at(7))])
    assert ({}, 0, 0) == (found.tools, found.tool_calls, found.tool_errors)
    assert (0, 0, 0) == (found.subagents, found.subagent_tool_calls, found.rate_limit_hits)
    assert ((), (), 7_000) == (
        found.repeated_reads,
        found.repeated_commands,
        found.longest_silence_ms,
    )


def test_turns_and_times_that_the_log_does_not_tell_are_not_nothing() -> None:
    found = insight_of([call("Read"), UserMessage(ts=at(1), id="initial", text="do")])
    assert (None, None) == (found.turns, found.failed_turns)
    assert (None, None, None) == (found.wall_ms, found.working_ms, found.longest_silence_ms)
    asked = QuestionAsked(question_id="q", questions=(Question(text="?"),))
    assert 0 == insight_of([call("Read"), turn()]).waiting_ms
    assert insight_of([asked, QuestionAnswered(question_id="q")]).waiting_ms is None
    answered: list[Event] = [evolve(asked, ts=at(0)), QuestionAnswered(question_id="q", ts=at(2))]
    assert 2_000 == insight_of(answered).waiting_ms
    assert insight_of([*answered, evolve(asked, question_id="r", ts=at(3))]).waiting_ms is None


def test_a_usage_that_counts_nothing_is_no_usage() -> None:
    found = insight_of([call("Read"), TurnEnd(model_usage={"m": ModelUsage()})])
    assert (None, {}) == (found.tokens, found.tokens_by_model)
    usage = {"m": ModelUsage(), "n": ModelUsage(input_tokens=0)}
    assert ["n"] == list(insight_of([TurnEnd(model_usage=usage)]).tokens_by_model)


def test_what_a_record_leaves_out_is_nothing_only_where_the_whole_is_told() -> None:
    told = serial.loads(Insight, '{"tools":{"Bash":{"calls":3}},"turns":2}')
    assert (0, 0, 0, 0) == (
        told.failed_turns,
        told.subagents,
        told.subagent_tool_calls,
        told.rate_limit_hits,
    )
    assert ((), ()) == (told.repeated_reads, told.repeated_commands)
    assert (None, None) == (told.longest_silence_ms, told.tokens)
    untold = serial.loads(Insight, '{"wall_ms":5}')
    assert (None, None, None) == (untold.failed_turns, untold.subagents, untold.repeated_reads)
