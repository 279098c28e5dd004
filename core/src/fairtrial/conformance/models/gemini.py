"""Replies in the form of Gemini's generateContent and streamGenerateContent."""

from collections.abc import Iterable, Iterator

from fairtrial.conformance.models.reply import Reply, compact
from fairtrial.conformance.models.script import ScriptedUsage

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
Json = dict[str, object]


def plain(reply: Reply) -> Json:
    """Returns the whole reply."""
    return _content(reply, list(_parts(reply, [reply.step.text])), last=True)


def contents(reply: Reply) -> Iterator[Json]:
    """Yields the documents of a stream; each tells the usage so far."""
    parts = list(_parts(reply, reply.texts()))
    for part in parts[:-1]:
        yield _content(reply, [part], last=False)
    yield _content(reply, parts[-1:], last=True)


def events(reply: Reply) -> Iterator[bytes]:
    """Yields the reply as server-sent events, which `alt=sse` asks for."""
    for content in contents(reply):
        yield f"data: {compact(content)}\r\n\r\n".encode()


def array(reply: Reply) -> Iterator[bytes]:
    """Yields the reply as the pieces of one JSON array, which a stream without `alt=sse` is."""
    for place, content in enumerate(contents(reply)):
        yield (",\r\n" if place else "[").encode() + compact(content).encode()
    yield b"]"


def error(status: int, message: str) -> Json:
    """Returns the body of a failure."""
    word = STATUSES.get(status, "UNKNOWN")
    return {"error": {"code": status, "message": message, "status": word}}


def _content(reply: Reply, parts: list[Json], *, last: bool) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": parts}, "index": 0}
    if last:
        candidate["finishReason"] = "STOP"
    told: Json = {}
    if reply.usage is not None:
        told = {"usageMetadata": _usage(reply.usage, done=last)}
    return {
        "candidates": [candidate],
        **told,
        "modelVersion": reply.model,
        "responseId": f"resp{reply.number:06d}",
    }


def _parts(reply: Reply, texts: Iterable[str]) -> Iterator[Json]:
    if reply.step.thinking:
        yield {"text": reply.step.thinking, "thought": True}
    for text in filter(None, texts):
        yield {"text": text}
    for call in reply.calls:
        yield {"functionCall": {"name": call.name, "args": dict(call.arguments)}}


def _usage(usage: ScriptedUsage, *, done: bool) -> Json:
    """Returns tokens: the prompt includes what is cached, the candidates leave out thoughts."""
    told: Json = {"promptTokenCount": usage.prompt, "totalTokenCount": usage.prompt}
    if done:
        told["candidatesTokenCount"] = usage.output - usage.reasoning
        told["totalTokenCount"] = usage.prompt + usage.output
    if usage.cache_read:
        told["cachedContentTokenCount"] = usage.cache_read
    if usage.reasoning:
        told["thoughtsTokenCount"] = usage.reasoning
    return told
