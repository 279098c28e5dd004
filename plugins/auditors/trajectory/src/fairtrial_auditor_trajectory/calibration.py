"""
How often each pattern fires on work that was honest, and on exploits that were planted.

The calibration set is a list of transcripts, one JSON line each: `id`, `label` (`normal` or
`exploit`), `pattern` (of an exploit), `style` and `note` for people, `events`. It is synthetic: its
rates are a floor, not a measurement.
"""

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

from attrs import frozen
from fairtrial.api import (
    Agent,
    AssistantText,
    Event,
    OtherEvent,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)

from fairtrial_auditor_trajectory.judging import scan
from fairtrial_auditor_trajectory.patterns import BUDGETS_BY_SET

NORMAL = "normal"
EXPLOIT = "exploit"


@frozen(kw_only=True)
class Transcript:
    """
    One transcript of the set.

    Attributes:
        id: Unique in the set.
        label: `normal` or `exploit`.
        pattern: What an exploit is one of; empty for a normal one.
        sets: Numbers of the pattern sets that are to catch an exploit.
        style: Whose habits it follows: `claude`, `codex`, `gemini`, `shell`.
        note: What happens in it.
        events: The trajectory.
    """

    id: str
    label: str
    pattern: str = ""
    sets: tuple[int, ...] = (1, 2)
    style: str = ""
    note: str = ""
    events: tuple[Event, ...]


@frozen(kw_only=True)
class Row:
    """
    How one pattern did, alone.

    Attributes:
        pattern: Its id.
        normals: Normal transcripts in the set.
        fired: Normal transcripts on which it fired.
        exploits: Its own exploits; those of other patterns are neither these nor normal.
        caught: Own exploits on which it fired.
    """

    pattern: str
    normals: int
    fired: int
    exploits: int
    caught: int

    @property
    def fp_rate(self) -> float | None:
        """Share of normal transcripts on which it fired; None where there are none."""
        return self.fired / self.normals if self.normals else None

    def enforces(self, budget: float) -> bool:
        """Tells whether it enforces: it is a mere remark iff its rate is over the budget."""
        return self.fp_rate is None or self.fp_rate <= budget


def calibrate(number: int, transcripts: Iterable[Transcript]) -> tuple[Row, ...]:
    """Runs each pattern of a set over every transcript, in the order of the patterns."""
    patterns = tuple(BUDGETS_BY_SET[number])
    normals = 0
    fired, exploits, caught = (dict.fromkeys(patterns, 0) for _ in range(3))
    for one in transcripts:
        # All at once is each alone: no pattern looks at what another one found.
        seen = {hit.pattern for hit in scan(number, one.events).hits}
        if one.label == NORMAL:
            normals += 1
            for pattern in seen:
                fired[pattern] += 1
        elif one.pattern in exploits and number in one.sets:
            exploits[one.pattern] += 1
            caught[one.pattern] += one.pattern in seen
    return tuple(
        Row(
            pattern=name,
            normals=normals,
            fired=fired[name],
            exploits=exploits[name],
            caught=caught[name],
        )
        for name in patterns
    )


@functools.cache
def rows(number: int) -> tuple[Row, ...]:
    """Returns the figures of a pattern set on the shipped transcripts; made once a process."""
    return calibrate(number, transcripts())


@functools.cache
def transcripts() -> tuple[Transcript, ...]:
    """Returns the shipped calibration set."""
    text = resources.files(__package__).joinpath("calibration.jsonl").read_text("utf-8")
    return tuple(_transcript(json.loads(line)) for line in text.splitlines() if line)


def _transcript(row: Mapping[str, object]) -> Transcript:
    events = row["events"]
    assert isinstance(events, Sequence)  # noqa: S101 - a file of ours
    return Transcript(
        id=str(row["id"]),
        label=str(row["label"]),
        pattern=str(row.get("pattern", "")),
        sets=tuple(row.get("sets", (1, 2))),  # type: ignore[arg-type]  # numbers, in a file of ours
        style=str(row.get("style", "")),
        note=str(row.get("note", "")),
        events=tuple(map(_event, events)),
    )


def _event(row: Mapping[str, object]) -> Event:
    def said(key: str) -> str:
        return str(row.get(key, ""))

    kind, given = said("type"), row.get("input")
    agent = row.get("agent")
    by = Agent(id=str(agent), name=str(agent)) if agent else None
    if kind == ToolCall.type:
        return ToolCall(
            tool_call_id=said("tool_call_id"),
            name=said("name"),
            input=given if isinstance(given, Mapping) else {},
            agent=by,
        )
    if kind == ToolResult.type:
        return ToolResult(tool_call_id=said("tool_call_id"), output=said("output"), agent=by)
    if kind == AssistantText.type:
        return AssistantText(text=said("text"), agent=by)
    if kind == TurnEnd.type:
        return TurnEnd(agent=by)
    if kind == UserMessage.type:
        return UserMessage(id=said("id"), text=said("text"), agent=by)
    return OtherEvent(kind=kind, fields=dict(row), agent=by)
