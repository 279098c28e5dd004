"""From the events of one attempt to its figures, in one pass over a log of any size."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from attrs import define, evolve, field

from fairtrial.api.insight import Insight, Repeat, ToolCount
from fairtrial.api.trajectory import (
    AssistantText,
    Event,
    LogMessage,
    QuestionAnswered,
    QuestionAsked,
    Status,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserMessage,
)
from fairtrial.figures.categories import Categories, ordered

REPEATED = 3
"""How often something must be done to count as repeated."""

SHOWN = 2_000
"""Characters of a failed tool's output that are looked at for a rate limit."""

RESTING = frozenset({"waiting_for_answer", "idle", "exited", "error"})
"""States in which silence is no sign of anything."""

_BEYOND = 1e15
"""A number of this size in a log is no milliseconds and no dollars; neither is one not finite."""

_LIMIT = re.compile(r"\b429\b|rate.?limit|overloaded|too many requests|quota", re.IGNORECASE)
_SUBAGENT_TOOLS = ("Task", "Agent")


def insight_of(events: Iterable[Event]) -> Insight:
    """Returns the figures of a trajectory; events may be read from disk as they are needed."""
    reading = _Reading()
    for event in events:
        reading.take(event)
    return reading.insight()


@define
class _Reading:
    """
    What is known so far.

    Attributes:
        told: Whether this is a transcript, in which tools would stand if any were called. What a
            program printed makes none, nor do the tokens that it tells: it is text without a
            message's id, and whatever else it did is not seen.
        followed: Whether events came while the agent worked, so that silence means something.
        stamps: How many events have a timestamp.
        timed: How many questions have been answered, with timestamps that tell how long they waited.
    """

    told: bool = False
    followed: bool = False
    stamps: int = 0
    first_ms: int | None = None
    last_ms: int | None = None
    state: str = "working"
    silence_ms: int = 0
    duration_ms: float | None = None
    waited_ms: int = 0
    timed: int = 0
    cost_usd: float | None = None
    counts: Counter[str] = field(factory=Counter)
    calls: Counter[str] = field(factory=Counter)
    errors: Counter[str] = field(factory=Counter)
    names: dict[str, str] = field(factory=dict)
    reads: Counter[str] = field(factory=Counter)
    commands: Counter[str] = field(factory=Counter)
    asked_ms: dict[str, int] = field(factory=dict)
    categories: Categories = field(factory=Categories)

    def take(self, event: Event) -> None:
        """Takes one event in."""
        self._tick(event.ts)
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def insight(self) -> Insight:
        """Returns the figures."""
        by_model = self.categories.by_model
        found = Insight(
            wall_ms=self._wall_ms(),
            working_ms=self._working_ms(),
            waiting_ms=self.waited_ms if self.timed == self.counts["questions"] else None,
            turns=self.counts["turns"] or None,
            failed_turns=self.counts["failed_turns"] if self.counts["turns"] else None,
            longest_silence_ms=self.silence_ms if self.followed and self.stamps > 1 else None,
            rate_limit_hits=self.counts["rate_limit_hits"] or None,
            tokens=self.categories.sums(),
            tokens_by_model={model: ordered(tokens) for model, tokens in by_model.items()},
            cost_usd=self.cost_usd,
            questions=self.counts["questions"],
            question_items=self.counts["question_items"],
            watchdog_nudges=self.counts["watchdog_nudges"],
            user_messages=self.counts["user_messages"],
            plain_text_reprompts=self.counts["plain_text_reprompts"],
        )
        return self._with_tools(found) if self.told else found

    def _wall_ms(self) -> int | None:
        if self.first_ms is None or self.last_ms is None:
            return None
        return self.last_ms - self.first_ms if self.stamps > 1 else None

    def _working_ms(self) -> int | None:
        if self.duration_ms is None:
            return None
        return round(max(0.0, self.duration_ms - self.waited_ms))

    def _with_tools(self, found: Insight) -> Insight:
        """Returns the figures with those that only a transcript can tell."""
        return evolve(
            found,
            tools={
                name: ToolCount(calls=calls, errors=self.errors[name])
                for name, calls in self.calls.most_common()
            },
            subagents=self.counts["subagents"],
            subagent_tool_calls=self.counts["subagent_tool_calls"],
            rate_limit_hits=self.counts["rate_limit_hits"],
            repeated_reads=_repeats(self.reads),
            repeated_commands=_repeats(self.commands),
        )

    def _tick(self, ts: str) -> None:
        now = milliseconds(ts)
        if now is None:
            return
        self.stamps += 1
        if self.last_ms is not None and self.state not in RESTING:
            self.silence_ms = max(self.silence_ms, now - self.last_ms)
        self.first_ms = now if self.first_ms is None else min(self.first_ms, now)
        self.last_ms = now if self.last_ms is None else max(self.last_ms, now)

    def _status(self, event: Status) -> None:
        self.state = str(event.state)
        self.followed = True

    def _says(self, event: AssistantText) -> None:
        if event.message_id:
            self._tells(event)

    def _tells(self, _: Event) -> None:
        self.told = self.followed = True

    def _user_message(self, event: UserMessage) -> None:
        sender = str(event.id)
        if sender.startswith("watchdog-"):
            self.counts["watchdog_nudges"] += 1
        elif sender != "initial":
            self.counts["user_messages"] += 1

    def _tool_call(self, event: ToolCall) -> None:
        self._tells(event)
        name = str(event.name)
        self.names[str(event.tool_call_id)] = name
        self.calls[name] += 1
        self.categories.used(name)
        self.counts["subagents"] += name in _SUBAGENT_TOOLS
        self.counts["subagent_tool_calls"] += event.agent is not None
        if name == "Read":
            self.reads[_text(event.input, "file_path", "path")] += 1
        elif name == "Bash":
            self.commands[_text(event.input, "command")] += 1

    def _tool_result(self, event: ToolResult) -> None:
        self._tells(event)
        if event.is_error:
            self.errors[self.names.get(str(event.tool_call_id), "")] += 1
            self._look_for_a_limit(str(event.output)[:SHOWN])

    def _asked(self, event: QuestionAsked) -> None:
        self.counts["questions"] += 1
        self.counts["question_items"] += len(event.questions)
        now = milliseconds(event.ts)
        if now is not None:
            self.asked_ms[str(event.question_id)] = now

    def _answered(self, event: QuestionAnswered) -> None:
        asked, now = self.asked_ms.pop(str(event.question_id), None), milliseconds(event.ts)
        if asked is not None and now is not None:
            self.waited_ms += max(0, now - asked)
            self.timed += 1

    def _turn_end(self, event: TurnEnd) -> None:
        self.counts["turns"] += 1
        self.counts["failed_turns"] += bool(event.is_error)
        duration_ms = _number(event.duration_ms)
        if duration_ms is not None:
            self.duration_ms = (self.duration_ms or 0.0) + duration_ms
        cost_usd = _number(event.cost_usd)
        if cost_usd is not None:
            self.cost_usd = cost_usd
        if event.is_error:
            self._look_for_a_limit(str(event.result))
        self.categories.turn_ended(event.model_usage)

    def _log_message(self, event: LogMessage) -> None:
        message = str(event.message)
        self.counts["plain_text_reprompts"] += "asked in plain text" in message
        if event.level != "info":
            self._look_for_a_limit(message)

    def _look_for_a_limit(self, text: str) -> None:
        self.counts["rate_limit_hits"] += bool(_LIMIT.search(text))


_HANDLERS: Mapping[type, Callable[..., None]] = {
    Status: _Reading._status,  # noqa: SLF001 - the table of its own steps
    UserMessage: _Reading._user_message,  # noqa: SLF001 - likewise
    AssistantText: _Reading._says,  # noqa: SLF001 - likewise
    Thinking: _Reading._tells,  # noqa: SLF001 - likewise
    ToolCall: _Reading._tool_call,  # noqa: SLF001 - likewise
    ToolResult: _Reading._tool_result,  # noqa: SLF001 - likewise
    QuestionAsked: _Reading._asked,  # noqa: SLF001 - likewise
    QuestionAnswered: _Reading._answered,  # noqa: SLF001 - likewise
    TurnEnd: _Reading._turn_end,  # noqa: SLF001 - likewise
    LogMessage: _Reading._log_message,  # noqa: SLF001 - likewise
}


def _repeats(counter: Counter[str]) -> tuple[Repeat, ...]:
    often = [(what, times) for what, times in counter.items() if what and times >= REPEATED]
    often.sort(key=lambda pair: (-pair[1], pair[0]))
    return tuple(Repeat(what=what, times=times) for what, times in often)


def _text(given: Mapping[str, object], *names: str) -> str:
    return next((str(given[name]) for name in names if name in given), "")


def _number(value: object) -> float | None:
    # A log is read as far as it goes: what is no number there may stand in a number's place.
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if -_BEYOND < value < _BEYOND else None


def milliseconds(ts: object) -> int | None:
    """Returns a timestamp of a log in milliseconds since 1970; None where it is none."""
    try:
        return round(datetime.fromisoformat(str(ts)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
