"""What an agent's session updates mean."""

import json
from collections.abc import Iterator

from attrs import define, field
from fairtrial.agents.picking import Json, amount, at, count, rows, table, text
from fairtrial.agents.transcript import cut
from fairtrial.api import (
    AssistantText,
    CostSource,
    Event,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)

KINDS = {
    "delete": "Bash",
    "edit": "Edit",
    "execute": "Bash",
    "fetch": "WebFetch",
    "move": "Bash",
    "read": "Read",
    "search": "Grep",
    "switch_mode": "ExitPlanMode",
    "think": "Task",
}
"""Canonical names for the protocol's kinds of tools; a tool of no kind goes by its title."""
_LONGEST_TEXT = 64 * 1024
_OVER = {"completed", "failed"}


@define
class Updates:
    """
    Turns updates into events; chunks of a message are pieced together.

    Attributes:
        acted: Whether a tool was used.
        cost_usd: Dollars so far, as the agent tells them.
    """

    acted: bool = False
    cost_usd: float | None = None
    _kind: type[AssistantText | Thinking] = AssistantText
    _pieces: list[str] = field(factory=list)
    _size: int = 0
    _open: dict[str, dict[str, object]] = field(factory=dict)
    _called: set[str] = field(factory=set)

    def take(self, update: Json) -> Iterator[Event]:
        """Yields what one update means."""
        kind = text(update, "sessionUpdate")
        if kind in {"agent_message_chunk", "agent_thought_chunk"}:
            yield from self._chunk(
                AssistantText if kind == "agent_message_chunk" else Thinking,
                text(update, "content", "text"),
            )
            return
        yield from self.flush()
        if kind in {"tool_call", "tool_call_update"}:
            yield from self._tool(update)
        elif kind == "usage_update" and text(update, "cost", "currency") == "USD":
            self.cost_usd = amount(update, "cost", "amount")

    def flush(self) -> Iterator[Event]:
        """Yields the message whose chunks came so far."""
        if self._pieces:
            said = "".join(self._pieces)
            self._pieces, self._size = [], 0
            yield self._kind(text=said)

    def _chunk(self, kind: type[AssistantText | Thinking], piece: str) -> Iterator[Event]:
        if kind is not self._kind or self._size > _LONGEST_TEXT:
            yield from self.flush()
        self._kind = kind
        if piece:
            self._pieces.append(piece)
            self._size += len(piece)

    def _tool(self, update: Json) -> Iterator[Event]:
        number = text(update, "toolCallId")
        known = self._open.setdefault(number, {})
        known |= {key: value for key, value in update.items() if value is not None}
        over = text(known, "status") in _OVER
        # Some agents name the tool only by and by; it is recorded once it runs.
        if number not in self._called and (over or text(known, "status") != "pending"):
            self._called.add(number)
            self.acted = True
            yield ToolCall(tool_call_id=number, name=_name(known), input=_input(known))
        if over:
            yield ToolResult(
                tool_call_id=number,
                output=cut(_output(known)),
                is_error=text(known, "status") == "failed",
            )
            del self._open[number]


def usage(told: Json, model: str | None, cost_usd: float | None) -> Usage | None:
    """
    Returns what a turn used; None where nothing is told.

    The protocol doesn't say whether the input counts cached tokens too; the total shows it, and
    where it fits neither way, the input isn't known.
    """
    parts = [count(told, key) for key in ("cachedReadTokens", "cachedWriteTokens")]
    fed, spoken = count(told, "inputTokens"), count(told, "outputTokens")
    thought, whole = count(told, "thoughtTokens"), count(told, "totalTokens")
    if spoken is None and cost_usd is None:
        return None
    output, uncached = spoken, None
    for cached_apart in (True, False):
        for thought_apart in (True, False):
            cached = sum(part or 0 for part in parts)
            made = (spoken or 0) + (thought or 0 if thought_apart else 0)
            if fed is not None and whole == fed + made + (cached if cached_apart else 0):
                output = made
                uncached = fed if cached_apart else max(0, fed - cached)
    return Usage(
        model=model,
        input_uncached=uncached,
        cache_read=parts[0],
        cache_write_5m=parts[1],
        cache_write_1h=None if parts[1] is None else 0,
        output=output,
        reasoning=thought,
        cost_usd=cost_usd,
        cost_source=CostSource.UNKNOWN if cost_usd is None else CostSource.REPORTED,
    )


def _name(call: Json) -> str:
    kind = text(call, "kind")
    return KINDS.get(kind) or text(call, "title") or kind or "other"


def _input(call: Json) -> dict[str, object]:
    given = call.get("rawInput")
    found = dict(given) if isinstance(given, dict) else {}
    paths = [text(place, "path") for place in rows(call, "locations")]
    if paths and "file_path" not in found:
        found["file_path"] = paths[0]
    return found or {"title": text(call, "title")}


def _output(call: Json) -> str:
    parts = []
    for block in rows(call, "content"):
        if block.get("type") == "diff":
            parts.append(f"changed {text(block, 'path')}")
        else:
            parts.append(text(block, "content", "text"))
    said = "\n".join(filter(None, parts))
    raw = at(call, "rawOutput")
    if said or raw is None:
        return said
    return raw if isinstance(raw, str) else text(table(raw), "output") or json.dumps(raw)
