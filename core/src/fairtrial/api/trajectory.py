"""
What an agent did, event by event, in one form for all agents.

The log is JSON lines: each event is an object with `seq` (1-based), `ts` (ISO 8601, UTC), `type`
and the fields below. A reader skips lines that it can't parse and fields that it doesn't know.
"""

from collections.abc import Mapping
from typing import ClassVar

from attrs import field, frozen

from fairtrial.api.answerer import Question

OUTPUT_LIMIT = 20_000
"""Most characters of a tool's output that an event keeps."""


@frozen(kw_only=True)
class Agent:
    """Which subagent an event belongs to; the main agent's events have none."""

    id: str
    name: str = ""
    description: str = ""


@frozen(kw_only=True)
class BaseEvent:
    """
    What every event has.

    Attributes:
        ts: ISO 8601 in UTC; the engine fills it in where a solver leaves it empty.
        agent: The subagent that it belongs to; None for the main one.
        origin: Who caused it, where that is known (`user`, `agent`, `watchdog`, …).
    """

    type: ClassVar[str]

    ts: str = ""
    agent: Agent | None = None
    origin: str = ""


@frozen(kw_only=True)
class Status(BaseEvent):
    """The agent's state changed: `idle`, `working`, `waiting_for_answer`, `error`, `exited`."""

    type: ClassVar[str] = "status"

    state: str
    detail: str = ""


@frozen(kw_only=True)
class UserMessage(BaseEvent):
    """Something the agent was told; the brief has the id `initial`, a nudge `watchdog-…`."""

    type: ClassVar[str] = "user_message"

    id: str
    text: str


@frozen(kw_only=True)
class AssistantText(BaseEvent):
    """Text that the agent showed."""

    type: ClassVar[str] = "assistant_text"

    text: str
    message_id: str = ""
    block_index: int = 0


@frozen(kw_only=True)
class Thinking(BaseEvent):
    """Text that the agent kept to itself."""

    type: ClassVar[str] = "thinking"

    text: str
    message_id: str = ""
    block_index: int = 0


@frozen(kw_only=True)
class ToolCall(BaseEvent):
    """The agent used a tool; `name` is canonical (Read, Bash, Edit, Write, Grep, …)."""

    type: ClassVar[str] = "tool_call"

    tool_call_id: str
    name: str
    input: Mapping[str, object] = field(factory=dict)
    message_id: str = ""


@frozen(kw_only=True)
class ToolResult(BaseEvent):
    """What the tool gave back, cut to `OUTPUT_LIMIT` characters."""

    type: ClassVar[str] = "tool_result"

    tool_call_id: str
    output: str
    is_error: bool = False


@frozen(kw_only=True)
class QuestionAsked(BaseEvent):
    """The agent asked; one event is one question, however many entries it carries."""

    type: ClassVar[str] = "question"

    question_id: str
    questions: tuple[Question, ...]


@frozen(kw_only=True)
class QuestionAnswered(BaseEvent):
    """It was answered; `answers` maps each question's text to what was picked."""

    type: ClassVar[str] = "question_answered"

    question_id: str
    answers: Mapping[str, object] = field(factory=dict)
    response: str = ""


@frozen(kw_only=True)
class ModelUsage:
    """Cumulative tokens of one model, as `TurnEnd` carries them."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


@frozen(kw_only=True)
class TurnEnd(BaseEvent):
    """
    One turn ended.

    Attributes:
        is_error: Whether it failed.
        result: What the agent said at its end.
        cost_usd: Dollars so far, cumulative, as the agent tells it; None where it doesn't.
        duration_ms: This turn's milliseconds.
        model_usage: Tokens so far by model, cumulative; None where not known.
    """

    type: ClassVar[str] = "turn_end"

    is_error: bool = False
    result: str = ""
    cost_usd: float | None = None
    duration_ms: float | None = None
    model_usage: Mapping[str, ModelUsage] | None = None


@frozen(kw_only=True)
class LogMessage(BaseEvent):
    """A line of the agent's or the driver's own log; `level` is info, warn or error."""

    type: ClassVar[str] = "log"

    level: str
    message: str


@frozen(kw_only=True)
class OtherEvent(BaseEvent):
    """An event of a type that this version doesn't know, kept as it was read."""

    type: ClassVar[str] = "other"

    kind: str
    fields: Mapping[str, object] = field(factory=dict)


Event = (
    Status
    | UserMessage
    | AssistantText
    | Thinking
    | ToolCall
    | ToolResult
    | QuestionAsked
    | QuestionAnswered
    | TurnEnd
    | LogMessage
    | OtherEvent
)
