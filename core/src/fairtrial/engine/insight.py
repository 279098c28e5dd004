"""What the log of one attempt shows, cut to what a line of the journal may hold."""

import json
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

import structlog
from attrs import evolve

from fairtrial.api import Insight, Repeat, ToolCount
from fairtrial.engine import artifacts
from fairtrial.figures.insight import insight_of
from fairtrial.redaction import redact

MOST_REPEATS = 10
"""Repeated reads, and repeated commands, that are kept."""

MOST_TOOLS = 30
"""Tools that are kept by name; the rest is counted together."""

MOST_MODELS = 10
"""Models that are kept by name; the rest is counted together."""

LONGEST_TEXT = 200
"""Characters of a path or a command that are kept, counted as the journal writes them."""

LONGEST_NAME = 64
"""Characters of a tool's or a model's name that are kept, likewise."""

OTHERS = "(others)"
"""Stands for all tools, or models, beyond those that are kept by name."""

log = structlog.get_logger()


def looked_into(place: Path) -> Insight | None:
    """
    Reads an attempt's log once, from the disk.

    None where the attempt left no log, or one that can't be read: no result depends on it.
    """
    try:
        events = artifacts.events(place)
        return None if events is None else shortened(insight_of(events))
    except OSError as error:
        log.warning("log not read", place=str(place), because=error.strerror)
        return None


def shortened(insight: Insight) -> Insight:
    """
    Returns figures without secrets, and of a size that doesn't grow with the log.

    No count is lost: tools and models beyond the most used are counted together.
    """
    return evolve(
        insight,
        tools=_tools(insight.tools),
        repeated_reads=_repeats(insight.repeated_reads),
        repeated_commands=_repeats(insight.repeated_commands),
        tokens_by_model=_models(insight.tokens_by_model),
    )


def _repeats(repeats: tuple[Repeat, ...] | None) -> tuple[Repeat, ...] | None:
    if repeats is None:
        return None
    return tuple(
        evolve(repeat, what=_cut(repeat.what, LONGEST_TEXT)) for repeat in repeats[:MOST_REPEATS]
    )


def _tools(tools: Mapping[str, ToolCount] | None) -> dict[str, ToolCount] | None:
    if tools is None:
        return None
    found: dict[str, ToolCount] = {}
    for number, (name, count) in enumerate(tools.items()):
        key = _cut(name, LONGEST_NAME) if number < MOST_TOOLS else OTHERS
        before = found.get(key, ToolCount())
        found[key] = ToolCount(
            calls=before.calls + count.calls, errors=before.errors + count.errors
        )
    return found


def _models(models: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    found: dict[str, Mapping[str, int]] = {}
    ordered = sorted(models, key=lambda model: -sum(models[model].values()))
    for number, name in enumerate(ordered):
        key = _cut(name, LONGEST_NAME) if number < MOST_MODELS else OTHERS
        before, more = found.get(key, {}), models[name]
        found[key] = {category: before.get(category, 0) + more[category] for category in more}
    return found


def _cut(text: str, limit: int) -> str:
    # Secrets go first: a key that was cut in two would no longer look like one.
    shown = redact(text)
    if _size(shown[:limit]) <= limit >= len(shown):
        return shown
    sizes = accumulate(map(_size, shown[:limit]))
    return shown[: sum(size < limit for size in sizes)] + "…"


def _size(text: str) -> int:
    """Returns how long a text is in the journal, which escapes all but ASCII."""
    return len(json.dumps(text)) - 2
