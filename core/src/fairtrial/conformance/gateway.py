"""The kit of the kind `gateway`."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import psutil

from fairtrial.api import Gateway, GatewaySession, Parted
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.promise import NotJudged, may_only_raise, promise, same
from fairtrial.conformance.watch import watch

LABEL = "add × cheap × 1"
KEYS = ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY")
SECRET = "kit-secret-that-no-agent-may-see"  # noqa: S105  # a decoy
LOCAL = ("127.", "::1", "localhost")
SETTLE_S = 2.0


class RequiredGateway(Conformance):
    """What every gateway promises."""

    kind: ClassVar[str] = "gateway"

    def test_the_agent_gets_no_provider_key(self, gateway: Gateway) -> None:
        """Whatever keys the harness holds, none is in the environment that an agent gets."""
        with _keys_set(), self.opened(gateway) as session:
            leaks = [name for name, value in session.environment.items() if SECRET in value]
            promise(not leaks, f"the provider's key is in {', '.join(leaks)}")
            promise(SECRET not in repr(session), "the provider's key is in the session's repr")

    def test_the_environment_is_text(self, gateway: Gateway) -> None:
        """Names and values can be put into a process's environment."""
        with self.opened(gateway) as session:
            pairs: Iterable[tuple[object, object]] = session.environment.items()
        for name, value in pairs:
            fits = isinstance(name, str) and isinstance(value, str) and "=" not in name
            promise(fits, f"{name!r} = {value!r} fits no environment")

    def test_nothing_is_metered_before_a_request(self, gateway: Gateway) -> None:
        """Before any request, no token and no dollar is metered, and the budget is not spent."""
        with self.opened(gateway, 1.0) as session:
            for one in session.usage():
                spent = (one.input_uncached, one.output, one.cache_read, one.cost_usd)
                promise(not any(spent), f"metered before any request: {one}")
            promise(not session.exhausted, "a budget is spent before any request")

    def test_close_may_be_called_twice(self, gateway: Gateway) -> None:
        """A session can be closed again, and says afterwards what it metered."""
        with self.opened(gateway) as session, may_only_raise(words="the second close"):
            before = session.usage()
            session.close()
            session.close()
            same(before, session.usage(), "closing changes what was metered")

    def test_a_socket_that_is_named_is_there(self, gateway: Gateway) -> None:
        """A UNIX socket that a fence is to let through exists while the session is open."""
        with self.opened(gateway) as session:
            there = session.socket is None or session.socket.is_socket()
            promise(there, f"{session.socket} is no socket")

    def test_opening_reaches_no_one(self, gateway: Gateway) -> None:
        """Opening a session connects to nothing beyond this machine: that may cost money."""
        with watch() as seen, self.opened(gateway):
            pass
        far = [one for one in seen.connected if not any(local in one for local in LOCAL)]
        same([], [one for one in far if one.startswith("(")], "opening connects to")

    def test_sessions_are_apart(self, gateway: Gateway) -> None:
        """Two trials at once have two sessions; closing one leaves the other open."""
        first = gateway.open(LABEL, None)
        with self.opened(gateway) as second:
            promise(first is not second, "two trials were given one session")
            first.close()
            with may_only_raise(words="a session must outlive another one"):
                second.usage()
                promise(not second.exhausted, "closing a session spends another one's budget")

    def test_a_label_is_only_a_label(self, gateway: Gateway, tmp_path: Path) -> None:
        """A label is text for a log; as a path it leads nowhere."""
        below = tmp_path / "a" / "b"
        below.mkdir(parents=True)
        words = may_only_raise(words="any text is a label")
        with _standing_in(below), words, self.opened(gateway, label="../../x × é\n/tmp/\x00"):
            pass
        strays = [str(path) for path in tmp_path.iterdir() if path != tmp_path / "a"]
        same([], strays, "the label was used as a path")

    def test_nothing_is_left_running(self, gateway: Gateway) -> None:
        """A closed session leaves no child process; a server may live as long as its gateway."""
        before = _children()
        for _ in range(3):
            with self.opened(gateway):
                pass
        threads = threading.active_count()
        for _ in range(3):
            with self.opened(gateway):
                pass
        promise(_settles(lambda: _children() <= before), "closed sessions leave a child process")
        grown = "closed sessions leave threads, and more each time"
        promise(_settles(lambda: threading.active_count() <= threads), grown)

    @contextmanager
    def opened(
        self, gateway: Gateway, budget_usd: float | None = None, label: str = LABEL
    ) -> Iterator[GatewaySession]:
        """Opens a session and closes it."""
        session = gateway.open(label, budget_usd)
        try:
            yield session
        finally:
            session.close()


class OptionalGateway(RequiredGateway):
    """What a gateway promises besides, by its capabilities."""

    enforces_budget: ClassVar[bool] = False
    """Whether it refuses requests once the budget is spent; then `spend` must be overridden."""

    def spend(self, session: GatewaySession) -> None:
        """Makes one request through the session that costs at least a cent; to be overridden."""
        raise NotJudged("give the kit a request that costs something: override `spend`")

    def test_a_spent_budget_is_the_end(self, gateway: Gateway) -> None:
        """What a request cost is metered, and with the budget spent the next one is refused."""
        if not self.declared("enforces_budget"):
            return
        with self.opened(gateway, 0.001) as session, self.opened(gateway, 0.001) as other:
            self.spend(session)
            metered = session.usage()
            promise(metered, "a request was made, and nothing is metered")
            self.spend(session)
            promise(session.exhausted, "the budget is spent, and a request was let through")
            same(metered, session.usage(), "a refused request is metered")
            promise(not other.exhausted, "one trial spends another one's budget")

    def test_a_part_of_a_budget_ends_alone(self, gateway: Gateway) -> None:
        """A stage's part refuses what is past it, and what comes after the stage may go on."""
        with self.opened(gateway, 1_000_000.0) as session:
            if not self.declared("enforces_budget") or not isinstance(session, Parted):
                return
            session.begin_part(1_000_000.0)
            session.begin_part(0.001)
            self.spend(session)
            metered = session.usage()
            self.spend(session)
            same(metered, session.usage(), "a request past the part of the budget is let through")
            promise(session.end_part(), "a request was refused for a part, and it isn't said")
            self.spend(session)
            promise(metered != session.usage(), "a part of the budget holds after its end")
            promise(not session.end_part(), "a part says that it was spent, and another one was")
            promise(not session.exhausted, "a part of the budget ends the whole of it")


@contextmanager
def _keys_set() -> Iterator[None]:
    """Puts decoys where the harness keeps a provider's keys."""
    kept = {name: os.environ.get(name) for name in KEYS}
    os.environ.update(dict.fromkeys(KEYS, SECRET))
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _standing_in(directory: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def _settles(done: Callable[[], bool]) -> bool:
    """Whether a condition comes true soon."""
    until = time.monotonic() + SETTLE_S
    while not done():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


class GatewayConformance(OptionalGateway):
    """The kit: give it a fixture `gateway`, and override `spend` if it keeps a budget."""
