"""`fairtrial costs`: what all runs on this machine spent."""

import json
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.numbers import day, whole
from fairtrial.cli.options import JsonFlag, VerboseFlag

if TYPE_CHECKING:
    from fairtrial.figures.costs import Costs, Spent, Window

app = typer.Typer(rich_markup_mode=None, add_completion=False)

MOST_DAYS = 365

MOST_ROWS = 50
"""Sessions that are listed; the rest is counted."""


def _today() -> date:
    return datetime.now(UTC).date()


@app.command()
def costs(
    days: Annotated[
        int,
        typer.Option(
            "--days",
            parser=whole("--days", most=MOST_DAYS),
            metavar="N",
            help=f"So many days, today the last: 1 to {MOST_DAYS}.",
        ),
    ] = 30,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            parser=day("--since", today=_today),
            metavar="DATE",
            help="From this day on, as in 2026-01-31.",
        ),
    ] = None,
    as_json: JsonFlag = False,
    verbose: VerboseFlag = False,  # noqa: ARG001 - read by `dispatch`
) -> None:
    """
    Show what the runs on this machine spent, by attempt and by agent and model.

    Estimated is what agents say of themselves, metered what a gateway saw on the wire; of dollars
    that both saw, the total holds the metered ones. What nobody priced is said to be unpriced.
    """
    from fairtrial.api import Document, RunError
    from fairtrial.cli.documents import show
    from fairtrial.engine.spend import read_spend, spend_file
    from fairtrial.figures.costs import costs as sum_up
    from fairtrial.figures.costs import window

    try:
        found = sum_up(read_spend(spend_file()), window(_today(), days, since))
    except OSError as error:
        raise RunError(
            problem=f"“{spend_file()}” can't be read",
            facts=(("because", str(error.strerror)),),
            way_on="mend its permissions, or name another directory in FAIRTRIAL_DATA",
        ) from error
    kind = "application/json" if as_json else "text/markdown"
    text = as_document(found) if as_json else as_markdown(found)
    show(Document(name="costs", media_type=kind, body=text.encode()))


def as_document(found: "Costs") -> str:
    """Returns the report for machines."""
    from fairtrial.figures.plain import plain

    whole = {
        "since": None if found.window.since is None else found.window.since.isoformat(),
        "until": found.window.until.isoformat(),
        "sessions": plain(found.sessions),
        "harnesses": plain(found.harnesses),
        "total": plain(found.total),
        "scoring_ms": plain(found.scoring_ms),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def as_markdown(found: "Costs") -> str:
    """Returns the report for people."""
    from fairtrial.figures.markdown import cell, table

    parts = [f"# Costs, {_days(found.window)}"]
    if not found.sessions:
        return f"{parts[0]}\n\nNothing was spent.\n"
    rows = [_row(cell(one.session), one) for one in found.sessions[:MOST_ROWS]]
    more = len(found.sessions) - len(rows)
    if more:
        rows.append([f"… and {more} more", *[""] * 6])
    rows.append(_row("all", found.total))
    headings = ("Attempt", "Agent", "Status", "Tokens", "Estimated", "Metered", "Total")
    parts.append(table(headings, rows, right="lllrrrr"))
    harnesses = [
        [
            cell(one.agent),
            cell(one.model),
            str(one.sessions),
            _count(one.tokens),
            _priced(one.cost_usd, one.tokens),
        ]
        for one in found.harnesses
    ]
    if harnesses:
        parts.append(
            table(("Agent", "Model", "Attempts", "Tokens", "Cost"), harnesses, right="llrrr")
        )
    if found.scoring_ms:
        parts.append(f"Grading took {sum(found.scoring_ms.values()) / 1000:,.1f} s.")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _days(window: "Window") -> str:
    since = "–" if window.since is None else window.since.isoformat()
    return f"{since} to {window.until.isoformat()}"


def _row(name: str, one: "Spent") -> list[str]:
    from fairtrial.figures.markdown import cell

    return [
        name,
        "–" if one.agent is None else cell(one.agent),
        _status(one),
        _count(one.tokens),
        _dollars(one.estimated_usd),
        _dollars(one.metered_usd),
        _priced(one.total_usd, one.tokens),
    ]


def _status(one: "Spent") -> str:
    if not one.launched:
        return "–"
    return f"{one.returned} of {one.launched} returned"


def _count(tokens: int | None) -> str:
    return "–" if tokens is None else f"{tokens:,}"


def _priced(cost_usd: float | None, tokens: int | None) -> str:
    from fairtrial.figures.costs import UNPRICED

    return UNPRICED if cost_usd is None and tokens else _dollars(cost_usd)


def _dollars(cost_usd: float | None) -> str:
    from fairtrial.figures.rates import DASH, money

    return DASH if cost_usd is None else f"${money(cost_usd)}"
