import itertools
import threading
import time
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen
from fairtrial.api import Host, MeterSession, Probe, RawReading
from fairtrial.conformance.skeletons.meter import EchoMeter, EchoSession


@frozen(kw_only=True)
class WrongSession(EchoSession):
    made: Iterator[int] = field(factory=lambda: itertools.count(1))
    lock: threading.Lock = field(factory=threading.Lock)


@frozen(kw_only=True)
class WrongMeter(EchoMeter):
    def open(self, host: Host, /) -> MeterSession:
        session = super().open(host)
        assert isinstance(session, EchoSession)
        return self.spoilt(session)

    def spoilt(self, session: EchoSession) -> MeterSession:
        return session


@frozen(kw_only=True)
class RaisingMeter(EchoMeter):
    def probe(self, host: Host, /) -> Probe:
        (host.sysfs / self.path).read_bytes()
        return super().probe(host)

    def open(self, host: Host, /) -> MeterSession:
        return EchoMeter(path=self.path).open(host)


@frozen(kw_only=True)
class SilentMeter(EchoMeter):
    def probe(self, host: Host, /) -> Probe:
        return Probe(counters=super().probe(host).counters)


@frozen(kw_only=True)
class RawErrorMeter(EchoMeter):
    def open(self, host: Host, /) -> MeterSession:
        (host.sysfs / self.path).read_bytes()
        return super().open(host)


@frozen(kw_only=True)
class NegativeSession(EchoSession):
    def read(self) -> Sequence[RawReading]:
        return [evolve(one, count=-5) for one in super().read()]


@frozen(kw_only=True)
class NegativeMeter(WrongMeter):
    def spoilt(self, session: EchoSession) -> MeterSession:
        return NegativeSession(host=session.host, place=session.place, counters=session.counters)


@frozen(kw_only=True)
class FallingSession(WrongSession):
    def read(self) -> Sequence[RawReading]:
        return [evolve(one, count=one.count - next(self.made)) for one in super().read()]


@frozen(kw_only=True)
class FallingMeter(WrongMeter):
    def spoilt(self, session: EchoSession) -> MeterSession:
        return FallingSession(host=session.host, place=session.place, counters=session.counters)


@frozen(kw_only=True)
class OwnClockSession(EchoSession):
    def read(self) -> Sequence[RawReading]:
        now = time.time_ns()
        return [evolve(one, before_ns=now, after_ns=now) for one in super().read()]


@frozen(kw_only=True)
class OwnClockMeter(WrongMeter):
    def spoilt(self, session: EchoSession) -> MeterSession:
        return OwnClockSession(host=session.host, place=session.place, counters=session.counters)


@frozen(kw_only=True)
class OnceSession(WrongSession):
    def close(self) -> None:
        if next(self.made) == 2:
            raise ValueError("already closed")


@frozen(kw_only=True)
class OnceMeter(WrongMeter):
    def spoilt(self, session: EchoSession) -> MeterSession:
        return OnceSession(host=session.host, place=session.place, counters=session.counters)


@frozen(kw_only=True)
class BusySession(WrongSession):
    def read(self) -> Sequence[RawReading]:
        if not self.lock.acquire(blocking=False):
            return ()
        try:
            time.sleep(0.001)
            return super().read()
        finally:
            self.lock.release()


@frozen(kw_only=True)
class BusyMeter(WrongMeter):
    def spoilt(self, session: EchoSession) -> MeterSession:
        return BusySession(host=session.host, place=session.place, counters=session.counters)


@frozen(kw_only=True)
class SlowMeter(WrongMeter):
    def open(self, host: Host, /) -> MeterSession:
        session = super().open(host)
        time.sleep(0.06)
        return session
