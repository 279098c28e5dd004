"""
Calls into meter plugins that can't hurt a trial: they may raise, hang, or answer nonsense.

Each meter has one daemon thread of its own; an answer that is not there in time is given up, and
so is the meter. A reading that can't be a count is left out and noted.
"""

import collections
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from attrs import define, evolve, field, frozen

from fairtrial.api.errors import FairtrialError
from fairtrial.api.meter import Host, Meter, MeterSession
from fairtrial.api.reading import Counter, Probe, RawReading
from fairtrial.energy.admission import (
    WIDEST,
    clipped,
    few,
    is_width,
    shown,
    sound_all,
    texts,
    words,
)

PATIENCE_S = 2.0
"""How long a meter may take to answer."""

_SENTINELS = frozenset({2**63 - 1, 2**64 - 1})
_POWER_SENTINELS = _SENTINELS | {2**31 - 1, 2**32 - 1}


@frozen(kw_only=True)
class Answer:
    """
    What one read of a meter gave.

    Attributes:
        readings: The sound ones.
        faults: What was wrong with the others.
        absent: A line for each counter that was left out, which a meter may do.
        identities: By counter id.
    """

    readings: tuple[RawReading, ...] = ()
    faults: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    identities: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True)
class _Failure:
    why: str


T = TypeVar("T")


@define(kw_only=True, eq=False)
class GuardedMeter:
    """
    A meter behind a guard.

    Attributes:
        name: The meter's name in the config.
        meter: The plugin.
        host: What it looks at.
        counters: What the open session reads, labels as granted; empty before `open`.
        hung: Whether it was given up.
        overclaims: Which of its counters claimed a stronger label than they get; set by `probe`.
        refused: What it said when it was last asked, where it refused in so many words.
    """

    name: str
    meter: Meter
    host: Host
    counters: tuple[Counter, ...] = ()
    hung: bool = False
    overclaims: tuple[str, ...] = ()
    refused: FairtrialError | None = None
    _session: MeterSession | None = None
    _jobs: "queue.SimpleQueue[Callable[[], None] | None] | None" = None
    _turn: threading.Lock = field(factory=threading.Lock, init=False)

    def probe(self, *, patience_s: float = PATIENCE_S) -> Probe:
        """Asks what can be read; a meter that fails to say so can't read anything."""

        def work() -> Probe:
            answer: object = self.meter.probe(self.host)
            if not isinstance(answer, Probe):
                msg = "it answered a probe with something else"
                raise TypeError(msg)
            described = few(answer.counters, "counters")
            counters = sound_all(described)
            pairs = zip(described, counters, strict=True)
            self.overclaims = tuple(
                f"“{own.id}” claims to be “{claimed.label}” and is shown as “{own.label}”"
                for claimed, own in pairs
                if claimed.label != own.label
            )
            return Probe(
                counters=counters,
                unavailable=texts(answer.unavailable),
                conditions=texts(answer.conditions),
            )

        answer = self._call(work, patience_s)
        if isinstance(answer, _Failure):
            return Probe(unavailable={self.name: answer.why})
        return answer

    def open(self, *, patience_s: float = PATIENCE_S) -> str:
        """Opens the counters; returns why that failed, or nothing."""

        def work() -> tuple[Counter, ...]:
            # Kept before it is looked at, so that one that is refused is closed, too.
            self._session = session = self.meter.open(self.host)
            return sound_all(session.counters)

        answer = self._call(work, patience_s)
        if isinstance(answer, _Failure):
            return answer.why
        if len({counter.id for counter in answer}) != len(answer):
            return "two of its counters have one id"
        self.counters = answer
        return "" if answer else "it has no counter to read"

    def read(self, *, patience_s: float = PATIENCE_S) -> Answer:
        """Reads every counter once; never raises, and waits for `patience_s` once it is asked."""
        session = self._session
        if session is None:
            return Answer()

        def work() -> Answer:
            begin_ns = self.host.monotonic_ns()
            readings = few(session.read(), "readings")
            asked = (begin_ns, self.host.monotonic_ns())
            return self._sound(readings, session.counters, asked)

        answer = self._call(work, patience_s)
        return Answer(faults=(answer.why,)) if isinstance(answer, _Failure) else answer

    def _sound(
        self,
        readings: Sequence[RawReading],
        counters: Sequence[Counter],
        asked: tuple[int, int],
    ) -> Answer:
        """Sorts readings that can be used from those that can't."""
        if not all(isinstance(reading, RawReading) for reading in readings):
            return Answer(faults=("it answered a read with something that is no reading",))
        known = {counter.id: counter for counter in self.counters}
        told = [reading.counter for reading in readings]
        times = collections.Counter(told)
        wrong = [
            _fault(reading, known, asked)
            or ("" if times[reading.counter] == 1 else f"“{reading.counter}” was read twice")
            for reading in readings
        ]
        return Answer(
            readings=tuple(
                # A member of an enumeration is equal to its text, and may be spelt otherwise.
                own if type(own.counter) is str else evolve(own, counter=known[own.counter].id)
                for own, why in zip(readings, wrong, strict=True)
                if not why
            ),
            faults=tuple(dict.fromkeys(filter(None, wrong))),
            absent=tuple(f"“{name}” gave no reading" for name in known if name not in times),
            identities={own.id: clipped(str(own.identity)) for own in few(counters, "counters")},
        )

    def close(self, *, patience_s: float = PATIENCE_S) -> str:
        """Lets go of the counters and of the thread; returns why that failed, or nothing."""
        session, self._session = self._session, None
        answer: _Failure | None = None
        if session is not None:

            def work() -> None:
                session.close()

            answer = self._call(work, patience_s)
        if self._jobs is not None:
            self._jobs.put(None)
            self._jobs = None
        return "" if answer is None else f"it can't be closed: {answer.why}"

    def _call(self, work: Callable[[], T], patience_s: float) -> "T | _Failure":
        """Runs something in the meter's thread, one at a time: to wait for another is no hanging."""
        with self._turn:
            if self.hung:
                return _Failure(why="it hung before and was given up")
            return self._answer(work, patience_s)

    def _answer(self, work: Callable[[], T], patience_s: float) -> "T | _Failure":
        self.refused = None
        answers: queue.SimpleQueue[T | _Failure] = queue.SimpleQueue()

        def job() -> None:
            try:
                answers.put(work())
            except BaseException as error:  # noqa: BLE001 - what a plugin raises, sys.exit too, is a fact
                self.refused = error if isinstance(error, FairtrialError) else None
                answers.put(_Failure(why=words(error)))

        self._worker().put(job)
        try:
            return answers.get(timeout=patience_s)
        except queue.Empty:
            self.hung = True
            return _Failure(why=f"it did not answer within {patience_s:g} s")

    def _worker(self) -> "queue.SimpleQueue[Callable[[], None] | None]":
        if self._jobs is None:
            self._jobs = queue.SimpleQueue()
            name = f"fairtrial-meter-{self.name}"
            threading.Thread(target=_work, args=(self._jobs,), name=name, daemon=True).start()
        return self._jobs


def _work(jobs: "queue.SimpleQueue[Callable[[], None] | None]") -> None:
    """Runs jobs until told to stop."""
    while (job := jobs.get()) is not None:
        job()


def _fault(reading: RawReading, known: Mapping[str, Counter], asked: tuple[int, int]) -> str:
    """Says what is wrong with a reading; nothing for a sound one."""
    counter = known.get(reading.counter)
    if counter is None:
        return f"it read “{reading.counter}”, which is none of its counters"
    count: object = reading.count  # a plugin may hand over anything: NaN, text, True
    wrong = _no_count(count, counter)
    if wrong:
        return f"“{reading.counter}” showed {shown(count)}, which {wrong}"
    if not all(is_width(instant) for instant in (reading.before_ns, reading.after_ns)):
        return f"“{reading.counter}” was read at no time"
    # Wrong times would let any power look believable.
    if not asked[0] <= reading.before_ns <= reading.after_ns <= asked[1]:
        return f"“{reading.counter}” was not read when it says"
    return ""


def _no_count(count: object, counter: Counter) -> str:
    if type(count) is not int:
        return "is no count"
    if count < 0:
        return "is below 0"
    if count in (_POWER_SENTINELS if counter.is_power else _SENTINELS):
        return "stands for “no reading”"
    return "is above its range" if count > min(counter.modulus or WIDEST, WIDEST) else ""
