"""Records as lines: canonical, whole, forgiving towards other versions, and quick to read."""

import gc
import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import get_args

import attrs
import pytest
from attrs.exceptions import FrozenInstanceError
from fairtrial.api import (
    Agent,
    Answer,
    AssistantText,
    Boundary,
    Change,
    Check,
    CheckKind,
    CostSource,
    Counter,
    Ending,
    Energy,
    Event,
    Exchange,
    Finding,
    Label,
    LogMessage,
    ModelUsage,
    Option,
    OtherEvent,
    Patch,
    PlannedTask,
    Question,
    QuestionAnswered,
    QuestionAsked,
    RunRecord,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    Trial,
    TurnEnd,
    Usage,
    UserMessage,
    Verdict,
)
from fairtrial.serial import dumps, load_event, loads, loads_many, unstructure

READ = tuple[RunRecord, Trial, PlannedTask, Patch, Event]
"""What is read as a line or a whole file."""

TRIAL = Trial(
    task="add",
    digest="d" * 64,
    family="add",
    solver="fix",
    rollout=2,
    ending=Ending.FINISHED,
    verdict=Verdict(
        checks=(
            Check(name="hidden", kind=CheckKind.VISIBLE, passed=True),
            Check(name="tests", kind=CheckKind.REGRESSION, passed=None, code="grader", why="ü"),
        ),
        suite_version="1",
    ),
    wall_s=1.5,
    usage=(Usage(model="m", output=3, cost_usd=0.5, cost_source=CostSource.REPORTED),),
    metered=(),
    energy=(Energy(joules=None, boundary=Boundary.HOST, label=Label.UNAVAILABLE, flags=("x",)),),
    findings=(Finding(rule="r", enforcing=True),),
    changed=("a.py",),
    questions=(
        Exchange(
            question=Question(text="?", options=(Option(label="a"),)), answer=Answer(picked=("a",))
        ),
    ),
    enforced={"network": "none"},
)
AGENT = Agent(id="1", name="sub")
EVENTS: tuple[Event, ...] = (
    Status(state="idle", ts="2026-01-01T00:00:00Z"),
    UserMessage(id="initial", text="do"),
    AssistantText(text="well", agent=AGENT, block_index=2),
    Thinking(text="hm", origin="agent"),
    ToolCall(tool_call_id="1", name="Bash", input={"command": "ls", "n": [1, {"a": None}]}),
    ToolResult(tool_call_id="1", output="x", is_error=True),
    QuestionAsked(question_id="q", questions=(Question(text="?", options=(Option(label="a"),)),)),
    QuestionAnswered(question_id="q", answers={"?": ["a"]}, response="a"),
    TurnEnd(cost_usd=0.5, model_usage={"m": ModelUsage(input_tokens=1)}),
    LogMessage(level="warn", message="x"),
    OtherEvent(kind="novel", ts="t", agent=AGENT, fields={"kind": 1, "fields": {"x": 2}}),
)


def test_a_trial_survives_the_way_through_text() -> None:
    assert TRIAL == loads(Trial, dumps(TRIAL))
    assert TRIAL == loads(Trial, dumps(TRIAL).encode())


def test_a_line_is_canonical_and_leaves_defaults_out() -> None:
    bare = Trial(task="a", digest="b", family="c", solver="é\u2028", ending=Ending.INFRA)
    line = '{"digest":"b","ending":"infra","family":"c","solver":"\\u00e9\\u2028","task":"a"}'
    assert line == dumps(bare)
    assert bare == loads(Trial, line)


def test_any_plain_value_has_a_line() -> None:
    assert '{"a":[1,null],"b":[2,10]}' == dumps({"b": frozenset([10, 2]), "a": (1, None)})


def test_a_number_that_json_can_not_say_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        dumps({"joules": float("nan")})


def test_what_is_written_is_plain() -> None:
    plain = unstructure(TRIAL)
    assert plain == json.loads(json.dumps(plain))
    assert type(plain["ending"]) is str or plain["ending"] == "finished"  # type: ignore[index]  # a dict


def test_bytes_become_base64_and_paths_text() -> None:
    change = Change(path=PurePosixPath("a/b"), after=b"\0\xff")
    patch = Patch(changes=(change, Change(path=PurePosixPath("c"), after=None, link="a")))
    text = '{"changes":[{"after":"AP8=","path":"a/b"},{"after":null,"link":"a","path":"c"}]}'
    assert text == dumps(patch)
    assert patch == loads(Patch, text)


def test_sets_survive() -> None:
    counter = Counter(
        id="a",
        microjoules_per_count=1.0,
        atoms=frozenset(["pkg1", "pkg0"]),
        label=Label.MODEL_BASED,
        boundary=Boundary.HOST,
        sensor="s",
    )
    assert '"atoms":["pkg0","pkg1"]' in dumps(counter)
    assert counter == loads(Counter, dumps(counter))


def test_a_record_always_says_its_version() -> None:
    run = RunRecord(label="a", suite="b", solvers=("c",), tasks=(), config={"run": {"jobs": 1}})
    assert '"schema":"1.0"' in dumps(run)
    assert run == loads(RunRecord, dumps(run))


def test_a_run_with_all_its_parts_survives() -> None:
    planned = PlannedTask(id="a", family="a", digest="b", invalid="passes before")
    run = RunRecord(label="a", suite="b", solvers=("c",), tasks=(planned,), trials=(TRIAL,))
    assert run == loads(RunRecord, dumps(run))


def test_fields_of_a_later_version_are_passed_over_at_every_depth() -> None:
    data = json.loads(dumps(TRIAL))
    data["later"] = {"x": 1}
    data["verdict"]["later"] = 2
    data["verdict"]["checks"][0]["later"] = 3
    assert TRIAL == loads(Trial, json.dumps(data))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"task": "a"', "Expecting"),
        ('{"task": "a"}', "not a record of the kind Trial.*digest"),
        ("[]", "not a record of the kind Trial"),
        ('"text"', "not a record of the kind Trial"),
        ("3", "not a record of the kind Trial"),
        ('{"task":"a","digest":"b","family":"c","solver":"d","ending":"bored"}', "'bored' is not"),
        ('{"task":"a","digest":"b","family":"c","solver":"d","ending":[]}', "not a record"),
        (
            '{"task":"a","digest":"b","family":"c","solver":"d","ending":"infra","rollout":0}',
            ">= 1",
        ),
    ],
)
def test_text_that_is_no_record_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        loads(Trial, text)


def test_many_lines_are_read_in_order_and_the_collector_is_left_as_it_was() -> None:
    lines = [dumps(TRIAL), dumps(Trial(task="b", digest="", family="", solver="", ending="infra"))]  # type: ignore[arg-type]  # as text
    assert ["add", "b"] == [trial.task for trial in loads_many(Trial, iter(lines))]
    assert gc.isenabled()
    gc.disable()
    try:
        loads_many(Trial, lines)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_read_is_of_its_class_and_frozen_at_every_depth() -> None:
    read = loads(Trial, dumps(TRIAL))
    assert read.verdict is not None

    for one, cls in ((read, Trial), (read.verdict, Verdict), (read.usage[0], Usage)):
        assert type(one) is cls
        with pytest.raises(FrozenInstanceError):
            one.note = "changed"  # type: ignore[misc,union-attr]  # what must not work
        with pytest.raises(FrozenInstanceError):
            del one.note  # type: ignore[union-attr]  # what must not work


def _classes(wanted: object) -> Iterator[type]:
    """Yields every class of attrs that a value of a type holds, itself included."""
    if isinstance(wanted, type) and attrs.has(wanted):
        yield wanted
        for field in attrs.fields(attrs.resolve_types(wanted)):
            yield from _classes(field.type)
    for part in get_args(wanted):
        yield from _classes(part)


@pytest.mark.parametrize("cls", sorted({*_classes(READ)}, key=str), ids=lambda cls: cls.__name__)
def test_a_record_is_made_as_attrs_makes_it(cls: type) -> None:
    # A constructor, a hash that is kept or a layout of its own would get lost as it is read.
    made = attrs.inspect(cls)
    kept = made.hashability is attrs.ClassProps.Hashability.HASHABLE_CACHED
    assert (True, True, True, False) == (
        made.is_frozen,
        made.added_init,
        made.has_weakref_slot,
        kept,
    )


def test_of_many_lines_the_one_that_is_torn_is_named() -> None:
    with pytest.raises(ValueError, match="line 3: Expecting"):
        loads_many(Trial, [dumps(TRIAL), dumps(TRIAL), '{"task":', dumps(TRIAL)])
    assert gc.isenabled()


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_every_event_survives_with_its_tag(event: Event) -> None:
    line = dumps(event)
    kind = event.kind if isinstance(event, OtherEvent) else event.type
    assert kind == json.loads(line)["type"]
    assert event == load_event(line)
    assert event == load_event(json.dumps({"seq": 3, **json.loads(line)}))


def test_an_event_of_an_unknown_type_is_kept_as_it_was_read() -> None:
    line = '{"seq":7,"ts":"t","type":"novel","x":{"y":[1]}}'
    assert OtherEvent(kind="novel", ts="t", fields={"x": {"y": [1]}}) == load_event(line)
    assert '{"ts":"t","type":"novel","x":{"y":[1]}}' == dumps(load_event(line))


def test_an_event_of_a_later_version_loses_only_what_is_new() -> None:
    line = '{"type":"status","state":"idle","later":1}'
    assert Status(state="idle") == load_event(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [("{}", "“type” is missing"), ('{"type":"status"}', "state"), ("[1]", "not a record")],
)
def test_a_line_that_is_no_event_is_refused(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        load_event(line)


class Scalar:
    """A number as numpy has them: neither an `int` nor a `float`."""

    def __init__(self, value: object) -> None:
        self.value = value

    def item(self) -> object:
        return self.value


class Index:
    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize(
    ("value", "text"),
    [(Scalar(7), "7"), (Scalar(0.5), "0.5"), (Scalar(True), "true"), (Index(), "3")],
)
def test_a_number_of_another_library_is_written_as_one(value: object, text: str) -> None:
    assert f'{{"n":{text}}}' == dumps({"n": value})


@pytest.mark.parametrize("value", [object(), Scalar(object())])
def test_what_is_no_data_is_refused_and_named(value: object) -> None:
    with pytest.raises(TypeError, match=r"can't be written as JSON: ") as caught:
        dumps({"n": value})
    assert len(str(caught.value)) < 150
