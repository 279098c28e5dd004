"""Replies in the form of OpenAI's Chat Completions, which has no place for thinking."""

from collections.abc import Iterator

from fairtrial.conformance.models.reply import Reply, compact, event
from fairtrial.conformance.models.script import ScriptedUsage

KINDS = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
_CREATED = 1767225600


def plain(reply: Reply) -> dict[str, object]:
    """Returns the whole reply."""
    message: dict[str, object] = {"role": "assistant", "content": reply.step.text or None}
    if reply.calls:
        message["tool_calls"] = [_call(reply, place) for place in range(len(reply.calls))]
    choice = {"index": 0, "message": message, "finish_reason": _stop(reply), "logprobs": None}
    told = {} if reply.usage is None else {"usage": usage_of(reply.usage)}
    return {**_head(reply, "chat.completion"), "choices": [choice], **told}


def events(reply: Reply) -> Iterator[bytes]:
    """Yields the reply as a stream; its usage comes in a last chunk without choices."""
    yield _chunk(reply, {"role": "assistant", "content": ""})
    for text in reply.texts():
        yield _chunk(reply, {"content": text})
    for place in range(len(reply.calls)):
        yield _chunk(reply, {"tool_calls": [{"index": place, **_call(reply, place)}]})
    yield _chunk(reply, {}, _stop(reply))
    if reply.usage is not None:
        head = _head(reply, "chat.completion.chunk")
        yield event({**head, "choices": [], "usage": usage_of(reply.usage)})
    yield b"data: [DONE]\n\n"


def error(status: int, message: str) -> dict[str, object]:
    """Returns the body of a failure."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    code = KINDS.get(status)
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def usage_of(usage: ScriptedUsage) -> dict[str, object]:
    """Returns tokens in the form of this API, where the prompt includes what is cached."""
    details: dict[str, object] = {"cached_tokens": usage.cache_read, "audio_tokens": 0}
    if written := usage.cache_write_5m + usage.cache_write_1h:
        details["cache_write_tokens"] = written
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.output,
        "total_tokens": usage.prompt + usage.output,
        "prompt_tokens_details": details,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _head(reply: Reply, kind: str) -> dict[str, object]:
    number = f"chatcmpl-{reply.number:06d}"
    return {"id": number, "object": kind, "created": _CREATED, "model": reply.model}


def _chunk(reply: Reply, delta: dict[str, object], stop: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return event({**_head(reply, "chat.completion.chunk"), "choices": [choice]})


def _call(reply: Reply, place: int) -> dict[str, object]:
    call = reply.calls[place]
    function = {"name": call.name, "arguments": compact(dict(call.arguments))}
    return {"id": reply.call_id(place), "type": "function", "function": function}


def _stop(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"
