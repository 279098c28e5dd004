"""
The one append-only log of a run's readings; a window is only a query on it.

Samples are never changed, so windows may nest, a keepalive may fall anywhere, and the same figures
come out again from the receipts.
"""

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from fairtrial.api.reading import Counter
from fairtrial.energy.deltas import Sample

VERSION = 2
"""
Version of the records' form.

The second tells tau, sleep and idle of each figure, and compares a counter with a power of which
there is only a reading now and then.
"""


@frozen(kw_only=True)
class Snapshot:
    """
    All counters, read once.

    Attributes:
        before_ns: Monotonic nanoseconds before the first counter was read.
        after_ns: The same after the last.
        boot_ns: Nanoseconds with sleep included, at `before_ns`.
        counts: For each counter's key: count, `before_ns` and `after_ns` of its own read.
        busy_us: CPU time of the whole machine so far; None where not known.
        own_us: CPU time of this process's cgroup so far; None where not known.
    """

    before_ns: int
    after_ns: int
    boot_ns: int
    counts: Mapping[str, tuple[int, int, int]]
    busy_us: int | None = None
    own_us: int | None = None


@define(kw_only=True)
class Span:
    """
    A window: two places in the log.

    Attributes:
        id: Unique in the log, in the order in which windows were opened.
        label: What the reader calls it.
        group: Windows of one group (a solver) may be added up as a batch.
        parent: The window that this one is a part of; None for none.
        begin: Index of the snapshot that opened it.
        end: Index of the snapshot that closed it; None while it is open.
        cpu_us: CPU time that the attempt itself used, where its sandbox could tell.
        apart: Whether its programs ran in other control groups than this process, so that what
            this one's group used says nothing of them.
        control: Whether a control arm worked in it, which is no solver's rival.
        beside: Labels of the trials that were worked on while it was open, its own among them.
    """

    id: int
    label: str
    group: str = ""
    parent: int | None = None
    begin: int
    end: int | None = None
    cpu_us: int | None = None
    apart: bool = False
    control: bool = False
    beside: set[str] = field(factory=set)


@frozen(kw_only=True)
class Fault:
    """
    Something that a meter did wrong.

    Attributes:
        at: How many snapshots were there before it.
        meter: The meter's name.
        why: One line for a reader.
    """

    at: int
    meter: str
    why: str


@define(kw_only=True)
class Log:
    """
    Snapshots, windows and what went wrong, in order.

    Attributes:
        version: Of the form of its records, which says what their figures tell.
        counters: What is read, by key (`meter/counter`), labels as granted.
        missing: By meter: what it can't read, and why.
        processors: How many CPUs the machine has; None where not known.
        shared_with: Who else meters this host, such as `process 812`; empty for nobody.
        snapshots: In the order in which they were taken.
        spans: By id.
        faults: In the order in which they happened.
        changes: Where a counter's identity changed: index of the first snapshot after, and key.
        idle: Windows of calibrations, each a group measured together.
        conditions: What idle power depends on: how many snapshots were there, and the conditions
            from then on.
        busy: Labels of the trials that are worked on now, set-up and grading included.
        open: Ids of the windows that are open now.
    """

    version: int = VERSION
    counters: Mapping[str, Counter] = field(factory=dict)
    missing: Mapping[str, Mapping[str, str]] = field(factory=dict)
    processors: int | None = None
    shared_with: str = ""
    snapshots: list[Snapshot] = field(factory=list)
    spans: dict[int, Span] = field(factory=dict)
    faults: list[Fault] = field(factory=list)
    changes: list[tuple[int, str]] = field(factory=list)
    idle: list["IdleRun"] = field(factory=list)
    conditions: list[tuple[int, Mapping[str, str]]] = field(factory=list)
    busy: list[str] = field(factory=list)
    open: set[int] = field(factory=set)

    def samples(self, key: str, begin: int, end: int) -> Sequence[Sample]:
        """Returns a counter's samples from one snapshot to another, both included."""
        return [
            Sample(at_ns=(reading[1] + reading[2]) // 2, count=reading[0])
            for snapshot in self.snapshots[begin : end + 1]
            if (reading := snapshot.counts.get(key)) is not None
        ]

    def wall_ns(self, begin: int, end: int) -> int:
        """Returns the nanoseconds that a stretch encloses, its edges' reads included."""
        return self.snapshots[end].after_ns - self.snapshots[begin].before_ns

    def asleep_ns(self, begin: int, end: int) -> int:
        """Returns how long the machine slept in a stretch."""
        first, last = self.snapshots[begin], self.snapshots[end]
        return (last.boot_ns - first.boot_ns) - (last.before_ns - first.before_ns)

    def faults_of(self, meter: str, begin: int, end: int) -> Sequence[str]:
        """Returns what a meter did wrong up to `end` that a window from `begin` suffers from."""
        return [
            fault.why for fault in self.faults if fault.meter == meter and begin <= fault.at <= end
        ]

    def conditions_at(self, index: int) -> Mapping[str, str]:
        """Returns the conditions that held when a snapshot was taken."""
        return next((own for at, own in reversed(self.conditions) if at <= index), {})

    def rivals(self, span: Span) -> Sequence[Span]:
        """
        Returns the windows that were open together with one, its own kin left out.

        Kin is what it holds or is held by, and the windows of idle calibrations.
        """
        end = len(self.snapshots) if span.end is None else span.end
        return [
            other
            for other in self.spans.values()
            if other.id != span.id
            and other.begin <= end
            and (other.end is None or other.end >= span.begin)
            and span.id not in self.line(other)
            and other.id not in self.line(span)
        ]

    def is_beside_others(self, span: Span) -> bool:
        """Returns whether another trial than a window's own was worked on while it was open."""
        own = {span.label, *(self.spans[above].label for above in self.line(span))}
        return bool(span.beside - own)

    def line(self, span: Span) -> Sequence[int]:
        """Returns the ids of the windows that one is inside of."""
        found: list[int] = []
        above = span.parent
        while above is not None and above not in found:
            found.append(above)
            above = self.spans[above].parent if above in self.spans else None
        return found


@frozen(kw_only=True)
class IdleRun:
    """
    One idle calibration: where its windows are in the log.

    Attributes:
        windows: Snapshot indices, begin and end of each window.
        conditions: What the figure depends on: boot id, governor, power limits, ….
    """

    windows: tuple[tuple[int, int], ...]
    conditions: Mapping[str, str]
