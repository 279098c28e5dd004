"""Requests of the four forms, read into one."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

Api = Literal["anthropic", "chat", "responses", "gemini"]

_PATHS: tuple[tuple[Api, re.Pattern[str]], ...] = (
    ("anthropic", re.compile(r"/messages$")),
    ("chat", re.compile(r"/chat/completions$")),
    ("responses", re.compile(r"/responses$")),
    ("gemini", re.compile(r"/models/(?P<model>[^/:]+):(?:stream)?[gG]enerateContent$")),
)
_CALLED = {"tool_use", "function_call", "custom_tool_call", "local_shell_call"}
_RESULTS = {"tool_result", "function_call_output", "custom_tool_call_output"}

Json = Mapping[str, object]


@frozen(kw_only=True)
class Asked:
    """
    One request for a reply.

    Attributes:
        api: The form.
        model: The model that is asked for.
        streamed: Whether a stream is asked for.
        opening: The text of the conversation's first messages that are the user's.
        rounds: How often the history holds results of tools.
        said: Texts with which the model ended earlier turns.
        tools: What is offered, by name: the JSON Schema of each one's arguments.
        tells_usage: Whether the stream is to tell its usage.
    """

    api: Api
    model: str
    streamed: bool
    opening: str
    rounds: int
    said: tuple[str, ...]
    tools: Mapping[str, Json]
    tells_usage: bool = True


def form_of(path: str) -> tuple[Api | None, str]:
    """Returns which form a path belongs to, and the model where the path names it."""
    for api, pattern in _PATHS:
        if found := pattern.search(path):
            return api, found.groupdict().get("model") or ""
    return None, ""


def read(api: Api, body: Json, path: str, model: str) -> Asked:
    """Reads a request; what it lacks is taken for empty."""
    messages = _messages(api, body)
    options = _mapping(body.get("stream_options"))
    streamed = bool(body.get("stream")) if api != "gemini" else "stream" in path.rpartition(":")[2]
    return Asked(
        api=api,
        model=model or str(body.get("model", "")),
        streamed=streamed,
        opening=_opening(messages),
        rounds=_runs([_is_result(message) for message in messages]),
        said=tuple(_text(one) for one in messages if _is_plain_reply(one)),
        tools=dict(_tools(body)),
        tells_usage=api != "chat" or options.get("include_usage") is True,
    )


def _messages(api: Api, body: Json) -> list[Json]:
    key = {"responses": "input", "gemini": "contents"}.get(api, "messages")
    found = body.get(key)
    if isinstance(found, str):
        return [{"role": "user", "content": found}]
    return [one for one in _list(found) if isinstance(one, Mapping)]


def _parts(message: Json) -> list[Json]:
    content = message.get("parts") or message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [one for one in _list(content) if isinstance(one, Mapping)]


def _is_result(message: Json) -> bool:
    if message.get("role") == "tool" or message.get("type") in _RESULTS:
        return True
    return any(
        part.get("type") in _RESULTS or "functionResponse" in part for part in _parts(message)
    )


def _is_plain_reply(message: Json) -> bool:
    if message.get("role") not in {"assistant", "model"} or message.get("tool_calls"):
        return False
    return not any(
        part.get("type") in _CALLED or "functionCall" in part for part in _parts(message)
    )


def _text(message: Json) -> str:
    return "".join(
        str(part.get("text", "")) for part in _parts(message) if not part.get("thought")
    )


def _opening(messages: Sequence[Json]) -> str:
    """Returns what the user said before the model said anything."""
    texts: list[str] = []
    for message in messages:
        if message.get("role") in {"assistant", "model"} or message.get("type") in _CALLED:
            break
        if message.get("role") == "user":
            texts.append(_text(message))
    return "\n".join(texts)


def _runs(flags: Sequence[bool]) -> int:
    """Counts unbroken rows of what is true."""
    return sum(flag and not before for flag, before in zip(flags, [False, *flags], strict=False))


def _tools(body: Json) -> Sequence[tuple[str, Json]]:
    found: list[tuple[str, Json]] = []
    for tool in _list(body.get("tools")):
        if not isinstance(tool, Mapping):
            continue
        declared = _list(tool.get("functionDeclarations") or tool.get("function_declarations"))
        for one in declared or [tool.get("function") or tool]:
            about = _mapping(one)
            schema = next(
                (
                    _mapping(about[key])
                    for key in ("input_schema", "parameters", "parametersJsonSchema")
                    if about.get(key)
                ),
                {},
            )
            found.append((str(about.get("name") or about.get("type") or ""), schema))
    return found


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mapping(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}
