"""What in a document breaks a rule of the interchange format, said for its author."""

import re
from collections.abc import Iterator

from fairtrial.agents.atif.shape import misshapen
from fairtrial.agents.picking import Json, at, rows, text

# ISO 8601, with or without a zone.
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.IGNORECASE
)
_VERSIONS = re.compile(r"ATIF-v1\.[0-8]")
_AGENT_ONLY = (
    "model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics",
)  # fmt: skip
_MEDIA = {
    "image": re.compile(r"image/(?:jpeg|png|gif|webp)"),
    "audio": re.compile(r"audio/[a-z0-9.+-]+", re.IGNORECASE),
}


def faults(document: object) -> tuple[str, ...]:
    """Returns every fault that is seen; empty for a sound document."""
    try:
        return (*misshapen(document), *_trajectory(document, "", embedded=False))
    except RecursionError:
        return ("the document: holds too many trajectories, one inside of the other",)


def _trajectory(document: object, where: str, *, embedded: bool) -> Iterator[str]:
    form = text(document, "schema_version")
    if form and not _VERSIONS.fullmatch(form):
        yield f"{where}schema_version: “{form}” is not known"
    if embedded and not text(document, "trajectory_id"):
        yield f"{where}trajectory_id: one that is embedded needs it"
    steps = at(document, "steps")
    if steps == []:
        yield f"{where}steps: there is none"
    for number, step in enumerate(rows(document, "steps"), start=1):
        yield from _step(step, number, f"{where}steps[{number}]")
    yield from _embedded(document, where)


def _embedded(document: object, where: str) -> Iterator[str]:
    inner = rows(document, "subagent_trajectories")
    names = [text(one, "trajectory_id") for one in inner]
    for place, one in enumerate(inner):
        spot = f"{where}subagent_trajectories[{place + 1}]."
        if names[place] and names[place] in names[:place]:
            yield f"{spot}trajectory_id: “{names[place]}” is taken"
        yield from _trajectory(one, spot, embedded=True)


def _step(step: Json, number: int, where: str) -> Iterator[str]:
    told = step.get("step_id")
    if told is not None and told != number:
        yield f"{where}.step_id: is {told}, and should be {number}"
    source = step.get("source")
    if isinstance(source, str) and source not in {"system", "user", "agent"}:
        yield f"{where}.source: “{source}” is not known"
    stamp = step.get("timestamp")
    if isinstance(stamp, str) and not _TIME.fullmatch(stamp):
        yield f"{where}.timestamp: “{stamp}” is no ISO 8601"
    for name in () if source is None or source == "agent" else _AGENT_ONLY:
        if step.get(name) is not None:
            yield f"{where}.{name}: only an agent's step has it"
    if step.get("llm_call_count") == 0 and (step.get("metrics") or step.get("reasoning_content")):
        yield f"{where}.llm_call_count: is 0, and there are metrics or reasoning"
    yield from _parts(step, "message", where)
    yield from _results(step, where)


def _results(step: Json, where: str) -> Iterator[str]:
    known = {text(call, "tool_call_id") for call in rows(step, "tool_calls")}
    for place, result in enumerate(rows(step, "observation", "results"), start=1):
        spot = f"{where}.observation.results[{place}]"
        source = result.get("source_call_id")
        if isinstance(source, str) and source not in known:
            yield f"{spot}: “{source}” is no call of this step"
        yield from _parts(result, "content", spot)
        for reference in rows(result, "subagent_trajectory_ref"):
            if not reference.get("trajectory_id") and not reference.get("trajectory_path"):
                yield f"{spot}: a reference to a subagent leads nowhere"


def _parts(holder: Json, name: str, where: str) -> Iterator[str]:
    for place, part in enumerate(rows(holder, name), start=1):
        spot, kind = f"{where}.{name}[{place}]", text(part, "type")
        is_text = kind == "text"
        if not is_text and kind not in _MEDIA:
            yield f"{spot}.type: “{kind}” is not known"
            continue
        wanted, other = ("text", "source") if is_text else ("source", "text")
        if part.get(wanted) is None:
            yield f"{spot}.{wanted}: is missing"
        if part.get(other) is not None:
            yield f"{spot}.{other}: a part of the type “{kind}” has none"
        media = at(part, "source", "media_type")
        if isinstance(media, str) and not is_text and not _MEDIA[kind].fullmatch(media):
            yield f"{spot}.source.media_type: “{media}” is none of the type “{kind}”"
