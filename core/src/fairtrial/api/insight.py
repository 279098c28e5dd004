"""What the log of one attempt shows: turns, tools, time, tokens by what they were spent on."""

from collections.abc import Mapping

from attrs import field, frozen

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


@frozen(kw_only=True)
class Insight:
    """
    The figures of one trajectory.

    Attributes:
        wall_ms: From the first timestamp to the last; 0 with fewer than two.
        working_ms: The turns' own time, less the time that questions waited for an answer.
        waiting_ms: The time that questions waited.
        turns: How many turns ended.
        failed_turns: How many of them failed.
        tools: Calls and errors by tool.
        subagents: How many subagents were started.
        subagent_tool_calls: Calls that subagents made.
        questions: How many questions were asked; several put at once are one.
        question_items: How many entries they carried together.
        watchdog_nudges: Times that the agent was nudged on.
        user_messages: Other messages of the user than the brief and the nudges.
        plain_text_reprompts: Times that the agent asked in plain text and was asked to use its
            question tool.
        rate_limit_hits: Signs of a provider that had enough.
        longest_silence_ms: The longest gap between two events while the agent was working.
        repeated_reads: Files read three times or more, most often first.
        repeated_commands: Commands run three times or more, most often first.
        tokens: Tokens by category; None where the log tells no usage.
        tokens_by_model: The same for each model.
        cost_usd: Dollars as the agent's last turn tells them; None where it doesn't.
    """

    wall_ms: int = 0
    working_ms: int = 0
    waiting_ms: int = 0
    turns: int = 0
    failed_turns: int = 0
    tools: Mapping[str, ToolCount] = field(factory=dict)
    subagents: int = 0
    subagent_tool_calls: int = 0
    questions: int = 0
    question_items: int = 0
    watchdog_nudges: int = 0
    user_messages: int = 0
    plain_text_reprompts: int = 0
    rate_limit_hits: int = 0
    longest_silence_ms: int = 0
    repeated_reads: tuple[Repeat, ...] = ()
    repeated_commands: tuple[Repeat, ...] = ()
    tokens: Mapping[str, int] | None = None
    tokens_by_model: Mapping[str, Mapping[str, int]] = field(factory=dict)
    cost_usd: float | None = None

    @property
    def tool_calls(self) -> int:
        """All calls."""
        return sum(count.calls for count in self.tools.values())

    @property
    def tool_errors(self) -> int:
        """All calls that failed."""
        return sum(count.errors for count in self.tools.values())
