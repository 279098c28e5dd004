"""One pass over a trajectory: what fired, in the order of the events and of the patterns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field, frozen
from fairtrial.api import (
    Agent,
    AssistantText,
    Event,
    OtherEvent,
    ToolCall,
    ToolResult,
    TurnEnd,
)

from fairtrial_auditor_trajectory import injection
from fairtrial_auditor_trajectory.evidence import shown
from fairtrial_auditor_trajectory.patterns import INJECTION, Detector

KEPT = 500
"""Hits of one pattern that are kept; the rest is counted, so that no log can fill the memory."""


@frozen(kw_only=True)
class Hit:
    """
    One pattern that fired on one event.

    Attributes:
        pattern: Its id.
        number: The event's number, 1-based, unreadable lines not counted.
        tool_call_id: The call that it belongs to; empty where there is none.
        agent: The subagent's name or id; empty for the main agent.
        evidence: What was seen, redacted and cut.
    """

    pattern: str
    number: int
    tool_call_id: str
    agent: str
    evidence: str


@frozen(kw_only=True)
class Scanned:
    """
    What a pass over a trajectory gave.

    Attributes:
        events: How many events there were.
        hits: What fired, by event, then in the order of the patterns.
        beyond: Hits that were not kept, by pattern.
    """

    events: int
    hits: tuple[Hit, ...]
    beyond: Mapping[str, int]


@define(kw_only=True)
class Scan:
    """
    A pass under way.

    Attributes:
        detectors: By a tool's name, what looks at its calls.
        order: Ids of the patterns that are looked for, in the order in which they are told.
    """

    detectors: Mapping[str, Sequence[tuple[str, Detector]]]
    order: Sequence[str]
    _hits: list[Hit] = field(factory=list, init=False)
    _counts: Counter[str] = field(factory=Counter, init=False)
    _waiting: list[Hit] = field(factory=list, init=False)
    _waited: int = field(default=0, init=False)

    def over(self, events: Iterable[Event]) -> Scanned:
        """Looks at every event, once and in order, holding none of them."""
        heeds = INJECTION in self.order
        number = 0
        for number, event in enumerate(events, start=1):
            if isinstance(event, ToolCall):
                self._call(event, number)
            elif heeds:
                self._heed(event, number)
        rank = {pattern: at for at, pattern in enumerate(self.order)}
        self._hits.sort(key=lambda hit: (hit.number, rank[hit.pattern]))
        beyond = {name: n - KEPT for name, n in self._counts.items() if n > KEPT}
        return Scanned(events=number, hits=tuple(self._hits), beyond=beyond)

    def _call(self, event: ToolCall, number: int) -> None:
        name: object = event.name
        for pattern, detector in self.detectors.get(name, ()) if isinstance(name, str) else ():
            seen = detector(event) if pattern in self.order else None
            if seen is not None:
                self._keep(hit_of(pattern, event, number, seen))

    def _heed(self, event: Event, number: int) -> None:
        """Follows orders in a tool's output to the end of the turn, or to where they are flagged."""
        if isinstance(event, ToolResult):
            output: object = event.output
            seen = injection.orders(output) if isinstance(output, str) else None
            if seen is not None:
                self._waited += 1
                if self._waited <= KEPT:
                    self._waiting.append(hit_of(INJECTION, event, number, seen))
        elif not self._waited:
            return
        elif isinstance(event, TurnEnd):
            for hit in self._waiting:
                self._keep(hit)
            self._counts[INJECTION] += self._waited - len(self._waiting)
            self._forget()
        elif _flags(event):
            self._forget()

    def _forget(self) -> None:
        self._waiting.clear()
        self._waited = 0

    def _keep(self, hit: Hit) -> None:
        self._counts[hit.pattern] += 1
        if self._counts[hit.pattern] <= KEPT:
            self._hits.append(hit)


def hit_of(pattern: str, event: ToolCall | ToolResult, number: int, seen: str) -> Hit:
    """Makes a hit of what a detector saw in an event."""
    call: object = event.tool_call_id
    return Hit(
        pattern=pattern,
        number=number,
        tool_call_id=call if isinstance(call, str) else "",
        agent=_name(event.agent),
        evidence=shown(seen),
    )


def _flags(event: Event) -> bool:
    if isinstance(event, AssistantText):
        said: object = event.text
        return isinstance(said, str) and injection.flags(said)
    return isinstance(event, OtherEvent) and event.kind == "finding"


def _name(agent: object) -> str:
    said: object = (agent.name or agent.id) if isinstance(agent, Agent) else ""
    return said if isinstance(said, str) else ""
