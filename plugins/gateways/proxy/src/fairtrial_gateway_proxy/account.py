"""One trial's account: what it used, what it may still spend, and which requests must wait."""

import threading
from collections.abc import Callable

from attrs import define, evolve, field
from fairtrial.api import CostSource, Usage

from fairtrial_gateway_proxy.counts import Counts
from fairtrial_gateway_proxy.prices import Prices


@define(kw_only=True)
class _Part:
    """
    A part of the budget.

    Attributes:
        budget_usd: Its dollars.
        limit_usd: Where it ends, on the account's own count.
        refused: Whether a request was refused for it.
    """

    budget_usd: float
    limit_usd: float
    refused: bool = False


@define(kw_only=True)
class Account:
    """
    Counts tokens and dollars, and keeps a budget.

    A request is let through while what is spent, and what the requests under way may cost at
    most, stay below the budget; one that comes while they might use it up waits for their ends.
    So only one request can cross the budget, and the overshoot is that one request's cost. A
    reply whose cost is not known (cut off, or without usage) counts against the budget by an
    estimate on the safe side, and has no cost in what is reported.

    Attributes:
        prices: What tokens cost.
        budget_usd: Dollars after which requests are refused; None for no limit.
        exhausted: Whether a request was refused for the budget.
        spent_usd: Dollars that count against the budget.
    """

    prices: Prices
    budget_usd: float | None
    exhausted: bool = False
    spent_usd: float = 0.0
    _parts: list[_Part] = field(factory=list)
    _under_way: dict[int, float] = field(factory=dict)
    _used: dict[tuple[str, bool], Usage] = field(factory=dict)
    _lock: threading.Lock = field(factory=threading.Lock)

    @property
    def limited(self) -> bool:
        """Whether a budget is to be kept, for all of the trial or for a part of it."""
        return self.budget_usd is not None or bool(self._parts)

    def begin_part(self, budget_usd: float) -> None:
        """Begins a part of the budget, within those that are begun already."""
        with self._lock:
            limit_usd = self.spent_usd + budget_usd
            self._parts.append(_Part(budget_usd=budget_usd, limit_usd=limit_usd))

    def end_part(self) -> bool:
        """Ends the part begun last; returns whether a request was refused for it."""
        with self._lock:
            return self._parts.pop().refused

    def admit(self, request: int, most_usd: float) -> str | None:
        """
        Asks for a request to be let through.

        Args:
            request: Its number.
            most_usd: What it may cost at most.

        Returns:
            Nothing (empty) where it may go, else which budget is spent, in words; None where it
            has to wait until another one ends.
        """
        with self._lock:
            if spent := self._spent():
                return spent
            limits = [part.limit_usd for part in self._parts]
            limits += [] if self.budget_usd is None else [self.budget_usd]
            expected_usd = self.spent_usd + sum(self._under_way.values())
            if any(expected_usd >= limit_usd for limit_usd in limits):
                return None
            self._under_way[request] = most_usd
            return ""

    def _spent(self) -> str:
        """Notes which budget is spent, the widest one first, and says which; empty for none."""
        if self.budget_usd is not None and self.spent_usd >= self.budget_usd:
            self.exhausted = True
            return f"the budget of ${self.budget_usd:g} for this task"
        for part in self._parts:
            if self.spent_usd >= part.limit_usd:
                part.refused = True
                return f"the budget of ${part.budget_usd:g} for this stage"
        return ""

    def settle(
        self,
        request: int,
        *,
        provider: str,
        model: str,
        counts: Counts | None,
        partly: Counts | None = None,
        else_usd: Callable[[], float],
    ) -> float | None:
        """
        Ends a request that was replied to; returns its dollars, None where they aren't known.

        Args:
            request: Its number.
            provider: Who replied.
            model: The model that replied.
            counts: Its tokens; None where its last word was not told.
            partly: What it had told when it was cut off.
            else_usd: Says what counts against the budget where its dollars aren't known.
        """
        cost = None if counts is None else self.prices.cost_usd(provider, model, counts)
        with self._lock:
            self._under_way.pop(request, None)
            self.spent_usd += else_usd() if cost is None else cost
            self._add(model, counts or partly or Counts(), cost)
        return cost

    def drop(self, request: int) -> None:
        """Ends a request that cost nothing: it was refused, or nobody replied."""
        with self._lock:
            self._under_way.pop(request, None)

    def usage(self) -> tuple[Usage, ...]:
        """Returns what was used; what has no known cost is an entry apart."""
        with self._lock:
            return tuple(self._used.values())

    def _add(self, model: str, counts: Counts, cost: float | None) -> None:
        key = (model, cost is None)
        before = self._used.get(key)
        new = _usage(model, counts, cost)
        self._used[key] = new if before is None else _sum(before, new)


def _usage(model: str, counts: Counts, cost: float | None) -> Usage:
    told = counts.input_uncached is not None
    return Usage(
        model=model or None,
        input_uncached=counts.input_uncached,
        cache_read=counts.cache_read if told else None,
        cache_write_5m=counts.cache_write_5m if told else None,
        cache_write_1h=counts.cache_write_1h if told else None,
        output=counts.output,
        reasoning=counts.reasoning,
        cost_usd=cost,
        cost_source=CostSource.UNKNOWN if cost is None else CostSource.METERED,
    )


def _sum(one: Usage, other: Usage) -> Usage:
    """Adds two entries; a bucket that one of them doesn't know is not known."""
    # Few providers tell reasoning on every reply, and it is a part of `output` anyway.
    known = [each.reasoning for each in (one, other) if each.reasoning is not None]
    cost = None if one.cost_usd is None else one.cost_usd + (other.cost_usd or 0.0)
    return evolve(
        one,
        input_uncached=_both(one.input_uncached, other.input_uncached),
        cache_read=_both(one.cache_read, other.cache_read),
        cache_write_5m=_both(one.cache_write_5m, other.cache_write_5m),
        cache_write_1h=_both(one.cache_write_1h, other.cache_write_1h),
        output=_both(one.output, other.output),
        reasoning=sum(known) if known else None,
        cost_usd=cost,
    )


def _both(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
