"""What a worker's messages mean, as values of the public interface."""

from collections.abc import Mapping

import attrs
from fairtrial.agents.picking import amount, count, rows, table, text
from fairtrial.api import (
    OUTPUT_LIMIT,
    AssistantText,
    Attempt,
    CostSource,
    Ending,
    Event,
    LogMessage,
    Option,
    OtherEvent,
    Question,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)

from fairtrial_solver_worker.wire import Rubbish

_KINDS: Mapping[str, type[Event]] = {
    kind.type: kind for kind in (Status, AssistantText, Thinking, ToolCall, ToolResult, LogMessage)
}
"""Events that are read field by field; others are kept as they came."""
_TYPES: Mapping[str, type] = {"str": str, "bool": bool, "int": int, "Mapping": dict}
_ENDINGS = (
    Ending.FINISHED,
    Ending.TIMED_OUT,
    Ending.OVER_BUDGET,
    Ending.CRASHED,
    Ending.INFRA,
)
_TOKENS = (
    "input_uncached",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "output",
    "reasoning",
)
_LONGEST_NOTE = 300


def event(params: object) -> Event:
    """
    Returns the event of an `event` notification.

    Raises:
        Rubbish: It has no type, or a field of the wrong one.
    """
    told = table(params, "event")
    kind = text(told, "type")
    if not kind:
        raise Rubbish("an event without a type")
    if kind not in _KINDS:
        return OtherEvent(kind=kind, fields=dict(told))
    cls = _KINDS[kind]
    fields = {
        each.name: _value(kind, each, told[each.name])
        for each in attrs.fields(cls)
        if each.name in told and each.name != "agent"
    }
    try:
        found = cls(**fields)  # type: ignore[arg-type]  # each of its field's kind
    except TypeError as error:
        raise Rubbish(f"an event “{kind}” without a field that it must have") from error
    if isinstance(found, ToolResult):
        return attrs.evolve(found, output=found.output[-OUTPUT_LIMIT:])
    return found


def _value(kind: str, wanted: "attrs.Attribute[object]", value: object) -> object:
    name = getattr(wanted.type, "__name__", "") or str(wanted.type)
    if not isinstance(value, _TYPES.get(name, object)):
        raise Rubbish(f"an event “{kind}” whose {wanted.name} is of another type")
    return value


def questions(params: object) -> tuple[Question, ...]:
    """
    Returns the questions of an `ask` request.

    Raises:
        Rubbish: There is none.
    """
    found = tuple(
        Question(
            text=text(row, "text"),
            header=text(row, "header"),
            options=tuple(
                Option(label=text(one, "label"), description=text(one, "description"))
                for one in rows(row, "options")
                if text(one, "label")
            ),
            multi_select=row.get("multi_select") is True,
        )
        for row in rows(params, "questions")
        if text(row, "text")
    )
    if not found:
        raise Rubbish("`ask` without a question")
    return found


def attempt(params: object, version: str | None) -> Attempt:
    """
    Returns the attempt that a `finish` notification tells.

    Raises:
        Rubbish: Its ending is none.
    """
    ending = next((each for each in _ENDINGS if each.value == text(params, "ending")), None)
    if ending is None:
        raise Rubbish(f"`finish` with the ending “{text(params, 'ending')}”")
    used = tuple(_usage(row) for row in rows(params, "usage"))
    models = {usage.model for usage in used}
    return Attempt(
        ending=ending,
        limit=text(params, "limit"),
        submission=text(params, "submission") or None,
        usage=used,
        model=text(params, "model") or (models.pop() if len(models) == 1 else None),
        agent_version=version,
        note=" ".join(text(params, "note").split())[:_LONGEST_NOTE],
    )


def _usage(row: Mapping[str, object]) -> Usage:
    cost = amount(row, "cost_usd")
    counts = {name: count(row, name) for name in _TOKENS}
    return Usage(
        model=text(row, "model") or None,
        cost_usd=cost,
        cost_source=CostSource.UNKNOWN if cost is None else CostSource.REPORTED,
        **counts,
    )
