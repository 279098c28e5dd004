"""Events of one attempt as a document of the interchange format, version 1.7."""

from collections.abc import Iterable, Sequence

from attrs import define, field

from fairtrial.api import (
    Agent,
    AssistantText,
    Event,
    LogMessage,
    QuestionAnswered,
    QuestionAsked,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)

VERSION = "ATIF-v1.7"
Json = dict[str, object]


def write(
    events: Iterable[Event],
    *,
    agent: str,
    version: str | None = None,
    model: str | None = None,
    usages: Sequence[Usage] = (),
    session_id: str = "",
) -> Json:
    """
    Returns the document, as plain JSON data, nulls left out.

    What the format has no field for (joules, cache writes, where a cost came from) is under
    `extra`, as the format asks.

    Args:
        events: The trajectory, in order.
        agent: The solver's name.
        version: The agent's version.
        model: The model that did the work.
        usages: What the attempt used.
        session_id: A name for the attempt.

    Raises:
        ValueError: There is no event that could be a step; the format asks for at least one.
    """
    steps = _Steps()
    for event in events:
        steps.take(event)
    if not steps.all:
        raise ValueError("a trajectory without a single step can't be written in this format")
    return _filled(
        schema_version=VERSION,
        session_id=session_id,
        agent=_filled(name=agent, version=version or "unknown", model_name=model),
        steps=[{"step_id": number, **step} for number, step in enumerate(steps.all, start=1)],
        final_metrics=_totals(usages, len(steps.all)),
    )


@define
class _Steps:
    """Puts events together to steps: what one call of the model brought is one step."""

    all: list[Json] = field(factory=list)
    _current: tuple[str, str] | None = None
    _calls: dict[str, Json] = field(factory=dict)

    def take(self, event: Event) -> None:
        match event:
            case UserMessage():
                self._new("user", event, message=event.text)
            case AssistantText() | Thinking():
                key = "message" if isinstance(event, AssistantText) else "reasoning_content"
                self._add(event, key, event.text)
            case ToolCall():
                self._call(event, event.tool_call_id, event.name, dict(event.input))
            case ToolResult():
                extra: Json = {"is_error": True} if event.is_error else {}
                self._result(event, event.tool_call_id, event.output, extra)
            case QuestionAsked():
                asked = [_question(question) for question in event.questions]
                number = f"question-{event.question_id}"
                self._call(event, number, "AskUserQuestion", {"questions": asked})
            case QuestionAnswered():
                said = [f"{text}: {answer}" for text, answer in event.answers.items()]
                said += [event.response] if event.response else []
                self._result(event, f"question-{event.question_id}", "\n".join(said), {})
            case LogMessage() if event.level != "info":
                self._new("system", event, message=event.message, extra={"level": event.level})

    def _new(self, source: str, event: Event, **fields: object) -> Json:
        step = _filled(timestamp=event.ts, source=source, **fields)
        step.setdefault("message", "")
        if event.agent is not None:
            step["extra"] = {**_extra(step), "agent": _agent(event.agent)}
        self.all.append(step)
        self._current = None
        return step

    def _step_of(self, event: AssistantText | Thinking | ToolCall | QuestionAsked) -> Json:
        message = "" if isinstance(event, QuestionAsked) else event.message_id
        key = (message, event.agent.id if event.agent else "")
        last = self.all[-1] if self.all else {}
        # Without an id, whatever comes after a result belongs to the next call of the model.
        goes_on = self._current == key and (message or "observation" not in last)
        if goes_on:
            return last
        step = self._new("agent", event)
        self._current = key
        return step

    def _add(self, event: AssistantText | Thinking, key: str, text: str) -> None:
        step = self._step_of(event)
        known = step.get(key)
        step[key] = f"{known}\n{text}" if known else text

    def _call(self, event: ToolCall | QuestionAsked, number: str, name: str, given: Json) -> None:
        step = self._step_of(event)
        calls = step.setdefault("tool_calls", [])
        if isinstance(calls, list):
            calls.append({"tool_call_id": number, "function_name": name, "arguments": given})
        self._calls[number] = step

    def _result(self, event: Event, number: str, output: str, extra: Json) -> None:
        result = _filled(source_call_id=number, content=output, extra=extra)
        step = self._calls.get(number)
        if step is None:
            # A result must name a call of its own step; this one's call was lost.
            del result["source_call_id"]
            step = self._new("system", event)
        observation = step.setdefault("observation", {"results": []})
        if isinstance(observation, dict):
            observation["results"].append(result)


def _totals(usages: Sequence[Usage], steps: int) -> Json:
    prompts = [
        _sum([each.input_uncached, each.cache_read, each.cache_write_5m, each.cache_write_1h])
        for each in usages
    ]
    writes = [_sum([each.cache_write_5m, each.cache_write_1h]) for each in usages]
    costs = [each.cost_usd for each in usages]
    known = bool(usages) and None not in costs
    sources = sorted({str(each.cost_source) for each in usages}) if known else []
    return _filled(
        total_prompt_tokens=_sum(prompts),
        total_completion_tokens=_sum([each.output for each in usages]),
        total_cached_tokens=_sum([each.cache_read for each in usages]),
        total_cost_usd=sum(cost for cost in costs if cost is not None) if known else None,
        total_steps=steps,
        extra=_filled(cache_write_tokens=_sum(writes), cost_source=", ".join(sources)),
    )


def _sum(parts: Sequence[int | None]) -> int | None:
    if not parts or None in parts:
        return None
    return sum(part for part in parts if part is not None)


def _question(question: object) -> Json:
    options = [option.label for option in getattr(question, "options", ())]
    return _filled(question=getattr(question, "text", ""), options=options)


def _agent(agent: Agent) -> Json:
    return _filled(id=agent.id, name=agent.name, description=agent.description)


def _extra(step: Json) -> Json:
    extra = step.get("extra")
    return dict(extra) if isinstance(extra, dict) else {}


def _filled(**fields: object) -> Json:
    """Returns the fields that say something."""
    return {name: value for name, value in fields.items() if value not in (None, "", {}, [])}
