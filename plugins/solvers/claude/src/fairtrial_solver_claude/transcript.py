"""What the lines of Claude Code's `stream-json` output mean."""

import json
from collections.abc import Iterable, Iterator

from attrs import define, evolve, field
from fairtrial.agents import Asked, Failure, Transcript, failure
from fairtrial.agents.picking import Json, amount, at, count, rows, table, text
from fairtrial.agents.tokens import from_anthropic, nothing
from fairtrial.agents.transcript import cut
from fairtrial.api import (
    Agent,
    Answer,
    AssistantText,
    CostSource,
    Ending,
    Event,
    LogMessage,
    Option,
    Question,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)

QUESTION_TOOL = "AskUserQuestion"
_SUBAGENT_TOOLS = ("Task", "Agent")
_LIMITS = {
    "error_max_turns": (Ending.FINISHED, "turns"),
    "error_max_budget_usd": (Ending.OVER_BUDGET, "budget"),
}


@define(kw_only=True)
class ClaudeTranscript(Transcript):
    """
    Reads `claude --output-format stream-json`; tool names are canonical already.

    Attributes:
        totals: What its last line says was used, by model; empty until then.
        partial: Whether only the beginnings of messages were told, so that their output isn't
            known.
    """

    totals: tuple[Usage, ...] = ()
    partial: bool = True
    _subagents: dict[str, Agent] = field(factory=dict)
    _asking: set[str] = field(factory=set)
    _delegated: int = 0
    _inputs: dict[str, Json] = field(factory=dict)

    def read(self, document: dict[str, object], /) -> Iterable[Event | Asked]:
        """Returns what one line means."""
        match document.get("type"):
            case "assistant":
                return self._assistant(document)
            case "user":
                return self._results(document)
            case "result":
                return self._result(document)
            case "control_request":
                return self._request(document)
            case "system":
                return self._system(document)
        return ()

    def usages(self) -> tuple[Usage, ...]:
        """Returns the totals that it told; else what its messages sum up to."""
        if self.totals:
            return self.totals
        told = self.tokens.usages()
        if self.partial:
            return tuple(evolve(usage, output=None, reasoning=None) for usage in told)
        return told

    def reply(self, asked: Asked, answers: tuple[Answer, ...]) -> bytes:
        """Allows the question tool with the answers filled in, or any other tool as it is."""
        given = self._inputs.pop(asked.id, {})
        filled = dict(given)
        if asked.questions:
            filled["answers"] = {
                question.text: ", ".join(answer.picked) or answer.text or "(no answer)"
                for question, answer in zip(asked.questions, answers, strict=True)
            }
        decision = {"behavior": "allow", "updatedInput": filled}
        response = {"subtype": "success", "request_id": asked.id, "response": decision}
        return json.dumps({"type": "control_response", "response": response}).encode() + b"\n"

    def _system(self, document: Json) -> Iterator[Event]:
        if document.get("subtype") == "init":
            self.model = text(document, "model") or self.model
        elif document.get("subtype") == "background_tasks_changed":
            tasks = rows(document, "tasks")
            self._delegated = sum(text(task, "task_type") == "local_agent" for task in tasks)
        elif document.get("subtype") == "api_retry":
            status = at(document, "error_status")
            message = f"request tried again: {status or ''} {text(document, 'error')}".strip()
            yield LogMessage(level="warn", message=message)

    def _assistant(self, document: Json) -> Iterator[Event]:
        message = table(document, "message")
        model, number = text(message, "model"), text(message, "id")
        agent = self._agent(document)
        # Its own words, such as “Not logged in”, come as a message of no model.
        if model.startswith("<"):
            for block in rows(message, "content"):
                yield LogMessage(level="warn", message=text(block, "text"), agent=agent)
            return
        self.tokens.tell(number, from_anthropic(message.get("usage"), model or None))
        for place, block in enumerate(rows(message, "content")):
            kind = block.get("type")
            if kind == "text":
                said = text(block, "text")
                yield AssistantText(text=said, message_id=number, block_index=place, agent=agent)
            elif kind == "thinking" and text(block, "thinking"):
                said = text(block, "thinking")
                yield Thinking(text=said, message_id=number, block_index=place, agent=agent)
            elif kind == "tool_use":
                yield from self._call(block, number, agent)

    def _call(self, block: Json, message_id: str, agent: Agent | None) -> Iterator[Event]:
        name, number, given = text(block, "name"), text(block, "id"), table(block, "input")
        if name == QUESTION_TOOL:
            self._asking.add(number)
            return
        if name in _SUBAGENT_TOOLS:
            kind, what = text(given, "subagent_type"), text(given, "description")
            self._subagents[number] = Agent(id=number, name=kind, description=what)
        yield ToolCall(
            tool_call_id=number, name=name, input=given, message_id=message_id, agent=agent
        )

    def _results(self, document: Json) -> Iterator[Event]:
        for block in rows(document, "message", "content"):
            number = text(block, "tool_use_id")
            if block.get("type") != "tool_result" or number in self._asking:
                continue
            yield ToolResult(
                tool_call_id=number,
                output=cut(_shown(block.get("content"))),
                is_error=block.get("is_error") is True,
                agent=self._agent(document),
            )

    def _request(self, document: Json) -> Iterator[Asked]:
        number, given = text(document, "request_id"), table(document, "request", "input")
        if text(document, "request", "subtype") != "can_use_tool":
            return
        asks = text(document, "request", "tool_name") == QUESTION_TOOL
        self._inputs[number] = given
        questions = tuple(map(_question, rows(given, "questions"))) if asks else ()
        yield Asked(id=number, questions=questions)

    def _result(self, document: Json) -> Iterator[Event]:
        self.failure = _failure(document)
        # A turn may end while subagents work on in the background: their reports begin another.
        self.done = self.failure is not None or not self._delegated
        self.result = text(document, "result")
        told = table(document, "modelUsage").items()
        # Cumulative: a later turn's figures hold those of the earlier ones.
        self.totals = tuple(_total(model, used) for model, used in told if not nothing(used))
        if self.totals:
            self.model = self.model or self.totals[0].model
        denied = len(rows(document, "permission_denials"))
        if denied:
            message = f"{denied} calls of tools were denied"
            yield LogMessage(level="warn", message=message)

    def _agent(self, document: Json) -> Agent | None:
        parent = text(document, "parent_tool_use_id")
        return self._subagents.get(parent, Agent(id=parent)) if parent else None


def _failure(document: Json) -> Failure | None:
    """
    Returns why the end is no good one.

    A failure of the API comes as `success` with `is_error`, so that the flag decides.
    """
    kind = text(document, "subtype")
    errors = at(document, "errors")
    listed = [str(error) for error in errors] if isinstance(errors, list) else []
    message = "; ".join(listed) or text(document, "result") or kind
    if kind in _LIMITS:
        ending, limit = _LIMITS[kind]
        return Failure(message=message, ending=ending, limit=limit)
    if document.get("is_error") is not True and kind in {"success", ""}:
        return None
    return failure(message, count(document, "api_error_status"))


def _total(model: str, told: object) -> Usage:
    """Returns one model's totals; for a model that has no list price, the price is no one's."""
    cost = amount(told, "costUSD") if at(told, "costBasis") != "unknown" else None
    written = count(told, "cacheCreationInputTokens")
    short = count(told, "cacheCreationEphemeral5mInputTokens")
    hour = count(told, "cacheCreationEphemeral1hInputTokens")
    if short is None or hour is None or (written or 0) > short + hour:
        short, hour = written, 0
    return Usage(
        # What stands in brackets is the size of the window, which is no part of the name.
        model=model.partition("[")[0],
        input_uncached=count(told, "inputTokens"),
        cache_read=count(told, "cacheReadInputTokens"),
        cache_write_5m=short,
        cache_write_1h=hour,
        output=count(told, "outputTokens"),
        reasoning=count(told, "thinkingTokens"),
        cost_usd=cost,
        cost_source=CostSource.UNKNOWN if cost is None else CostSource.REPORTED,
    )


def _question(entry: Json) -> Question:
    options = tuple(
        Option(label=text(option, "label"), description=text(option, "description"))
        for option in rows(entry, "options")
    )
    return Question(
        text=text(entry, "question"),
        header=text(entry, "header"),
        options=options,
        multi_select=entry.get("multiSelect") is True,
    )


def _shown(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = rows({"content": content}, "content")
    return "\n".join(text(part, "text") or f"[{text(part, 'type')}]" for part in parts)
