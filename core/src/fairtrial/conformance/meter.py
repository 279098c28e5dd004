"""The kit of the kind `meter`."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from fairtrial.api import Host, Label, MachineError, Meter, MeterSession, RawReading
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes.host import FakeHost
from fairtrial.conformance.promise import NotJudged, may_only_raise, promise, same
from fairtrial.conformance.watch import watch

PROBE_LIMIT_S = 2.0
OPEN_LIMIT_S = 0.05
TRIES = 3
READERS = 4
READS = 25


class RequiredMeter(Conformance):
    """What every meter promises."""

    kind: ClassVar[str] = "meter"

    def host(self, directory: Path) -> Host:
        """
        Returns a host on which the meter finds at least one counter; an empty one by default.

        To be overridden by a meter that reads files: `FakeHost.below(directory)` and its `put`.
        """
        return FakeHost.below(directory)

    def test_probe_never_raises(self, meter: Meter, tmp_path: Path) -> None:
        """On a host that has nothing at all, `probe` says so within two seconds."""
        started = time.monotonic()
        with may_only_raise(words="probe must not raise"):
            probe = meter.probe(FakeHost.below(tmp_path))
        took_s = time.monotonic() - started
        promise(took_s < PROBE_LIMIT_S, f"probe took {took_s:.1f} s")
        told = probe.counters or (all(probe.unavailable.values()) and probe.unavailable)
        promise(told, "no counter is here, and probe doesn't say why")

    def test_probe_only_looks(self, meter: Meter, tmp_path: Path) -> None:
        """`probe` writes nothing and connects to nothing, and says the same when asked again."""
        host = self.host(tmp_path)
        with watch() as seen:
            probe = meter.probe(host)
        same([], [*seen.written, *seen.connected], "probe touched the machine")
        same(probe, meter.probe(host), "probe says something else the second time")

    def test_open_without_a_counter_is_a_machine_error(self, meter: Meter, tmp_path: Path) -> None:
        """Where nothing can be read, `open` raises MachineError; a session must have counters."""
        with may_only_raise(words="open may only raise MachineError"):
            try:
                session = meter.open(FakeHost.below(tmp_path))
            except MachineError:
                return
        promise(session.counters, "open gives a session without a counter")
        session.close()

    def test_a_session_has_the_counters_that_probe_named(
        self, meter: Meter, tmp_path: Path
    ) -> None:
        """What was promised is what is read, each counter with an id of its own."""
        host = self.host(tmp_path)
        named = meter.probe(host).counters
        with self.opened(meter, host) as session:
            same(named, session.counters, "probe and session name other counters")
        ids = [counter.id for counter in named]
        same(len(ids), len(set(ids)), "two counters share an id; counters, ids")

    def test_readings_belong_to_counters(self, meter: Meter, tmp_path: Path) -> None:
        """Each reading names a counter of the session, once, with a whole count in its range."""
        with self.opened(meter, self.host(tmp_path)) as session:
            readings = session.read()
            promise(readings, "nothing is read although counters are named")
            moduli = {counter.id: counter.modulus for counter in session.counters}
        ids = [reading.counter for reading in readings]
        same(len(ids), len(set(ids)), "one read reads a counter twice; readings, counters")
        for one in readings:
            promise(one.counter in moduli, f"a reading names the unknown counter “{one.counter}”")
            promise(type(one.count) is int and one.count >= 0, f"{one.count!r} is no raw count")
            modulus = moduli[one.counter]
            promise(modulus is None or one.count < modulus, f"{one.count} is beyond the modulus")

    def test_a_count_of_energy_never_falls(self, meter: Meter, tmp_path: Path) -> None:
        """Energy so far only grows; only a counter of power may fall."""
        with self.opened(meter, self.host(tmp_path)) as session:
            falling = {counter.id for counter in session.counters if counter.is_power}
            reads = [_counts(session.read()) for _ in range(TRIES)]
        for before, after in pairwise(reads):
            fell = [name for name in before.keys() & after.keys() if after[name] < before[name]]
            promise(set(fell) <= falling, f"counters that fell: {', '.join(fell)}")

    def test_a_reading_is_dated_by_the_host(self, meter: Meter, tmp_path: Path) -> None:
        """Both times of a reading come from the host's clock, around the reading."""
        host = self.host(tmp_path)
        with self.opened(meter, host) as session:
            start = host.monotonic_ns()
            readings = session.read()
            end = host.monotonic_ns()
        for one in readings:
            inside = start <= one.before_ns <= one.after_ns <= end
            promise(inside, f"“{one.counter}” is dated outside of its read")

    def test_close_may_be_called_twice(self, meter: Meter, tmp_path: Path) -> None:
        """A session can be closed again, and the meter opened again after it."""
        host = self.host(tmp_path)
        with self.opened(meter, host) as session, may_only_raise(words="the second close"):
            session.close()
            session.close()
        with self.opened(meter, host) as session:
            promise(session.read(), "nothing is read after a session before it was closed")

    def test_threads_may_read_at_once(self, meter: Meter, tmp_path: Path) -> None:
        """Several threads read one session, and each gets whole readings."""
        with self.opened(meter, self.host(tmp_path)) as session:
            known = {counter.id for counter in session.counters}

            def read_often(_: int) -> list[set[str]]:
                return [set(_counts(session.read())) for _ in range(READS)]

            words = may_only_raise(words="threads must be able to read at once")
            with words, ThreadPoolExecutor(READERS) as pool:
                reads = list(pool.map(read_often, range(READERS)))
        partial = sum(one != known for thread in reads for one in thread)
        same(0, partial, "reads that lost a counter while threads read at once")

    def test_open_is_quick(self, meter: Meter, tmp_path: Path) -> None:
        """A session opens in 50 ms, at least at the best of three tries."""
        host = self.host(tmp_path)
        best_s = min(self._opening_s(meter, host) for _ in range(TRIES))
        promise(best_s < OPEN_LIMIT_S, f"open took {best_s * 1000:.0f} ms")

    def test_every_counter_has_a_source(self, meter: Meter, tmp_path: Path) -> None:
        """A counter that is there has a label that can be had, and names its sensor."""
        for one in meter.probe(self.host(tmp_path)).counters:
            promise(one.label is not Label.UNAVAILABLE, f"“{one.id}” is here and unavailable")
            promise(one.sensor, f"“{one.id}” doesn't say what measures")

    @contextmanager
    def opened(self, meter: Meter, host: Host) -> Iterator[MeterSession]:
        """Opens the meter and closes it, in a host that has something to read."""
        if not meter.probe(host).counters:
            raise NotJudged("nothing to read on this host: override `host` with one that has it")
        session = meter.open(host)
        try:
            yield session
        finally:
            session.close()

    def _opening_s(self, meter: Meter, host: Host) -> float:
        started = time.monotonic()
        with self.opened(meter, host):
            return time.monotonic() - started


class OptionalMeter(RequiredMeter):
    """What a meter promises besides, by its capabilities."""

    estimates: ClassVar[bool] = False
    """Whether its counts are reckoned and not measured."""

    def test_an_estimate_never_says_measured(self, meter: Meter, tmp_path: Path) -> None:
        """A meter that reckons says `estimator` of every counter, and one that measures never."""
        for one in meter.probe(self.host(tmp_path)).counters:
            said = one.label is Label.ESTIMATOR
            words = f"“{one.id}” is labelled {one.label}; estimate, labelled so"
            same(self.declared("estimates"), said, words)


def _counts(readings: Sequence[RawReading]) -> dict[str, int]:
    return {reading.counter: reading.count for reading in readings}


class MeterConformance(OptionalMeter):
    """The kit: give it a fixture `meter`, and override `host` if it reads files."""
