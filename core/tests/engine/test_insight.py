"""What a log shows becomes part of the trial, small and without secrets."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen
from fairtrial import serial
from fairtrial.api import (
    Attempt,
    Ending,
    Insight,
    ModelUsage,
    Repeat,
    Session,
    ToolCall,
    ToolCount,
    ToolResult,
    Trial,
    TurnEnd,
)
from fairtrial.engine.eventlog import numbered
from fairtrial.engine.insight import OTHERS, looked_into, shortened
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.trial import run_trial
from fairtrial.figures.insight import insight_of

MakeRoom = Callable[..., Room]
MakeCell = Callable[..., Cell]

KEY = "sk-ant-abcdefghijklmnop"
ODD: tuple[object, ...] = ("x", [], {}, True, -3, 1.5, None, {"a": 1}, ["x"], 10**400)
FIELDS = {
    "turn_end": ("is_error", "result", "cost_usd", "duration_ms", "model_usage"),
    "tool_call": ("tool_call_id", "name", "input"),
    "tool_result": ("tool_call_id", "output", "is_error"),
    "question": ("question_id", "questions"),
    "question_answered": ("question_id", "answers"),
    "log": ("level", "message"),
    "status": ("state",),
    "user_message": ("id", "text"),
}


@frozen
class Talkative:
    """A solver that runs one command three times, one of them in vain."""

    breaks: bool = False

    def solve(self, session: Session, /) -> Attempt:
        for number in range(3):
            given = {"command": f"curl -H 'x: {KEY}' " + "x" * 300}
            session.record(ToolCall(tool_call_id=str(number), name="Bash", input=given))
            session.record(ToolResult(tool_call_id=str(number), output="no", is_error=number == 2))
        usage = {"m": ModelUsage(input_tokens=10, output_tokens=5, cache_read_tokens=100)}
        session.record(TurnEnd(duration_ms=1500, cost_usd=0.5, model_usage=usage))
        ending = Ending.INFRA if self.breaks else Ending.FINISHED
        return Attempt(ending=ending)


def test_a_trial_says_what_its_log_shows(make_room: MakeRoom, make_cell: MakeCell) -> None:
    trial = run_trial(make_cell("mine"), make_room({"mine": Talkative()}))
    found = trial.insight
    assert found is not None
    assert {"Bash": ToolCount(calls=3, errors=1)} == found.tools
    assert (1, 1500, 0.5) == (found.turns, found.working_ms, found.cost_usd)
    assert {"command_output": 15, "replay": 100} == {
        name: count for name, count in (found.tokens or {}).items() if count
    }
    (repeat,) = found.repeated_commands or ()
    assert repeat.times == 3
    assert 190 < len(repeat.what) <= 200
    assert KEY not in repeat.what
    assert repeat.what.startswith("curl -H 'x: sk-ant-…")
    assert trial == serial.loads(Trial, serial.dumps(trial))
    assert trial.scoring_ms is not None


def test_a_broken_trial_says_so_too(make_room: MakeRoom, make_cell: MakeCell) -> None:
    trial = run_trial(make_cell("mine"), make_room({"mine": Talkative(breaks=True)}))
    assert Ending.INFRA == trial.ending
    assert trial.insight is not None
    assert trial.scoring_ms is None


def test_without_a_log_nothing_is_known(tmp_path: Path) -> None:
    assert looked_into(tmp_path) is None
    (tmp_path / "trajectory.jsonl").write_bytes(b"")
    assert Insight() == looked_into(tmp_path)


def test_the_line_stays_small_and_no_count_is_lost() -> None:
    count = ToolCount(calls=2, errors=1)
    tokens = dict.fromkeys(("read", "search", "command_output", "edit", "reasoning", "replay"), 10)
    repeats = tuple(Repeat(what="é" * 5_000, times=3) for _ in range(50))
    large = Insight(
        tools={f"mcp__{number}_{'x' * 500}": count for number in range(500)},
        repeated_reads=repeats,
        repeated_commands=repeats,
        tokens_by_model={f"model-{number}": tokens for number in range(40)},
    )
    small = shortened(large)
    assert len(serial.dumps(small)) < 10_000
    assert (1_000, 500) == (small.tool_calls, small.tool_errors)
    assert ToolCount(calls=940, errors=470) == (small.tools or {})[OTHERS]
    assert [10, 10] == [
        len(each or ()) for each in (small.repeated_reads, small.repeated_commands)
    ]
    assert 2_400 == sum(sum(each.values()) for each in small.tokens_by_model.values())


@pytest.mark.parametrize("kind", FIELDS)
def test_no_garbled_log_breaks_a_trial(kind: str) -> None:
    for name in FIELDS[kind]:
        for value in ODD:
            row = {field: "a" for field in FIELDS[kind] if kind != "turn_end"}
            line = json.dumps({"type": kind, "ts": value, **row, name: value})
            event = numbered(line.encode())[1]
            assert serial.dumps(insight_of([] if event is None else [event, event]))
