"""
Tokens by what they were spent on.

A turn's tokens go to one category, that of its most telling tool; tokens read from or written to a
cache are `replay`. Usage in a log is cumulative, so that each turn's share is a difference.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import define, field

from fairtrial.api.insight import CATEGORIES
from fairtrial.api.trajectory import ModelUsage

TOOLS = {
    **dict.fromkeys(("Read", "NotebookRead"), "read"),
    **dict.fromkeys(("Grep", "Glob", "LS", "WebSearch"), "search"),
    **dict.fromkeys(("Bash", "BashOutput", "KillShell"), "command_output"),
    **dict.fromkeys(("Edit", "Write", "MultiEdit", "NotebookEdit"), "edit"),
}
"""Canonical tools and their category; any other is `reasoning`."""

PRECEDENCE = ("edit", "command_output", "search", "read", "reasoning")
"""Which of the categories seen since the last measured turn takes the turn's tokens."""

_WORK = ("input_tokens", "output_tokens")
_REPLAY = ("cache_read_tokens", "cache_write_tokens")


@define
class Categories:
    """
    Sorts a log's tokens as it is read.

    Attributes:
        seen: Categories of the tools used since the last turn that told its usage.
        by_model: Tokens by model and category so far.
        measured: Whether any turn told its usage.
    """

    seen: set[str] = field(factory=set)
    by_model: dict[str, Counter[str]] = field(factory=dict)
    measured: bool = False
    _baseline: Mapping[str, ModelUsage] = field(factory=dict)

    def used(self, tool: str) -> None:
        """Notes a tool call, a subagent's too."""
        self.seen.add(TOOLS.get(tool, "reasoning"))

    def turn_ended(self, usage: Mapping[str, ModelUsage] | None) -> None:
        """
        Gives the tokens since the last measured turn to their category.

        A turn that tells no usage attributes nothing, and what was seen waits for the next one.
        """
        if usage is None or not any(map(_is_known, usage.values())):
            return
        self.measured = True
        category = next((name for name in PRECEDENCE if name in self.seen), "reasoning")
        for model, now in usage.items():
            if not _is_known(now):
                continue
            before = self._baseline.get(model, ModelUsage())
            tokens = self.by_model.setdefault(model, Counter())
            tokens[category] += _grown(before, now, _WORK)
            tokens["replay"] += _grown(before, now, _REPLAY)
        self.seen.clear()
        self._baseline = dict(usage)

    def sums(self) -> dict[str, int] | None:
        """Returns tokens by category over all models; None where no turn told its usage."""
        if not self.measured:
            return None
        total: Counter[str] = Counter()
        for tokens in self.by_model.values():
            total.update(tokens)
        return ordered(total)


def ordered(tokens: Mapping[str, int]) -> dict[str, int]:
    """Returns every category in its place, those that were never used as 0."""
    return {name: tokens.get(name, 0) for name in CATEGORIES}


def _grown(before: ModelUsage, now: ModelUsage, names: Iterable[str]) -> int:
    # A count that is missing, malformed or smaller than before adds nothing.
    return sum(max(0, _count(now, name) - _count(before, name)) for name in names)


def _is_known(usage: ModelUsage) -> bool:
    return any(type(getattr(usage, name)) is int for name in (*_WORK, *_REPLAY))


def _count(usage: ModelUsage, name: str) -> int:
    value = getattr(usage, name)
    return value if type(value) is int and value > 0 else 0
