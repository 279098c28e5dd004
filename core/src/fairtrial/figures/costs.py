"""
What was spent, from the rows of a spend journal: by session, and by agent and model.

A row says how many tokens and dollars a piece of work took. Dollars that an agent estimates and
dollars that a gateway metered are summed apart; what nobody priced is no sum at all.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TypeVar

from attrs import define, field, frozen

UNATTRIBUTED = "unattributed"
"""The session of rows that name none."""

UNPRICED = "unpriced (tokens only)"
"""Said of a sum that has tokens and no price."""

DAYS = 30
"""Days that a report covers where nothing else is asked for."""

MOST_DAYS = 365

TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
"""The counts of a row."""


@frozen(kw_only=True)
class SpendRow:
    """
    One line of the journal.

    Attributes:
        ts: ISO 8601, UTC.
        day: Its date, `YYYY-MM-DD`.
        org: Whose spending it is; `bench` for fairtrial's own.
        kind: `usage` (tokens, and dollars as the agent estimates them), `routed` (dollars as a
            gateway metered them), `launched`, `returned`, or `scoring` (only `scoring_ms`).
        session: Which attempt, `RUN/TASK/SOLVER/N`.
        agent: The solver's name.
        model: The model's name.
        input_tokens: Prompt tokens that came from no cache; None, as for each of the four counts,
            where it is not known.
        output_tokens: Generated tokens.
        cache_read_tokens: Prompt tokens read from a cache.
        cache_write_tokens: Prompt tokens written to one.
        cost_usd: Dollars that count towards the total; None where nobody priced them.
        told_usd: Dollars as the agent estimates them where a gateway metered the same ones: shown
            beside those, and in no total.
        scoring_ms: Milliseconds that grading took.
    """

    ts: str = ""
    day: str
    org: str
    kind: str
    session: str | None = None
    agent: str | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_usd: float | None = None
    told_usd: float | None = None
    scoring_ms: int | None = None

    @property
    def tokens(self) -> int | None:
        """Those of the four counts that are known; None where none is."""
        return _all_tokens(self)


@frozen(kw_only=True)
class Window:
    """
    The days that a report covers, both ends included.

    Attributes:
        since: First day; None where it can't be read, so that no row is in the window.
        until: Last day.
    """

    since: date | None
    until: date

    def __contains__(self, day: object) -> bool:
        """Tells whether a row of this day is covered."""
        if self.since is None or not isinstance(day, str):
            return False
        return self.since.isoformat() <= day <= self.until.isoformat()


def window(today: date, days: object = DAYS, since: str | None = None) -> Window:
    """
    Returns the days to cover, the last of them today.

    Args:
        today: Today's date, UTC.
        days: How many; cut to a whole number from 1 to 365, and 30 where it is none.
        since: The first day instead; with one that can't be read, nothing is covered.
    """
    if since is not None:
        return Window(since=_date(since), until=today)
    return Window(since=today - timedelta(days=_whole(days) - 1), until=today)


def _whole(days: object) -> int:
    try:
        value = float(str(days))
    except ValueError:
        return DAYS
    if math.isnan(value):
        return DAYS
    return int(min(max(value, 1), MOST_DAYS))


def _date(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text.strip()).date()
    except ValueError:
        return None


@frozen(kw_only=True)
class ModelCost:
    """One model's share of a session: its tokens, and its dollars as the agent estimates them."""

    model: str
    tokens: int | None
    cost_usd: float | None


@frozen(kw_only=True)
class Spent:
    """
    A sum of rows: one session, or all of them.

    Attributes:
        session: Its name; empty for all.
        agent: Whose work it was, where a row says so.
        input_tokens: Prompt tokens that came from no cache; None, as for each of the four counts,
            until a number is seen.
        output_tokens: Generated tokens.
        cache_read_tokens: Prompt tokens read from a cache.
        cache_write_tokens: Prompt tokens written to one.
        estimated_usd: Dollars as agents estimate them; None until a number is seen.
        metered_usd: Dollars as gateways metered them; None until a number is seen.
        total_usd: Dollars of both, each counted once; None if both are.
        launched: Attempts begun.
        returned: Attempts that came to an end of their own.
        models: By tokens, the most first.
    """

    session: str = ""
    agent: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    estimated_usd: float | None = None
    metered_usd: float | None = None
    total_usd: float | None = None
    launched: int = 0
    returned: int = 0
    models: tuple[ModelCost, ...] = ()

    @property
    def tokens(self) -> int | None:
        """Those of the four counts that are known; None where none is."""
        return _all_tokens(self)

    @property
    def label(self) -> str:
        """`unpriced (tokens only)` where there are tokens and no price; else empty."""
        return UNPRICED if self.total_usd is None and self.tokens else ""


@frozen(kw_only=True)
class HarnessCost:
    """One agent with one model: how many sessions, tokens, and dollars as the agent estimates."""

    agent: str
    model: str
    sessions: int
    tokens: int | None
    cost_usd: float | None


@frozen(kw_only=True)
class Costs:
    """
    A report of what was spent.

    Attributes:
        window: The days covered.
        sessions: The dearest first, those without a price last.
        harnesses: Each agent with each model, by tokens.
        total: Everything, unattributed rows included.
        scoring_ms: Milliseconds of grading by day.
    """

    window: Window
    sessions: tuple[Spent, ...]
    harnesses: tuple[HarnessCost, ...]
    total: Spent
    scoring_ms: Mapping[str, int]


def costs(rows: Iterable[SpendRow], covered: Window) -> Costs:
    """Sums the rows of the days covered."""
    kept = [row for row in rows if row.day in covered]
    scoring: dict[str, int] = {}
    sessions: dict[str, _Bucket] = {}
    total = _Bucket()
    for row in kept:
        if row.kind == "scoring":
            scoring[row.day] = scoring.get(row.day, 0) + (row.scoring_ms or 0)
            continue
        for bucket in (sessions.setdefault(row.session or UNATTRIBUTED, _Bucket()), total):
            bucket.take(row)
    found = [bucket.spent(name) for name, bucket in sessions.items()]
    found.sort(key=lambda one: (-_or_none(one.total_usd), one.session))
    return Costs(
        window=covered,
        sessions=tuple(found),
        harnesses=_harnesses(kept, sessions),
        total=total.spent(""),
        scoring_ms=dict(sorted(scoring.items())),
    )


def _or_none(cost_usd: float | None) -> float:
    return -math.inf if cost_usd is None else cost_usd


@define
class _Sum:
    """Tokens, and dollars once a number was seen."""

    tokens: int | None = None
    cost_usd: float | None = None
    sessions: set[str] = field(factory=set)

    def take(self, row: SpendRow) -> None:
        self.tokens = _plus(self.tokens, row.tokens)
        self.cost_usd = _plus(self.cost_usd, _estimate(row))
        self.sessions.add(row.session or UNATTRIBUTED)


@define
class _Bucket:
    """What is known of a session so far."""

    counts: dict[str, int | None] = field(factory=lambda: dict.fromkeys(TOKENS))
    estimated_usd: float | None = None
    metered_usd: float | None = None
    total_usd: float | None = None
    launched: int = 0
    returned: int = 0
    agent: str | None = None
    models: dict[str, _Sum] = field(factory=dict)

    def take(self, row: SpendRow) -> None:
        """Takes a row in; one of an unknown kind leaves nothing but its session's name."""
        self.agent = self.agent or row.agent
        self.launched += row.kind == "launched"
        self.returned += row.kind == "returned"
        if row.kind == "routed":
            self.metered_usd = _plus(self.metered_usd, row.cost_usd)
            self.total_usd = _plus(self.total_usd, row.cost_usd)
        if row.kind == "usage":
            self._used(row)

    def _used(self, row: SpendRow) -> None:
        for name in TOKENS:
            self.counts[name] = _plus(self.counts[name], getattr(row, name))
        self.estimated_usd = _plus(self.estimated_usd, _estimate(row))
        self.total_usd = _plus(self.total_usd, row.cost_usd)
        if row.model:
            self.models.setdefault(row.model, _Sum()).take(row)

    def spent(self, name: str) -> Spent:
        """Returns the sum."""
        models = sorted(self.models.items(), key=lambda pair: (-(pair[1].tokens or 0), pair[0]))
        return Spent(
            session=name,
            agent=self.agent if name else None,
            estimated_usd=self.estimated_usd,
            metered_usd=self.metered_usd,
            total_usd=self.total_usd,
            launched=self.launched,
            returned=self.returned,
            models=tuple(
                ModelCost(model=model, tokens=one.tokens, cost_usd=one.cost_usd)
                for model, one in models
            ),
            **self.counts,
        )


def _harnesses(
    rows: Sequence[SpendRow], sessions: Mapping[str, _Bucket]
) -> tuple[HarnessCost, ...]:
    found: dict[tuple[str, str], _Sum] = {}
    for row in rows:
        if row.kind != "usage" or not row.session or not row.model:
            continue
        # A row that names no agent is its session's, where another row says whose that is.
        agent = row.agent or sessions[row.session].agent
        if agent:
            found.setdefault((agent, row.model), _Sum()).take(row)
    ordered = sorted(found.items(), key=lambda pair: (-(pair[1].tokens or 0), pair[0]))
    return tuple(
        HarnessCost(
            agent=agent,
            model=model,
            sessions=len(one.sessions),
            tokens=one.tokens,
            cost_usd=one.cost_usd,
        )
        for (agent, model), one in ordered
    )


def _estimate(row: SpendRow) -> float | None:
    return _plus(row.cost_usd, row.told_usd)


_Number = TypeVar("_Number", int, float)


def _plus(known: _Number | None, more: _Number | None) -> _Number | None:
    if more is None:
        return known
    return more if known is None else known + more


def _all_tokens(one: SpendRow | Spent) -> int | None:
    known = [count for name in TOKENS if (count := getattr(one, name)) is not None]
    return sum(known) if known else None
