"""One attempt step by step, from its log, as plain lines that a person can read."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from fairtrial.api.trajectory import (
    AssistantText,
    Event,
    LogMessage,
    OtherEvent,
    QuestionAnswered,
    QuestionAsked,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)
from fairtrial.figures.insight import RESTING, milliseconds
from fairtrial.figures.markdown import safe
from fairtrial.redaction import plain_text, redact

GAP_MS = 60_000
"""A silence of this length, while the agent should be working, is marked."""

LONGEST = 2_000
"""Characters of a text that are shown."""

ORIGINS = (
    "user",
    "agent",
    "subagent",
    "watchdog",
    "autonomy",
    "burn_down",
    "redteam",
    "notify",
    "system",
)
"""Who may have caused an event."""


def playback(events: Iterable[Event], origins: frozenset[str] = frozenset()) -> Iterator[str]:
    """
    Yields the steps of an attempt, one line or a few each; gaps are marked where they were.

    Nothing that a terminal would obey is in them, and no secret that can be told by its form.

    Args:
        events: The log.
        origins: Show only events of these origins; empty for all. Gaps are those of the whole log.
    """
    first_ms = last_ms = None
    state = "working"
    for event in events:
        now = milliseconds(event.ts)
        if now is not None:
            first_ms = now if first_ms is None else first_ms
            if last_ms is not None and state not in RESTING and now - last_ms >= GAP_MS:
                yield f"          ── nothing for {(now - last_ms) / 1000:.0f} s while working ──"
            last_ms = now if last_ms is None else max(last_ms, now)
        if isinstance(event, Status):
            state = str(event.state)
        if not origins or origin_of(event) in origins:
            yield _step(event, _clock(now, first_ms))


def origin_of(event: Event) -> str:
    """Returns who caused an event; where the log doesn't say, whoever causes events of its type."""
    if event.origin:
        return str(event.origin)
    if event.agent is not None:
        return "subagent"
    if isinstance(event, UserMessage):
        return "watchdog" if str(event.id).startswith("watchdog-") else "user"
    if isinstance(event, QuestionAnswered):
        return "user"
    return "system" if isinstance(event, LogMessage | Status | OtherEvent) else "agent"


def _clock(now: int | None, first_ms: int | None) -> str:
    if now is None or first_ms is None:
        return "       –"
    minutes, seconds = divmod(max(0, now - first_ms) // 1000, 60)
    return f"{minutes:>5}:{seconds:02}"


def _step(event: Event, clock: str) -> str:
    heading, text = _SHOWN.get(type(event), _other)(event)
    by = "" if event.agent is None else f" [{safe(event.agent.name or event.agent.id, limit=40)}]"
    line = f"{clock}  {safe(heading, limit=80)}{by}"
    shown = _neutral(text)
    if not shown:
        return line
    if "\n" not in shown:
        return f"{line}: {shown}"
    return "\n".join((f"{line}:", *(f"          {each}" for each in shown.split("\n"))))


def _neutral(text: str) -> str:
    # Secrets go first: a key that was cut in two would no longer look like one.
    whole = redact(text.strip())
    shown = plain_text(whole[:LONGEST])
    more = len(whole) - LONGEST
    return f"{shown}\n… and {more} more characters" if more > 0 else shown


def _other(event: OtherEvent) -> tuple[str, str]:
    return str(event.kind), _compact(event.fields)


def _tool_call(event: ToolCall) -> tuple[str, str]:
    given = event.input
    only = next(iter(given.values())) if len(given) == 1 else None
    return f"calls {event.name}", only if isinstance(only, str) else _compact(given)


def _tool_result(event: ToolResult) -> tuple[str, str]:
    return "failed" if event.is_error else "result", str(event.output)


def _asked(event: QuestionAsked) -> tuple[str, str]:
    return "asks", "\n".join(str(question.text) for question in event.questions)


def _answered(event: QuestionAnswered) -> tuple[str, str]:
    return "answered", str(event.response) or _compact(event.answers)


def _turn_end(event: TurnEnd) -> tuple[str, str]:
    cost = event.cost_usd
    known = isinstance(cost, int | float) and not isinstance(cost, bool)
    spent = f" (${cost:.4f} so far)" if known else ""
    return f"turn {'failed' if event.is_error else 'ended'}{spent}", str(event.result)


def _status(event: Status) -> tuple[str, str]:
    return f"is {event.state}", str(event.detail)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str) if value else ""


_SHOWN: Mapping[type, Callable[..., tuple[str, str]]] = {
    UserMessage: lambda event: (f"{origin_of(event)} says", str(event.text)),
    AssistantText: lambda event: ("says", str(event.text)),
    Thinking: lambda event: ("thinks", str(event.text)),
    ToolCall: _tool_call,
    ToolResult: _tool_result,
    QuestionAsked: _asked,
    QuestionAnswered: _answered,
    TurnEnd: _turn_end,
    Status: _status,
    LogMessage: lambda event: (f"log {event.level}", str(event.message)),
    OtherEvent: _other,
}
