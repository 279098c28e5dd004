"""Replies in the form of OpenAI's Responses."""

import itertools
from collections.abc import Iterator

from fairtrial.conformance.models.chat import error
from fairtrial.conformance.models.reply import Reply, compact, event
from fairtrial.conformance.models.script import ScriptedUsage

__all__ = ["error", "events", "plain"]

_CREATED = 1767225600
Json = dict[str, object]


def plain(reply: Reply) -> Json:
    """Returns the whole reply."""
    return _response(reply, "completed", list(_items(reply)))


def events(reply: Reply) -> Iterator[bytes]:
    """Yields the reply as a stream; its usage comes with the last event."""
    numbers = itertools.count()

    def told(name: str, **data: object) -> bytes:
        return event({"type": name, "sequence_number": next(numbers), **data}, name)

    yield told("response.created", response=_response(reply, "in_progress", []))
    yield told("response.in_progress", response=_response(reply, "in_progress", []))
    items = list(_items(reply))
    for place, item in enumerate(items):
        begun = {**item, "status": "in_progress", **_emptied(item)}
        yield told("response.output_item.added", output_index=place, item=begun)
        for name, data in _deltas(reply, item):
            yield told(name, output_index=place, item_id=item["id"], **data)
        yield told("response.output_item.done", output_index=place, item=item)
    yield told("response.completed", response=_response(reply, "completed", items))


def _response(reply: Reply, status: str, items: list[Json]) -> Json:
    done = status == "completed"
    return {
        "id": f"resp_{reply.number:06d}",
        "object": "response",
        "created_at": _CREATED,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": reply.model,
        "output": items,
        "parallel_tool_calls": True,
        "usage": _usage(reply.usage) if done and reply.usage is not None else None,
    }


def _items(reply: Reply) -> Iterator[Json]:
    step = reply.step
    if step.thinking:
        summary = [{"type": "summary_text", "text": step.thinking}]
        yield {"id": f"rs_{reply.number:06d}", "type": "reasoning", "summary": summary}
    if step.text:
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        yield {
            "id": f"msg_{reply.number:06d}",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": content,
        }
    for place, call in enumerate(reply.calls):
        yield {
            "id": f"fc_{reply.number:06d}_{place}",
            "type": "function_call",
            "status": "completed",
            "call_id": reply.call_id(place),
            "name": call.name,
            "arguments": compact(dict(call.arguments)),
        }


def _emptied(item: Json) -> Json:
    empty: Json = {"summary": [], "content": [], "arguments": ""}
    return {key: value for key, value in empty.items() if key in item}


def _deltas(reply: Reply, item: Json) -> Iterator[tuple[str, Json]]:
    if item["type"] == "reasoning":
        part: Json = {"summary_index": 0}
        yield "response.reasoning_summary_text.delta", {**part, "delta": reply.step.thinking}
        yield "response.reasoning_summary_text.done", {**part, "text": reply.step.thinking}
    elif item["type"] == "message":
        part = {"content_index": 0}
        text = {"type": "output_text", "text": "", "annotations": []}
        yield "response.content_part.added", {**part, "part": text}
        for delta in reply.texts():
            yield "response.output_text.delta", {**part, "delta": delta}
        yield "response.output_text.done", {**part, "text": reply.step.text}
        yield "response.content_part.done", {**part, "part": {**text, "text": reply.step.text}}
    else:
        yield "response.function_call_arguments.delta", {"delta": item["arguments"]}
        yield "response.function_call_arguments.done", {"arguments": item["arguments"]}


def _usage(usage: ScriptedUsage) -> Json:
    details: Json = {"cached_tokens": usage.cache_read}
    if written := usage.cache_write_5m + usage.cache_write_1h:
        details["cache_write_tokens"] = written
    return {
        "input_tokens": usage.prompt,
        "input_tokens_details": details,
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.prompt + usage.output,
    }
