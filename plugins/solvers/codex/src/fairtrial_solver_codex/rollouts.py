"""
Tokens out of Codex's rollout files, each counted once.

A file tells cumulative totals, some of them several times over; a thread that was forked off
begins by repeating its parent's.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve, field, frozen
from fairtrial.agents.picking import at, count, table, text
from fairtrial.agents.sessions import documents
from fairtrial.agents.tokens import from_openai, merged
from fairtrial.api import Usage

_COUNTS = (
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
)
Counts = tuple[int, ...]


@frozen(kw_only=True)
class Rollout:
    """
    One thread.

    Attributes:
        id: Its id.
        parent: The thread that it was forked off; empty for the first one.
        totals: Cumulative counts, with the model that was at work, repeats left out.
    """

    id: str
    parent: str = ""
    totals: tuple[tuple[str | None, Counts], ...] = field(default=())

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The cumulative counts alone."""
        return tuple(counts for _, counts in self.totals)


def rollout_usages(paths: Sequence[Path]) -> tuple[Usage, ...]:
    """Returns what all threads used, one entry a model; empty where no file tells anything."""
    threads = [thread for thread in map(read_rollout, paths) if thread.totals]
    known = {thread.id: thread for thread in threads}
    used = [usage for thread in threads for usage in _used(thread, known.get(thread.parent))]
    return merged(used)


def read_rollout(path: Path) -> Rollout:
    """Reads one thread's file, torn lines passed over."""
    name, parent, model = "", "", None
    totals: list[tuple[str | None, Counts]] = []
    for row in documents(path):
        kind, payload = row.get("type"), table(row, "payload")
        if kind == "session_meta" and not name:
            name = text(payload, "id")
            spawned = at(payload, "source", "subagent", "thread_spawn")
            parent = text(spawned, "parent_thread_id") or text(payload, "forked_from_id")
        elif kind == "turn_context":
            model = text(payload, "model") or model
        elif kind == "event_msg" and payload.get("type") == "token_count":
            counts = _counts(at(payload, "info", "total_token_usage"))
            if counts is not None and (not totals or totals[-1][1] != counts):
                totals.append((model, counts))
    return Rollout(id=name, parent=parent, totals=tuple(totals))


def _used(thread: Rollout, parent: Rollout | None) -> Iterator[Usage]:
    """Yields the growth from one total to the next, a replayed beginning left out."""
    known = set() if parent is None else set(parent.counts)
    before: Counts = (0,) * len(_COUNTS)
    replayed = bool(known)
    for model, counts in thread.totals:
        replayed = replayed and counts in known
        grown = tuple(max(0, new - old) for new, old in zip(counts, before, strict=True))
        if not replayed and any(grown):
            told = dict(zip(_COUNTS, grown, strict=True))
            yield evolve(from_openai(told), model=model)
        before = counts


def _counts(told: object) -> Counts | None:
    if count(told, "input_tokens") is None and count(told, "output_tokens") is None:
        return None
    return tuple(count(told, name) or 0 for name in _COUNTS)
