"""
Calls into meter plugins that can't hurt a trial: they may raise, hang, or answer nonsense.

Each meter has one daemon thread of its own; an answer that is not there in time is given up, and
so is the meter. A reading that can't be a count is left out and noted.
"""

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from fairtrial.api.errors import FairtrialError
from fairtrial.api.meter import Host, Meter, MeterSession
from fairtrial.api.reading import Boundary, Counter, Probe, RawReading
from fairtrial.energy.labels import admitted

PATIENCE_S = 2.0
"""How long a meter may take to answer."""

_WIDEST = 2**64
"""No hardware's counter reaches this, and every sum below it can be written down."""

_SMALLEST, _LARGEST = 1e-12, 1e12
"""Between these all numbers of a real counter lie, whatever its unit; products stay finite."""

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
            counters = tuple(sound(own) for own in answer.counters)
            pairs = zip(answer.counters, counters, strict=True)
            self.overclaims = tuple(
                f"“{own.id}” claims to be “{claimed.label}” and is shown as “{own.label}”"
                for claimed, own in pairs
                if claimed.label != own.label
            )
            return Probe(
                counters=counters,
                unavailable=_texts(answer.unavailable),
                conditions=_texts(answer.conditions),
            )

        answer = self._call(work, patience_s)
        if isinstance(answer, _Failure):
            return Probe(unavailable={self.name: answer.why})
        return answer

    def open(self, *, patience_s: float = PATIENCE_S) -> str:
        """Opens the counters; returns why that failed, or nothing."""

        def work() -> tuple[MeterSession, tuple[Counter, ...]]:
            session = self.meter.open(self.host)
            return session, tuple(sound(counter) for counter in session.counters)

        answer = self._call(work, patience_s)
        if isinstance(answer, _Failure):
            return answer.why
        self._session, counters = answer
        if len({counter.id for counter in counters}) != len(counters):
            return "two of its counters have one id"
        self.counters = counters
        return "" if counters else "it has no counter to read"

    def read(self, *, patience_s: float = PATIENCE_S) -> Answer:
        """Reads every counter once; never raises, and waits for `patience_s` once it is asked."""
        session = self._session
        if session is None:
            return Answer()

        def work() -> Answer:
            begin_ns = self.host.monotonic_ns()
            readings = tuple(session.read())
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
        wrong = [
            _fault(reading, known, asked)
            or ("" if told.count(reading.counter) == 1 else f"“{reading.counter}” was read twice")
            for reading in readings
        ]
        return Answer(
            readings=tuple(own for own, why in zip(readings, wrong, strict=True) if not why),
            faults=tuple(dict.fromkeys(filter(None, wrong))),
            absent=tuple(f"“{name}” gave no reading" for name in known if name not in told),
            identities={counter.id: str(counter.identity) for counter in counters},
        )

    def close(self) -> None:
        """Lets go of the counters and of the thread."""
        session, self._session = self._session, None
        if session is not None:
            self._call(session.close, PATIENCE_S)
        if self._jobs is not None:
            self._jobs.put(None)
            self._jobs = None

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
            except FairtrialError as error:
                self.refused = error
                answers.put(_Failure(why="; ".join(filter(None, (error.problem, error.way_on)))))
            except BaseException as error:  # noqa: BLE001 - what a plugin raises, sys.exit too, is a fact
                answers.put(_Failure(why=f"{type(error).__name__}: {error}"))

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


def sound(counter: Counter) -> Counter:
    """
    Returns a counter with the label that it gets.

    Raises:
        TypeError: It is no counter, or a part of it is not what the interface says.
    """
    if not isinstance(counter, Counter):
        msg = f"{counter!r} is no counter"
        raise TypeError(msg)
    numbers = (counter.microjoules_per_count, counter.update_s, counter.max_watts)
    # As objects: a plugin's author may run no type checker.
    texts: tuple[object, ...] = (counter.id, counter.sensor, counter.identity, *counter.atoms)
    boundary: object = counter.boundary
    modulus: object = counter.modulus
    wrong = [
        *(text for text in texts if not isinstance(text, str)),
        *(own for own in numbers if own is not None and not _SMALLEST <= own <= _LARGEST),
        *(() if isinstance(boundary, Boundary) else (boundary,)),
        *(() if modulus is None or _is_width(modulus) else (modulus,)),
    ]
    if wrong:
        msg = f"counter “{counter.id}” is described by {_shown(wrong[0])}"
        raise TypeError(msg)
    return admitted(counter)


def _texts(pairs: Mapping[str, str]) -> Mapping[str, str]:
    return {str(name): str(text) for name, text in pairs.items()}


def _fault(reading: RawReading, known: Mapping[str, Counter], asked: tuple[int, int]) -> str:
    """Says what is wrong with a reading; nothing for a sound one."""
    counter = known.get(reading.counter)
    if counter is None:
        return f"it read “{reading.counter}”, which is none of its counters"
    count: object = reading.count  # a plugin may hand over anything: NaN, text, True
    wrong = _no_count(count, counter)
    if wrong:
        return f"“{reading.counter}” showed {_shown(count)}, which {wrong}"
    if not all(_is_width(instant) for instant in (reading.before_ns, reading.after_ns)):
        return f"“{reading.counter}” was read at no time"
    # Wrong times would let any power look believable.
    if not asked[0] <= reading.before_ns <= reading.after_ns <= asked[1]:
        return f"“{reading.counter}” was not read when it says"
    return ""


def _no_count(count: object, counter: Counter) -> str:
    if not isinstance(count, int) or isinstance(count, bool):
        return "is no count"
    if count < 0:
        return "is below 0"
    if count in (_POWER_SENTINELS if counter.is_power else _SENTINELS):
        return "stands for “no reading”"
    return "is above its range" if count > min(counter.modulus or _WIDEST, _WIDEST) else ""


def _is_width(value: object) -> bool:
    """Whether something is a whole number that a register of 64 bits can hold."""
    return type(value) is int and abs(value) <= _WIDEST


def _shown(value: object) -> str:
    """Returns a value's spelling; of a long number its length, as Python may refuse to spell it."""
    if isinstance(value, int) and abs(value) > _WIDEST:
        return f"a number of {value.bit_length()} bits"
    return repr(value)
