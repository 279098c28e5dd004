"""Replies in the form of Anthropic's Messages (API version 2023-06-01)."""

from collections.abc import Iterator

from fairtrial.conformance.models.reply import Reply, compact, event, pieces
from fairtrial.conformance.models.script import ScriptedUsage

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}

Json = dict[str, object]


def plain(reply: Reply) -> Json:
    """Returns the whole reply."""
    return {
        **_head(reply),
        "content": [block for block, _ in _blocks(reply)],
        "stop_reason": _stop(reply),
        **({} if reply.usage is None else {"usage": _usage(reply.usage, reply.usage.output)}),
    }


def events(reply: Reply) -> Iterator[bytes]:
    """Yields the reply as a stream; its first event tells one output token, as the real one does."""
    start: Json = {**_head(reply), "content": [], "stop_reason": None}
    if reply.usage is not None:
        start["usage"] = _usage(reply.usage, min(1, reply.usage.output))
    yield _event("message_start", message=start)
    yield _event("ping")
    for index, (block, deltas) in enumerate(_blocks(reply)):
        yield _event("content_block_start", index=index, content_block=_emptied(block))
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    last: Json = {"delta": {"stop_reason": _stop(reply), "stop_sequence": None}}
    if reply.usage is not None:
        last["usage"] = _usage(reply.usage, reply.usage.output)
    yield _event("message_delta", **last)
    yield _event("message_stop")


def error(status: int, message: str) -> Json:
    """Returns the body of a failure."""
    kind = KINDS.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def _event(name: str, **data: object) -> bytes:
    return event({"type": name, **data}, name)


def _head(reply: Reply) -> Json:
    return {
        "id": f"msg_{reply.number:06d}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "stop_sequence": None,
    }


def _stop(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"


def _blocks(reply: Reply) -> Iterator[tuple[Json, list[Json]]]:
    """Yields each block of the content, and what a stream tells it by."""
    step = reply.step
    if step.thinking:
        signature: Json = {"signature": "c2NyaXB0ZWQ="}
        told: list[Json] = [
            {"type": "thinking_delta", "thinking": step.thinking},
            {"type": "signature_delta", **signature},
        ]
        yield {"type": "thinking", "thinking": step.thinking, **signature}, told
    if step.text:
        deltas: list[Json] = [{"type": "text_delta", "text": text} for text in reply.texts()]
        yield {"type": "text", "text": step.text}, deltas
    for place, call in enumerate(reply.calls):
        arguments = dict(call.arguments)
        parts = pieces(compact(arguments), 2)
        yield (
            {
                "type": "tool_use",
                "id": f"toolu_{reply.number:06d}_{place}",
                "name": call.name,
                "input": arguments,
            },
            [{"type": "input_json_delta", "partial_json": part} for part in parts],
        )


def _emptied(block: Json) -> Json:
    empty: Json = {"text": "", "thinking": "", "signature": "", "input": {}}
    return {key: empty.get(key, value) for key, value in block.items()}


def _usage(usage: ScriptedUsage, output: int) -> Json:
    return {
        "input_tokens": usage.input_uncached,
        "cache_creation_input_tokens": usage.cache_write_5m + usage.cache_write_1h,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_write_5m,
            "ephemeral_1h_input_tokens": usage.cache_write_1h,
        },
        "output_tokens": output,
        "service_tier": "standard",
    }
