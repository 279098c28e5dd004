"""Documents of the interchange format, of any version 1, as events."""

from collections.abc import Iterator

from attrs import frozen

from fairtrial.agents.picking import Json, amount, at, count, rows, table, text
from fairtrial.agents.transcript import cut
from fairtrial.api import (
    Agent,
    AssistantText,
    CostSource,
    Event,
    LogMessage,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    Usage,
    UserMessage,
)

_DEEPEST = 8


@frozen(kw_only=True)
class Imported:
    """
    What a document tells.

    Attributes:
        events: The trajectory.
        agent: The agent's name.
        version: Its version.
        model: The model that did the work.
        usages: What it used, one entry; empty where that isn't told.
    """

    events: tuple[Event, ...]
    agent: str
    version: str | None = None
    model: str | None = None
    usages: tuple[Usage, ...] = ()


def read(document: object) -> Imported:
    """
    Reads a document leniently: unknown fields are passed over, missing ones left empty.

    Raises:
        ValueError: It isn't one at all.
    """
    form = text(document, "schema_version") or "ATIF-v1"
    if not form.startswith("ATIF-v1") or not isinstance(at(document, "steps"), list):
        raise ValueError(f"not a trajectory of ATIF version 1: “{form}”")
    model = text(document, "agent", "model_name") or None
    usage = _usage(document, model)
    end = TurnEnd(cost_usd=usage.cost_usd if usage else None)
    return Imported(
        events=(*_events(document, None, 0), end),
        agent=text(document, "agent", "name"),
        version=text(document, "agent", "version") or None,
        model=model,
        usages=() if usage is None else (usage,),
    )


def _events(document: object, agent: Agent | None, depth: int) -> Iterator[Event]:
    first = True
    for number, step in enumerate(rows(document, "steps"), start=1):
        yield from _step(step, str(number), agent, first=first)
        first = first and text(step, "source") != "user"
    for inner in rows(document, "subagent_trajectories") if depth < _DEEPEST else ():
        who = Agent(
            id=text(inner, "trajectory_id") or text(inner, "session_id") or "subagent",
            name=text(inner, "agent", "name"),
        )
        yield from _events(inner, who, depth + 1)


def _step(step: Json, number: str, agent: Agent | None, *, first: bool) -> Iterator[Event]:
    ts, said, source = text(step, "timestamp"), _shown(step.get("message")), text(step, "source")
    agent = _inline(step) or agent
    if source == "user":
        yield UserMessage(
            id="initial" if first else f"step-{number}", text=said, ts=ts, agent=agent
        )
    elif source == "agent":
        thought = text(step, "reasoning_content")
        if thought:
            yield Thinking(text=thought, message_id=number, ts=ts, agent=agent)
        if said:
            yield AssistantText(text=said, message_id=number, ts=ts, agent=agent)
    elif said:
        yield LogMessage(level=text(step, "extra", "level") or "info", message=said, ts=ts)
    for call in rows(step, "tool_calls"):
        yield ToolCall(
            tool_call_id=text(call, "tool_call_id"),
            name=text(call, "function_name"),
            input=table(call, "arguments"),
            message_id=number,
            ts=ts,
            agent=agent,
        )
    for result in rows(step, "observation", "results"):
        yield ToolResult(
            tool_call_id=text(result, "source_call_id"),
            output=cut(_shown(result.get("content"))),
            is_error=at(result, "extra", "is_error") is True,
            ts=ts,
            agent=agent,
        )


def _inline(step: Json) -> Agent | None:
    number = text(step, "extra", "agent", "id")
    if not number:
        return None
    told = table(step, "extra", "agent")
    return Agent(id=number, name=text(told, "name"), description=text(told, "description"))


def _usage(document: object, model: str | None) -> Usage | None:
    told = table(document, "final_metrics")
    prompt, cached = count(told, "total_prompt_tokens"), count(told, "total_cached_tokens")
    written = count(told, "extra", "cache_write_tokens")
    cost = amount(told, "total_cost_usd")
    if not told:
        return None
    apart = (cached or 0) + (written or 0)
    return Usage(
        model=model,
        input_uncached=None if prompt is None else max(0, prompt - apart),
        cache_read=cached,
        cache_write_5m=written,
        output=count(told, "total_completion_tokens"),
        cost_usd=cost,
        cost_source=CostSource.UNKNOWN if cost is None else CostSource.REPORTED,
    )


def _shown(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = rows({"parts": content}, "parts")
    return "\n".join(text(part, "text") or f"[{text(part, 'type')}]" for part in parts)
