"""What the lines of `codex exec --json` mean."""

from collections.abc import Iterable, Iterator

from attrs import define, field
from fairtrial.agents import Transcript, failure
from fairtrial.agents.picking import Json, count, rows, table, text
from fairtrial.agents.tokens import from_openai
from fairtrial.agents.transcript import cut
from fairtrial.api import (
    AssistantText,
    Event,
    LogMessage,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)

TOOLS = {
    "collab_tool_call": "Task",
    "command_execution": "Bash",
    "file_change": "Edit",
    "mcp_tool_call": "mcp",
    "todo_list": "TodoWrite",
    "web_search": "WebSearch",
}
"""Canonical names of what its items are; a server's tool is named after the server."""
_NO_INPUT = {
    "id", "type", "status", "aggregated_output", "exit_code", "result", "error", "agents_states",
}  # fmt: skip


@define(kw_only=True)
class CodexTranscript(Transcript):
    """
    Reads `codex exec --json`.

    Attributes:
        totals: What its rollout files say was used; empty where they weren't read or say nothing.
    """

    totals: tuple[Usage, ...] = ()
    _usage: dict[str, object] = field(factory=dict)
    _begun: set[str] = field(factory=set)

    def read(self, document: dict[str, object], /) -> Iterable[Event]:
        """Returns what one line means."""
        kind = text(document, "type")
        if kind.startswith("item."):
            return self._item(kind, table(document, "item"))
        if kind == "turn.completed":
            self.done, self.failure = True, None
            # Cumulative: a later turn's figures hold those of the earlier ones.
            self._usage = dict(table(document, "usage"))
        elif kind == "turn.failed":
            self.done = True
            self.failure = failure(text(document, "error", "message"))
        elif kind == "error":
            return [LogMessage(level="warn", message=text(document, "message"))]
        return ()

    def usages(self) -> tuple[Usage, ...]:
        """Returns what its files say; else what its stream does; nothing where neither does."""
        if self.totals:
            return self.totals
        usage = from_openai(self._usage, self.model)
        return () if usage.output is None else (usage,)

    def _item(self, kind: str, item: Json) -> Iterator[Event]:
        what, number, over = text(item, "type"), text(item, "id"), kind == "item.completed"
        if what in TOOLS:
            if number not in self._begun:
                self._begun.add(number)
                yield ToolCall(tool_call_id=number, name=_name(item), input=_input(item))
            if over:
                self._begun.discard(number)
                yield ToolResult(
                    tool_call_id=number, output=cut(_output(item)), is_error=_failed(item)
                )
        elif over and what == "agent_message":
            self.result = text(item, "text")
            yield AssistantText(text=self.result, message_id=number)
        elif over and what == "reasoning":
            yield Thinking(text=text(item, "text"), message_id=number)
        elif over and what == "error":
            # Of one item only, such as that it doesn't know the model's size: no failure.
            yield LogMessage(level="warn", message=text(item, "message"))


def _name(item: Json) -> str:
    kind = text(item, "type")
    if kind == "mcp_tool_call":
        return f"mcp__{text(item, 'server')}__{text(item, 'tool')}"
    kinds = {text(change, "kind") for change in rows(item, "changes")}
    return "Write" if kind == "file_change" and kinds == {"add"} else TOOLS[kind]


def _input(item: Json) -> dict[str, object]:
    given = {key: value for key, value in item.items() if key not in _NO_INPUT}
    paths = [text(change, "path") for change in rows(item, "changes")]
    return {**given, "file_path": paths[0]} if paths else given


def _output(item: Json) -> str:
    said = text(item, "aggregated_output") or text(item, "error", "message")
    parts = [text(part, "text") for part in rows(item, "result", "content")]
    return said or "\n".join(filter(None, parts))


def _failed(item: Json) -> bool:
    return text(item, "status") in {"failed", "declined"} or bool(count(item, "exit_code"))
