"""The plugin: one run or several, as Markdown for people and as JSON for machines."""

import json
from collections.abc import Iterable, Iterator, Sequence

from attrs import field, frozen
from attrs.validators import ge
from fairtrial.api.record import RunRecord, Trial
from fairtrial.api.reporter import Document, Reporter
from fairtrial.figures.attempts import (
    attempt_cost,
    attempts_of,
    sums,
    tells_categories,
    tokens_of,
    worth_reading,
)
from fairtrial.figures.markdown import cell
from fairtrial.figures.plain import Json, plain
from fairtrial.figures.tally import CONTROLS

from fairtrial_reporter_attempts.sections import (
    attempts_table,
    quantile_table,
    signs,
    token_tables,
    tools_table,
    worth_lines,
)

FORM = "1.1"
"""Version of the form of `attempts.json`."""


@frozen(kw_only=True)
class AttemptsReporter:
    """
    Shows what happened inside the attempts: `attempts.md`, and `attempts.json`.

    Attributes:
        worth_reading: Most attempts that are named as worth reading.
        max_rows: Most rows of the table of attempts; the rest is counted.
        max_tools: Most tools that are listed.
        controls: Whether to count the control arms, too.
        indent: Spaces a level in `attempts.json`; 0 for one line.
    """

    worth_reading: int = field(default=10, validator=ge(0))
    max_rows: int = field(default=50, validator=ge(0))
    max_tools: int = field(default=15, validator=ge(0))
    controls: bool = False
    indent: int = field(default=0, validator=ge(0))

    def report(self, runs: Sequence[RunRecord], /) -> Iterable[Document]:
        """Yields the report for people, then the one for machines."""
        found = [(record, self._trials(record)) for record in runs]
        text = "\n\n".join(
            part.rstrip("\n") for record, trials in found for part in self._parts(record, trials)
        )
        yield Document(
            name="attempts.md", media_type="text/markdown", body=f"{text or 'No run.'}\n".encode()
        )
        whole = {"form": FORM, "runs": [self._document(*each) for each in found]}
        body = json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=self.indent or None)
        yield Document(
            name="attempts.json",
            media_type="application/json",
            body=f"{body}\n".encode(errors="backslashreplace"),
        )

    def _trials(self, record: RunRecord) -> tuple[Trial, ...]:
        return tuple(
            trial for trial in attempts_of(record) if self.controls or trial.solver not in CONTROLS
        )

    def _parts(self, record: RunRecord, trials: Sequence[Trial]) -> Iterator[str]:
        total = sums(trials)
        yield f"# Inside the attempts of {cell(record.label)}"
        yield f"{total.logged} attempts left a log, {total.unlogged} did not."
        yield "## Medians\n\n" + quantile_table(total)
        yield "## Tools\n\n" + tools_table(total, self.max_tools)
        yield "## Token categories\n\n" + token_tables(total)
        yield "## Signs\n\n" + signs(total)
        yield "## Attempts\n\n" + attempts_table(trials, self.max_rows)
        yield "## Worth reading\n\n" + worth_lines(worth_reading(trials), self.worth_reading)

    def _document(self, record: RunRecord, trials: Sequence[Trial]) -> Json:
        total = sums(trials)
        return {
            "label": record.label,
            "logged": total.logged,
            "unlogged": total.unlogged,
            "quantiles": plain(total.quantiles),
            "tools": plain(total.tools),
            "tokenCategories": plain(total.tokens),
            "tokenCategoriesByModel": plain(total.tokens_by_model),
            "unsortedTokens": total.unsorted_tokens,
            "sums": {name: getattr(total, name) for name in _SUMS},
            "known": plain(total.known),
            "attempts": [_attempt(trial) for trial in trials],
            "worthReading": [
                {**_name(one.trial), "reasons": list(one.reasons)} for one in worth_reading(trials)
            ],
        }


_SUMS = (
    "turns",
    "failed_turns",
    "rate_limit_hits",
    "limited",
    "subagents",
    "subagent_tool_calls",
    "questions",
    "question_items",
    "watchdog_nudges",
    "plain_text_reprompts",
)


def _name(trial: Trial) -> dict[str, Json]:
    return {"task": trial.task, "solver": trial.solver, "rollout": trial.rollout}


def _attempt(trial: Trial) -> Json:
    insight = trial.insight
    sorted_ = insight is not None and tells_categories(insight)
    return {
        **_name(trial),
        "ending": str(trial.ending.value),
        "resolved": trial.resolved,
        "cost_usd": attempt_cost(trial),
        "tokens": None if insight is None else tokens_of(insight),
        "tokenCategories": plain(insight.tokens) if insight and sorted_ else None,
        "tokenCategoriesByModel": plain(insight.tokens_by_model) if insight and sorted_ else None,
        "insight": plain(insight),
    }


_: type[Reporter] = AttemptsReporter
