"""The shape of the interchange format: which fields there are, what each holds, which must be."""

import math
from collections.abc import Callable, Iterator, Mapping

_SHAPES: Mapping[str, Mapping[str, str]] = {
    "trajectory": {
        "schema_version": "text!", "session_id": "text", "trajectory_id": "text",
        "agent": "agent!", "steps": "[step]!", "notes": "text",
        "final_metrics": "final metrics", "continued_trajectory_ref": "text",
        "subagent_trajectories": "[trajectory]", "extra": "object",
    },
    "agent": {
        "name": "text!", "version": "text!", "model_name": "text",
        "tool_definitions": "[object]", "extra": "object",
    },
    "step": {
        "step_id": "count!", "timestamp": "text", "source": "text!", "message": "text|[part]!",
        "model_name": "text", "reasoning_effort": "text|number", "reasoning_content": "text",
        "tool_calls": "[tool call]", "metrics": "metrics", "observation": "observation",
        "is_copied_context": "flag", "llm_call_count": "count", "extra": "object",
    },
    "tool call": {
        "tool_call_id": "text!", "function_name": "text!", "arguments": "object!",
        "extra": "object",
    },
    "observation": {"results": "[result]!"},
    "result": {
        "source_call_id": "text", "content": "text|[part]",
        "subagent_trajectory_ref": "[reference]", "extra": "object",
    },
    "reference": {
        "trajectory_id": "text", "trajectory_path": "text", "session_id": "text",
        "extra": "object",
    },
    "part": {"type": "text!", "text": "text", "source": "source"},
    "source": {"media_type": "text!", "path": "text!", "duration_sec": "number"},
    "metrics": {
        "prompt_tokens": "count", "completion_tokens": "count", "cached_tokens": "count",
        "cost_usd": "number", "prompt_token_ids": "[count]", "completion_token_ids": "[count]",
        "logprobs": "[number]", "extra": "object",
    },
    "final metrics": {
        "total_prompt_tokens": "count", "total_completion_tokens": "count",
        "total_cached_tokens": "count", "total_cost_usd": "number", "total_steps": "count",
        "extra": "object",
    },
}  # fmt: skip
"""By object, each field with what it holds; `!` marks one that must be there."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf


_PLAIN: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "text": ("text", lambda value: isinstance(value, str)),
    "flag": ("true or false", lambda value: isinstance(value, bool)),
    "number": ("number", _is_number),
    "count": (
        "whole number from 0 on",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    ),
    "object": ("object", lambda value: isinstance(value, dict)),
}


def misshapen(value: object, what: str = "trajectory", place: str = "") -> Iterator[str]:
    """Yields a line for each field that is unknown, missing, or holds something else."""
    if not isinstance(value, dict):
        yield f"{place or 'the document'}: is no object"
        return
    fields = _SHAPES[what]
    for name, inner in value.items():
        if name not in fields:
            yield f"{place}{': ' if place else ''}“{name}” is no field of a {what}"
        elif inner is not None:
            yield from _held(inner, fields[name].rstrip("!"), f"{place}.{name}".lstrip("."))
    for name, holds in fields.items():
        if holds.endswith("!") and value.get(name) is None:
            yield f"{place}.{name}: is missing".lstrip(".")


def _held(value: object, holds: str, place: str) -> Iterator[str]:
    ways = holds.split("|")
    way = next((way for way in ways if _begins_as(value, way)), None)
    if way is None:
        yield f"{place}: is no {' or '.join(map(_called, ways))}"
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _held(one, way.strip("[]"), f"{place}[{number}]")
    elif way in _SHAPES:
        yield from misshapen(value, way, place)


def _begins_as(value: object, way: str) -> bool:
    if way.startswith("["):
        return isinstance(value, list)
    return isinstance(value, dict) if way in _SHAPES else _PLAIN[way][1](value)


def _called(way: str) -> str:
    if way.startswith("["):
        return "list"
    return "object" if way in _SHAPES else _PLAIN[way][0]
