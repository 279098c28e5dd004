"""What many attempts' logs show together: quantiles, tools, tokens, and which ones to read."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from fairtrial.api.insight import CATEGORIES, Insight, ToolCount
from fairtrial.api.record import RunRecord, Trial
from fairtrial.figures.rates import money

SILENCE_MS = 5 * 60_000
"""A silence of this length is worth a look."""

MANY_CALLS = 10
"""Fewer calls say nothing of how often they fail."""

MANY_ERRORS = 0.2
"""A share of failed calls that is worth a look."""

MANY_QUESTIONS = 3
"""So many questions are worth a look."""

DEAR = 0.75
"""Attempts from this quantile of the known costs on are worth a look."""

FIGURES = (
    "wall_ms",
    "working_ms",
    "waiting_ms",
    "longest_silence_ms",
    "turns",
    "tool_calls",
    "tool_errors",
    "questions",
    "rate_limit_hits",
    "subagents",
    "tokens",
    "cost_usd",
)
"""Of what the median and the ninth decile are told, in order."""


@frozen(kw_only=True)
class Quantiles:
    """The middle and the upper end of a figure over the attempts of which it is known."""

    known: int
    median: float
    p90: float


@frozen(kw_only=True)
class AttemptSums:
    """
    The attempts of a run that left a log, taken together.

    Attributes:
        logged: How many there are.
        unlogged: How many attempts left no log; they are in no figure but the cost.
        quantiles: By the figure's name; a figure that nobody knows is missing.
        tools: Calls and errors by tool, most used first; None where no log can tell of tools.
        known: Of how many logs each of the sums below is, by its name, and `tools` are.
        tokens: Tokens by category, of logs that tell of tools, too; None where none does.
        tokens_by_model: The same for each model.
        measured: How many logs tell their tokens.
        unsorted: How many of them can't tell of tools, nor so what their tokens went on.
        unsorted_tokens: All tokens of those; None where there is no such log.
        turns: Turns in all; None, as all that follow, where no log tells.
        failed_turns: Failed ones.
        rate_limit_hits: Signs of a provider that had enough.
        limited: Attempts that met any.
        subagents: Subagents started.
        subagent_tool_calls: Calls that they made.
        questions: Questions asked.
        question_items: Entries that they carried.
        watchdog_nudges: Times that an agent was nudged on.
        plain_text_reprompts: Times that one asked in plain text.
    """

    logged: int
    unlogged: int
    quantiles: Mapping[str, Quantiles] = field(factory=dict)
    tools: Mapping[str, ToolCount] | None = None
    known: Mapping[str, int] = field(factory=dict)
    tokens: Mapping[str, int] | None = None
    tokens_by_model: Mapping[str, Mapping[str, int]] = field(factory=dict)
    measured: int = 0
    unsorted: int = 0
    unsorted_tokens: int | None = None
    turns: int | None = None
    failed_turns: int | None = None
    rate_limit_hits: int | None = None
    limited: int | None = None
    subagents: int | None = None
    subagent_tool_calls: int | None = None
    questions: int | None = None
    question_items: int | None = None
    watchdog_nudges: int | None = None
    plain_text_reprompts: int | None = None


@frozen(kw_only=True)
class WorthReading:
    """An attempt that a person should look at, and why, in the order of how much speaks for it."""

    trial: Trial
    reasons: tuple[str, ...]


def quantile(values: Iterable[float], share: float) -> float | None:
    """
    Returns the value at a share of the way through the sorted ones; None where there is none.

    The rule is `sorted[min(n − 1, floor(share · n))]`, so that it is always one of the values.
    """
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[min(len(ordered) - 1, math.floor(share * len(ordered)))]


def attempts_of(record: RunRecord) -> tuple[Trial, ...]:
    """Returns the trials of a run in which anybody worked: those that took time or left a log."""
    return tuple(
        trial for trial in record.trials if trial.insight is not None or trial.wall_s is not None
    )


def attempt_cost(trial: Trial) -> float | None:
    """Returns an attempt's dollars: those of its record, else as its log tells; None if neither."""
    if trial.cost_usd is not None:
        return trial.cost_usd
    return None if trial.insight is None else trial.insight.cost_usd


def tokens_of(insight: Insight) -> int | None:
    """Returns all tokens that a log tells; None where it tells none."""
    return None if insight.tokens is None else sum(insight.tokens.values())


def tells_categories(insight: Insight) -> bool:
    """Whether a log tells what tokens went on: it tells them, and of tools."""
    return insight.tokens is not None and insight.tools is not None


def sums(trials: Sequence[Trial]) -> AttemptSums:
    """Takes attempts together."""
    insights = [trial.insight for trial in trials if trial.insight is not None]
    by_model: dict[str, Counter[str]] = {}
    for insight in filter(tells_categories, insights):
        for model, tokens in insight.tokens_by_model.items():
            by_model.setdefault(model, Counter()).update(tokens)
    measured = [insight for insight in insights if insight.tokens is not None]
    by_category = [insight.tokens or {} for insight in measured if tells_categories(insight)]
    unsorted = [tokens_of(insight) or 0 for insight in measured if not tells_categories(insight)]
    told = [insight.tools for insight in insights if insight.tools is not None]
    values = {name: _known(insights, name) for name in _SUMMED}
    hits = values["rate_limit_hits"]
    return AttemptSums(
        logged=len(insights),
        unlogged=len(trials) - len(insights),
        quantiles=_quantiles(trials),
        tools=_tools(told) if told else None,
        known={"tools": len(told), **{name: len(each) for name, each in values.items()}},
        tokens=_categories(by_category) if by_category else None,
        tokens_by_model={
            model: _categories([tokens])
            for model, tokens in sorted(by_model.items(), key=lambda pair: -pair[1].total())
        },
        measured=len(measured),
        unsorted=len(unsorted),
        unsorted_tokens=sum(unsorted) if unsorted else None,
        limited=sum(count > 0 for count in hits) if hits else None,
        **{name: sum(each) for name, each in values.items() if each},
    )


def _known(insights: Sequence[Insight], name: str) -> list[int]:
    found = (getattr(insight, name) for insight in insights)
    return [value for value in found if value is not None]


_SUMMED = (
    "turns",
    "failed_turns",
    "rate_limit_hits",
    "subagents",
    "subagent_tool_calls",
    "questions",
    "question_items",
    "watchdog_nudges",
    "plain_text_reprompts",
)


def worth_reading(trials: Sequence[Trial]) -> tuple[WorthReading, ...]:
    """Returns the attempts that a person should look at, those with most reasons first."""
    costs = [cost for trial in trials if (cost := attempt_cost(trial)) is not None]
    dear_usd = quantile(costs, DEAR)
    found = [
        WorthReading(trial=trial, reasons=reasons)
        for trial in trials
        if (reasons := _reasons(trial, dear_usd))
    ]
    return tuple(
        sorted(found, key=lambda one: (-len(one.reasons), -(attempt_cost(one.trial) or 0.0)))
    )


def _reasons(trial: Trial, dear_usd: float | None) -> tuple[str, ...]:
    found = []
    insight = trial.insight
    if insight is not None:
        silence_ms = insight.longest_silence_ms
        if silence_ms is not None and silence_ms >= SILENCE_MS:
            found.append(f"silent for {silence_ms / 60_000:.1f} min")
        if _fails_often(insight):
            found.append(f"{insight.tool_errors} of {insight.tool_calls} tool calls failed")
        if insight.questions >= MANY_QUESTIONS:
            found.append(f"asked {insight.questions} questions")
    cost_usd = attempt_cost(trial)
    # Attempts that cost nothing are not dear, even where all of them cost nothing.
    if cost_usd and dear_usd is not None and cost_usd >= dear_usd:
        found.append(f"among the dearest: ${money(cost_usd)}")
    return tuple(found)


def _fails_often(insight: Insight) -> bool:
    calls, errors = insight.tool_calls, insight.tool_errors
    if calls is None or errors is None:
        return False
    return calls >= MANY_CALLS and errors >= MANY_ERRORS * calls


def _quantiles(trials: Sequence[Trial]) -> dict[str, Quantiles]:
    found = {}
    for name in FIGURES:
        values = [value for trial in trials if (value := _figure(trial, name)) is not None]
        middle, upper = quantile(values, 0.5), quantile(values, 0.9)
        if middle is not None and upper is not None:
            found[name] = Quantiles(known=len(values), median=middle, p90=upper)
    return found


def _figure(trial: Trial, name: str) -> float | None:
    if name == "cost_usd":
        return attempt_cost(trial)
    if trial.insight is None:
        return None
    if name == "tokens":
        return tokens_of(trial.insight)
    value: float | None = getattr(trial.insight, name)
    return value


def _tools(many: Iterable[Mapping[str, ToolCount]]) -> dict[str, ToolCount]:
    calls: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for tools in many:
        for name, count in tools.items():
            calls[name] += count.calls
            errors[name] += count.errors
    ordered = sorted(calls, key=lambda name: (-calls[name], name))
    return {name: ToolCount(calls=calls[name], errors=errors[name]) for name in ordered}


def _categories(many: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for tokens in many:
        total.update(tokens)
    return {name: total[name] for name in CATEGORIES}
