"""What in a document breaks a rule of the interchange format, said for its author."""

import re
from collections.abc import Iterator

from fairtrial.agents.picking import Json, at, rows, table, text

# ISO 8601, with or without a zone.
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.IGNORECASE
)
_VERSIONS = re.compile(r"ATIF-v1\.[0-8]")
_AGENT_ONLY = (
    "model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics",
)  # fmt: skip
_KEYS = {
    "trajectory": {
        "schema_version", "session_id", "trajectory_id", "agent", "steps", "notes",
        "final_metrics", "continued_trajectory_ref", "subagent_trajectories", "extra",
    },
    "agent": {"name", "version", "model_name", "tool_definitions", "extra"},
    "step": {
        "step_id", "timestamp", "source", "message", "observation", "is_copied_context",
        "llm_call_count", "extra", *_AGENT_ONLY,
    },
    "tool call": {"tool_call_id", "function_name", "arguments", "extra"},
    "result": {"source_call_id", "content", "subagent_trajectory_ref", "extra"},
    "reference": {"trajectory_id", "trajectory_path", "session_id", "extra"},
}  # fmt: skip


def faults(document: object) -> tuple[str, ...]:
    """Returns every fault that is seen; empty for a sound document."""
    return tuple(_trajectory(document, "", embedded=False))


def _trajectory(document: object, where: str, *, embedded: bool) -> Iterator[str]:
    yield from _unknown(document, "trajectory", where)
    form = text(document, "schema_version") or "ATIF-v1.8"
    if not _VERSIONS.fullmatch(form):
        yield f"{where}schema_version: “{form}” is not known"
    if embedded and not text(document, "trajectory_id"):
        yield f"{where}trajectory_id: one that is embedded needs it"
    yield from _unknown(at(document, "agent"), "agent", f"{where}agent: ")
    for name in ("name", "version"):
        if not isinstance(at(document, "agent", name), str):
            yield f"{where}agent.{name}: is missing"
    steps = rows(document, "steps")
    if not steps:
        yield f"{where}steps: there is none"
    for number, step in enumerate(steps, start=1):
        yield from _step(step, number, f"{where}steps[{number}]")
    yield from _embedded(document, where)


def _embedded(document: object, where: str) -> Iterator[str]:
    inner = rows(document, "subagent_trajectories")
    names = [text(one, "trajectory_id") for one in inner]
    for place, one in enumerate(inner):
        spot = f"{where}subagent_trajectories[{place}]."
        if names[place] and names[place] in names[:place]:
            yield f"{spot}trajectory_id: “{names[place]}” is taken"
        yield from _trajectory(one, spot, embedded=True)


def _step(step: Json, number: int, where: str) -> Iterator[str]:
    yield from _unknown(step, "step", f"{where}: ")
    if step.get("step_id") != number:
        yield f"{where}.step_id: is {step.get('step_id')}, and should be {number}"
    source = text(step, "source")
    if source not in {"system", "user", "agent"}:
        yield f"{where}.source: “{source}” is not known"
    if not isinstance(step.get("message"), str | list):
        yield f"{where}.message: is missing"
    stamp = step.get("timestamp")
    if stamp is not None and not _TIME.fullmatch(str(stamp)):
        yield f"{where}.timestamp: “{stamp}” is no ISO 8601"
    for name in _AGENT_ONLY if source != "agent" else ():
        if step.get(name) is not None:
            yield f"{where}.{name}: only an agent's step has it"
    if step.get("llm_call_count") == 0 and (step.get("metrics") or step.get("reasoning_content")):
        yield f"{where}.llm_call_count: is 0, and there are metrics or reasoning"
    yield from _calls(step, where)


def _calls(step: Json, where: str) -> Iterator[str]:
    calls = rows(step, "tool_calls")
    known = {text(call, "tool_call_id") for call in calls}
    for call in calls:
        yield from _unknown(call, "tool call", f"{where}.tool_calls: ")
        if not isinstance(call.get("arguments"), dict):
            yield f"{where}.tool_calls: “{text(call, 'tool_call_id')}” has no arguments"
    for result in rows(step, "observation", "results"):
        yield from _unknown(result, "result", f"{where}.observation: ")
        source = result.get("source_call_id")
        if source is not None and source not in known:
            yield f"{where}.observation: “{source}” is no call of this step"
        for reference in rows(result, "subagent_trajectory_ref"):
            yield from _unknown(reference, "reference", f"{where}.observation: ")
            if not reference.get("trajectory_id") and not reference.get("trajectory_path"):
                yield f"{where}.observation: a reference to a subagent leads nowhere"


def _unknown(value: object, what: str, where: str) -> Iterator[str]:
    for key in table(value):
        if key not in _KEYS[what]:
            yield f"{where}“{key}” is no field of a {what}"
