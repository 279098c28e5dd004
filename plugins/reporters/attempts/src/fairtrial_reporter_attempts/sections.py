"""The sections of the report for people."""

from collections.abc import Mapping, Sequence

from fairtrial.api.insight import CATEGORIES, ToolCount
from fairtrial.api.record import Trial
from fairtrial.figures.attempts import (
    FIGURES,
    AttemptSums,
    WorthReading,
    attempt_cost,
    tokens_of,
)
from fairtrial.figures.flips import result
from fairtrial.figures.markdown import cell, table
from fairtrial.figures.rates import DASH, at_least, money, percent_of, seconds

NAME_LIMIT = 60
"""Most characters of a tool's or a model's name in a cell."""


def quantile_table(total: AttemptSums) -> str:
    """Returns the median and the ninth decile of each figure."""
    rows = []
    for name in FIGURES:
        found = total.quantiles.get(name)
        rows.append(
            [
                _said(name),
                DASH if found is None else _shown(name, found.median),
                DASH if found is None else _shown(name, found.p90),
                "0" if found is None else str(found.known),
            ]
        )
    return table(("An attempt's", "Median", "p90", "Attempts"), rows, right="lrrr") + _QUANTILES


_QUANTILES = (
    "\nEach figure is one attempt's own: of an even number, the median is the upper of the middle"
    " two. `wall` is the log's, from its first event to its last. The frontier's median wall is of"
    " whole attempts, and lies between the middle two, so that the two differ.\n"
)


def tools_table(total: AttemptSums, limit: int) -> str:
    """Returns the tools that were used most, with how often they failed."""
    if total.tools is None:
        return f"Tools: {DASH} (no log tells of tools)."
    untold = total.logged - total.known["tools"]
    apart = f"\n{untold} of {total.logged} logs can't tell of tools, and are not in it.\n"
    return _tools(total.tools, limit) + apart * bool(untold)


def _tools(tools: Mapping[str, ToolCount], limit: int) -> str:
    rows = [
        [
            cell(name, limit=NAME_LIMIT) or DASH,
            str(count.calls),
            str(count.errors),
            percent_of(count.errors, count.calls),
        ]
        for name, count in list(tools.items())[:limit]
    ]
    if not rows:
        return "No tool was called.\n"
    more = len(tools) - len(rows)
    tail = f"\n… and {more} more tools.\n" if more else ""
    return table(("Tool", "Calls", "Failed", "Share"), rows, right="lrrr") + tail


def token_tables(total: AttemptSums) -> str:
    """Returns what tokens went on, over all models and by model."""
    if not total.measured:
        return f"Tokens: {DASH} (no log tells its usage)."
    apart = ""
    if total.unsorted:
        apart += (
            f"\n{total.unsorted} of {total.logged} logs tell {_count(total.unsorted_tokens)} tokens,"
            " and can't tell what they went on.\n"
        )
    unmeasured = total.logged - total.measured
    if unmeasured:
        apart += f"\n{unmeasured} of {total.logged} logs tell no usage, and are not in it.\n"
    if total.tokens is None:
        return apart.lstrip("\n")
    whole = sum(total.tokens.values())
    rows = [
        [name.replace("_", " "), f"{count:,}", percent_of(count, whole)]
        for name, count in total.tokens.items()
    ]
    text = table(("Spent on", "Tokens", "Share"), rows, right="lrr")
    return f"{text}{apart}\n{_models(total.tokens_by_model)}"


def _models(by_model: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        [
            cell(model, limit=NAME_LIMIT) or DASH,
            *(f"{tokens[name]:,}" for name in CATEGORIES),
            f"{sum(tokens.values()):,}",
        ]
        for model, tokens in by_model.items()
    ]
    headings = ("Model", *(name.replace("_", " ") for name in CATEGORIES), "All")
    return table(headings, rows, right="l" + "r" * (len(CATEGORIES) + 1))


def signs(total: AttemptSums) -> str:
    """Returns what else the logs tell, as a list."""
    if not total.logged:
        return DASH
    told = (
        ("turns", "turns", f", of which {_count(total.failed_turns)} failed"),
        ("rate limits", "rate_limit_hits", f" signs, in {_count(total.limited)} attempts"),
        ("subagents", "subagents", f", which made {_count(total.subagent_tool_calls)} calls"),
    )
    return "\n".join(
        (
            *(f"- {said}: {_summed(total, name, rest)}" for said, name, rest in told),
            f"- questions: {total.questions}, with {total.question_items} entries",
            f"- asked in plain text: {total.plain_text_reprompts} times",
            f"- nudged on: {total.watchdog_nudges} times",
        )
    )


def _summed(total: AttemptSums, name: str, rest: str) -> str:
    value: int | None = getattr(total, name)
    if value is None:
        return DASH
    return at_least(str(value), total.logged - total.known[name]) + rest


HEADINGS = (
    "Task",
    "Solver",
    "N",
    "Ending",
    "Result",
    "Turns",
    "Calls",
    "Failed",
    "Worked",
    "Waited",
    "Silence",
    "Questions",
    "Tokens",
    "Cost",
)


def attempts_table(trials: Sequence[Trial], limit: int) -> str:
    """Returns one row an attempt."""
    rows = [_row(trial) for trial in trials[:limit]]
    text = table(HEADINGS, rows, right="llrll" + "r" * 9)
    more = len(trials) - len(rows)
    return text + (f"\n… and {more} more attempts.\n" if more else "")


def _row(trial: Trial) -> list[str]:
    named = [
        cell(trial.task),
        cell(trial.solver),
        str(trial.rollout),
        str(trial.ending.value),
        result(trial.resolved),
    ]
    insight = trial.insight
    if insight is None:
        return [*named, *[DASH] * 8, money(attempt_cost(trial))]
    tokens = tokens_of(insight)
    return [
        *named,
        _count(insight.turns),
        _count(insight.tool_calls),
        _count(insight.tool_errors),
        _time(insight.working_ms),
        _time(insight.waiting_ms, waited=True),
        _time(insight.longest_silence_ms),
        str(insight.questions),
        _count(tokens),
        money(attempt_cost(trial)),
    ]


def _count(number: int | None) -> str:
    return DASH if number is None else f"{number:,}"


def _time(duration_ms: float | None, *, waited: bool = False) -> str:
    """Returns milliseconds as seconds; only of waiting there may be none at all."""
    if duration_ms == 0:
        return "0s" if waited else "<0.001s"
    return seconds(None if duration_ms is None else duration_ms / 1000)


def worth_lines(found: Sequence[WorthReading], limit: int) -> str:
    """Returns the attempts that a person should look at, as a list."""
    lines = [
        f"- {cell(f'{one.trial.task}/{one.trial.solver}/{one.trial.rollout}')}:"
        f" {'; '.join(one.reasons)}"
        for one in found[:limit]
    ]
    if len(found) > limit:
        lines.append(f"- … and {len(found) - limit} more")
    return "\n".join(lines) or "- none"


def _said(name: str) -> str:
    return name.removesuffix("_ms").removesuffix("_usd").replace("_", " ")


def _shown(name: str, value: float) -> str:
    if name.endswith("_ms"):
        return _time(value, waited=name == "waiting_ms")
    return money(value) if name.endswith("_usd") else f"{value:,.0f}"
