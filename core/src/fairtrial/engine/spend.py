"""
The spend journal: what every run on this machine spent, one JSON line a piece of work.

It stands in the user's data directory, outlives run directories, and is only appended to. No
result depends on it: where it can't be written, a run warns and goes on.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import platformdirs
import structlog
from attrs import evolve, field, frozen

from fairtrial.agents.picking import MOST
from fairtrial.api import Ending, FairtrialError, Pick, Selection, Trial, Usage
from fairtrial.engine.eventlog import lines
from fairtrial.engine.journal import Journal
from fairtrial.engine.plan import CONTROLS
from fairtrial.figures.costs import TOKENS, SpendRow

ORG = "bench"
"""Whose spending fairtrial's own rows are."""

_NAMES = ("session", "agent", "model")
_OPEN = frozenset({Ending.INFRA, Ending.INTERRUPTED, Ending.SKIPPED})

log = structlog.get_logger()


def data_directory() -> Path:
    """Returns where fairtrial keeps what outlives a run: `FAIRTRIAL_DATA`, or the platform's."""
    named = os.environ.get("FAIRTRIAL_DATA")
    return Path(named) if named else platformdirs.user_data_path("fairtrial")


def spend_file() -> Path:
    """Returns the place of the spend journal."""
    return data_directory() / "spend.jsonl"


@frozen(kw_only=True)
class Spending:
    """
    Enters what one sitting of a run spends.

    Attributes:
        path: The journal; by default the user's.
        label: The run's label.
    """

    label: str
    path: Path = field(factory=spend_file)

    def trial(self, trial: Trial) -> None:
        """Enters one finished trial; a control arm, or one that never began, spends nothing."""
        if trial.solver not in CONTROLS and trial.ending is not Ending.SKIPPED:
            self._enter(rows_of(trial, self.label))

    def scoring(self, trials: Iterable[Trial]) -> None:
        """Enters how long the grading of some trials took, in one row; none if none was graded."""
        known = [trial.scoring_ms for trial in trials if trial.scoring_ms is not None]
        if known:
            ts = _now()
            row = SpendRow(ts=ts, day=ts[:10], org=ORG, kind="scoring", scoring_ms=sum(known))
            self._enter([row])

    def picks(self, selections: Iterable[Selection], earlier: Iterable[Selection]) -> None:
        """Enters what selectors spent on picks that weren't there before."""
        known = {key for key, _ in _picks(earlier)}
        for (selector, solver, task, among), pick in _picks(selections):
            if pick.consulted and (selector, solver, task, among) not in known:
                session = f"{self.label}/{task}/{selector}-on-{solver}"
                self._enter(_spent(session, selector, pick.usage, pick.metered))

    def _enter(self, rows: Sequence[SpendRow]) -> None:
        journal = Journal(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for row in rows:
                journal.append(row)
        except (FairtrialError, OSError) as error:
            log.warning("spending not entered", place=str(self.path), because=str(error))


def rows_of(trial: Trial, label: str) -> list[SpendRow]:
    """
    Returns what a trial spent.

    Tokens are the agent's own, else, where it tells none, those that a gateway saw. Metered dollars never reach a
    model: they are one row; what the agent told of the same dollars then stands beside them.
    """
    session = f"{label}/{trial.task}/{trial.solver}/{trial.rollout}"
    found = _spent(session, trial.solver, trial.usage, trial.metered)
    if trial.ending not in _OPEN:
        found.append(evolve(found[0], kind="returned"))
    return found


def _spent(
    session: str, agent: str, said: Sequence[Usage], metered: Sequence[Usage] | None
) -> list[SpendRow]:
    ts = _now()
    first = SpendRow(ts=ts, day=ts[:10], org=ORG, kind="launched", session=session, agent=agent)
    dollars = [usage.cost_usd for usage in metered or () if usage.cost_usd is not None]
    rows = [
        evolve(
            _counted(first, usage),
            cost_usd=None if dollars else usage.cost_usd,
            told_usd=usage.cost_usd if dollars else None,
        )
        for usage in said
    ]
    if all(row.tokens is None for row in rows):
        rows += [_counted(first, usage) for usage in metered or ()]
    routed = [evolve(first, kind="routed", cost_usd=sum(dollars))] if dollars else []
    return [first, *rows, *routed]


def _picks(selections: Iterable[Selection]) -> Iterator[tuple[tuple[str, str, str, str], Pick]]:
    for one in selections:
        for pick in one.picks:
            yield (one.selector, one.solver, pick.task, pick.among), pick


def _counted(first: SpendRow, usage: Usage) -> SpendRow:
    """Returns a row with what is known of the four counts; it leaves out what isn't."""
    written = [each for each in (usage.cache_write_5m, usage.cache_write_1h) if each is not None]
    return evolve(
        first,
        kind="usage",
        model=usage.model,
        input_tokens=usage.input_uncached,
        output_tokens=usage.output,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=sum(written) if written else None,
    )


def read_spend(path: Path) -> Iterator[SpendRow]:
    """
    Yields the rows of a journal; a missing file is no spend.

    A row that is torn, or that has a count, a sum or a name of another form than it should, is
    passed over: half of it would be worse than none.

    Raises:
        OSError: The file is there and can't be read.
    """
    if not path.exists():
        return
    for line in lines(path):
        row = _row(line)
        if row is not None:
            yield row


def _row(line: bytes) -> SpendRow | None:
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(plain, dict) or not _sound(plain):
        return None
    scoring_ms = plain.get("scoring_ms")
    return SpendRow(
        ts=str(plain.get("ts", "")),
        day=plain["day"],
        org=plain["org"],
        kind=str(plain.get("kind", "")),
        cost_usd=plain.get("cost_usd"),
        told_usd=plain.get("told_usd"),
        scoring_ms=scoring_ms if _is_count(scoring_ms) else None,
        session=plain.get("session") or None,
        agent=plain.get("agent") or None,
        model=plain.get("model") or None,
        **{name: plain.get(name) for name in TOKENS},
    )


def _sound(plain: dict[str, object]) -> bool:
    return (
        all(isinstance(plain.get(name), str) and plain[name] for name in ("day", "org"))
        and all(_is_count(plain.get(name, 0)) for name in TOKENS)
        and all(_is_sum(plain.get(name)) for name in ("cost_usd", "told_usd"))
        and all(isinstance(plain.get(name), str | None) for name in _NAMES)
    )


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _is_sum(value: object) -> bool:
    if value is None:
        return True
    # Not finite, or beyond all money, is no sum of it, though Python reads it.
    return type(value) in {int, float} and abs(cast("float", value)) <= MOST


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
