"""All meters of a run behind one read: a snapshot, and records of what was noticed on the way."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from attrs import define, field

from fairtrial.api.meter import Host, Meter
from fairtrial.api.reading import Counter
from fairtrial.energy.cadence import cadences
from fairtrial.energy.conditions import conditions
from fairtrial.energy.cpu import CpuClock, cpu_clock
from fairtrial.energy.guard import Answer, GuardedMeter
from fairtrial.energy.log import Snapshot
from fairtrial.energy.pace import MOST_S, paces
from fairtrial.energy.records import Record


@define(kw_only=True, eq=False)
class Observer:
    """
    The open meters of a run.

    Attributes:
        host: Where they look.
        counters: What is read, by key, as it was when they were opened.
        missing: By meter: what it can't read, and why.
    """

    host: Host
    counters: dict[str, Counter] = field(factory=dict)
    missing: dict[str, Mapping[str, str]] = field(factory=dict)
    _open: list[GuardedMeter] = field(factory=list, init=False)
    _telling: list[GuardedMeter] = field(factory=list, init=False)
    _clock: CpuClock | None = field(default=None, init=False)
    _identities: dict[str, str] = field(factory=dict, init=False)
    _conditions: Mapping[str, str] = field(factory=dict, init=False)

    def open(self, meters: Mapping[str, Meter]) -> None:
        """Opens meters; one that can't be opened is among `missing` with the reason."""
        self._clock = cpu_clock(self.host)
        for name, meter in meters.items():
            guarded = GuardedMeter(name=name, meter=meter, host=self.host)
            probe = guarded.probe()
            missing = dict(probe.unavailable)
            why = guarded.open()
            if why:
                missing.setdefault(name, why)
                guarded.close()
            else:
                self._open.append(guarded)
                if probe.conditions:
                    self._telling.append(guarded)
                found = {f"{name}/{counter.id}": counter for counter in guarded.counters}
                self.counters |= found
                self._identities |= {key: own.identity for key, own in found.items()}
            if missing:
                self.missing[name] = missing

    def read(self, at: int, *, opening: bool = False) -> tuple[Snapshot, list[Record]]:
        """
        Reads every counter once: clock, counters, clock.

        Args:
            at: How many snapshots there are already.
            opening: Whether a window begins, so that counters come last and as little as can be
                is inside of it; else they come first.

        Returns:
            The snapshot, and records of faults and of counters that became others.
        """
        cpu_us = self._cpu_us() if opening else None
        before_ns, boot_ns = self.host.monotonic_ns(), self.host.boottime_ns()
        answers = {guarded.name: guarded.read() for guarded in self._open}
        after_ns = self.host.monotonic_ns()
        busy_us, own_us = cpu_us or self._cpu_us()
        snapshot = Snapshot(
            before_ns=before_ns,
            after_ns=after_ns,
            boot_ns=boot_ns,
            counts={
                f"{meter}/{own.counter}": (own.count, own.before_ns, own.after_ns)
                for meter, answer in answers.items()
                for own in answer.readings
            },
            busy_us=busy_us,
            own_us=own_us,
        )
        return snapshot, list(self._notes(at, answers))

    def _cpu_us(self) -> tuple[int | None, int | None]:
        clock = self._clock
        return (None, None) if clock is None else (clock.busy_us(), clock.own_us())

    def new_conditions(self, *, of_meters: bool) -> Mapping[str, str] | None:
        """
        Returns what idle power depends on, where that changed since the last call.

        Args:
            of_meters: Whether to ask the meters too, which takes longer than to look at files.
        """
        found = self.all_conditions() if of_meters else conditions(self.host)
        if found == self._conditions:
            return None
        self._conditions = found
        return found

    def all_conditions(self) -> Mapping[str, str]:
        """Returns what idle power depends on, as the machine and the meters tell it."""
        found = dict(conditions(self.host))
        for guarded in self._telling:
            found |= guarded.probe().conditions
        return found

    def cadences(self, pause: Callable[[float], object]) -> Mapping[str, str]:
        """Returns the seconds between updates that could be seen, by key, as fractions."""
        return {
            f"{guarded.name}/{counter}": str(Fraction(update_s))
            for guarded in self._open
            for counter, update_s in cadences(guarded, self.host, pause).items()
            if update_s is not None
        }

    def paces(self, pause: Callable[[float], object], most_s: float) -> Mapping[str, str]:
        """Returns the same where it is not what a counter says, seen while a run goes on."""
        found = paces(self._open, self.host, pause, min(most_s, MOST_S))
        return {key: str(Fraction(update_s)) for key, update_s in found.items()}

    def close(self) -> None:
        """Closes all meters; may be called twice."""
        for guarded in self._open:
            guarded.close()
        self._open.clear()
        self._telling.clear()

    def _notes(self, at: int, answers: Mapping[str, Answer]) -> Iterator[Record]:
        for meter, answer in answers.items():
            for why in (*answer.faults, *answer.absent):
                yield {"op": "fault", "at": at, "meter": meter, "why": why}
            for counter, identity in answer.identities.items():
                key = f"{meter}/{counter}"
                if self._identities.get(key, identity) != identity:
                    self._identities[key] = identity
                    yield {"op": "identity", "at": at, "counter": key, "to": identity}
