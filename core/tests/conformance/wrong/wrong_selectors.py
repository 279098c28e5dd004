import itertools
from pathlib import Path

from attrs import frozen
from fairtrial.api import SelectionSession
from fairtrial.conformance.skeletons.selector import EchoSelector

COUNTER = itertools.count()


@frozen(kw_only=True)
class CountingSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        picked = super().select(session)
        return picked if len(session.candidates) < 40 else 41


@frozen(kw_only=True)
class PlaceSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        return min(len(session.candidates), 2)


@frozen(kw_only=True)
class FickleSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        return session.candidates[next(COUNTER) % len(session.candidates)].rollout


@frozen(kw_only=True)
class HopefulSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        if len(session.candidates) == 1:
            return session.candidates[0].rollout
        return next(one for one in session.candidates if one.changed).rollout


@frozen(kw_only=True)
class PeekingSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        session.resolved(session.candidates[0].rollout)
        return super().select(session)


@frozen(kw_only=True)
class TouchingSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        Path("/etc/hostname").exists()
        with Path("/etc/passwd").open() as file:
            file.read(1)
        return super().select(session)


@frozen(kw_only=True)
class BrokeSelector(EchoSelector):
    def select(self, session: SelectionSession, /) -> int | None:
        if session.__getattribute__("broke"):
            raise RuntimeError("no money")
        return super().select(session)
