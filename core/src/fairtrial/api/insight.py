"""What the log of one attempt shows: turns, tools, time, tokens by what they were spent on."""

from collections.abc import Mapping
from typing import TypeVar

from attrs import Factory, field, frozen

CATEGORIES = ("read", "search", "command_output", "edit", "reasoning", "replay")
"""What tokens are spent on, in the order in which they are shown."""


@frozen(kw_only=True)
class ToolCount:
    """How often a tool was called, and how often it failed."""

    calls: int = 0
    errors: int = 0


@frozen(kw_only=True)
class Repeat:
    """Something done three times or more: a file read, or a command run."""

    what: str
    times: int


_T = TypeVar("_T")


def _part_of(whole: str, nothing: _T) -> _T | None:
    """Returns the default of a figure: nothing of a whole that is told, else None."""
    return Factory(lambda self: None if getattr(self, whole) is None else nothing, takes_self=True)


@frozen(kw_only=True)
class Insight:
    """
    The figures of one trajectory; None for each that it can't tell.

    A record leaves out what is at its default: no failed turn among those that are told, no subagent
    where tools are.

    Attributes:
        wall_ms: From the first timestamp to the last; None with fewer than two.
        working_ms: The turns' own time, less the time that questions waited for an answer; None
            where no turn tells its time.
        waiting_ms: The time that questions waited; None where one was not answered, or has no
            timestamps.
        turns: How many turns ended; None where the log tells of none.
        failed_turns: How many of them failed.
        tools: Calls and errors by tool; None where the log can't tell of tools, as that of a
            program of which only the output is seen.
        subagents: How many subagents were started; None where tools aren't told.
        subagent_tool_calls: Calls that subagents made; likewise.
        questions: How many questions were asked; several put at once are one.
        question_items: How many entries they carried together.
        watchdog_nudges: Times that the agent was nudged on.
        user_messages: Other messages of the user than the brief and the nudges.
        plain_text_reprompts: Times that the agent asked in plain text and was asked to use its
            question tool.
        rate_limit_hits: Signs of a provider that had enough; None where there is none in a log
            that can't tell of tools.
        longest_silence_ms: The longest gap between two events while the agent was working; None
            where the log doesn't follow its work.
        repeated_reads: Files read three times or more, most often first; None where tools aren't
            told.
        repeated_commands: Commands run three times or more, most often first; likewise.
        tokens: Tokens by category; None where the log tells no usage.
        tokens_by_model: The same for each model.
        cost_usd: Dollars as the agent's last turn tells them; None where it doesn't.
    """

    wall_ms: int | None = None
    working_ms: int | None = None
    waiting_ms: int | None = 0
    turns: int | None = None
    failed_turns: int | None = _part_of("turns", 0)
    tools: Mapping[str, ToolCount] | None = None
    subagents: int | None = _part_of("tools", 0)
    subagent_tool_calls: int | None = _part_of("tools", 0)
    questions: int = 0
    question_items: int = 0
    watchdog_nudges: int = 0
    user_messages: int = 0
    plain_text_reprompts: int = 0
    rate_limit_hits: int | None = _part_of("tools", 0)
    longest_silence_ms: int | None = None
    repeated_reads: tuple[Repeat, ...] | None = _part_of("tools", ())
    repeated_commands: tuple[Repeat, ...] | None = _part_of("tools", ())
    tokens: Mapping[str, int] | None = None
    tokens_by_model: Mapping[str, Mapping[str, int]] = field(factory=dict)
    cost_usd: float | None = None

    @property
    def tool_calls(self) -> int | None:
        """All calls; None where tools aren't told."""
        return None if self.tools is None else sum(each.calls for each in self.tools.values())

    @property
    def tool_errors(self) -> int | None:
        """All calls that failed; None where tools aren't told."""
        return None if self.tools is None else sum(each.errors for each in self.tools.values())
