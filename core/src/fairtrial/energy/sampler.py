"""The thread that reads the counters now and then, so that no counter wraps or resets unseen."""

import threading
import time
from collections.abc import Callable, Iterable

from attrs import define, field

from fairtrial.api.reading import Counter
from fairtrial.energy.deltas import cap_w

KEEPALIVE_S = 10.0
"""Seconds between two readings of energy counters, where nothing asks for less."""

_LEAST_S = 0.05


def period_s(counters: Iterable[Counter], keepalive_s: float = KEEPALIVE_S) -> float:
    """
    Returns how often counters must be read.

    Half the time in which a counter could wrap at the most power it is believed to show, and two
    updates of a counter of power, so that no gap is too long to bridge; but a power that is only
    there beside a counter of the same part's energy sets no pace.
    """
    found = [keepalive_s]
    known = tuple(counters)
    counted = [own.atoms for own in known if not own.is_power and not own.is_cpu_time]
    for counter in known:
        if counter.is_power and counter.atoms in counted:
            continue
        if counter.is_power:
            found.append(2 * (counter.update_s or 1.0))
        elif counter.modulus and not counter.is_cpu_time:
            range_j = counter.modulus * counter.microjoules_per_count / 1e6
            found.append(range_j / (2 * cap_w(counter)))
    return max(_LEAST_S, min(found))


@define(kw_only=True, eq=False)
class Sampler:
    """
    Calls something again and again in a thread of its own.

    Attributes:
        period_s: Seconds between two calls.
        sample: What is called; it must not raise.
        first: What the thread does before its first call, in at most one period; it is given how
            to wait, which tells whether to stop, and the period.
    """

    period_s: float
    sample: Callable[[], object]
    first: Callable[[Callable[[float], bool], float], object] | None = None
    _stop: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def start(self) -> None:
        """Starts the thread."""
        self._thread = threading.Thread(target=self._run, name="fairtrial-energy", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; may be called twice."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
            self._thread = None

    def _run(self) -> None:
        begun_s = time.monotonic()
        if self.first is not None:
            self.first(self._stop.wait, self.period_s)
        wait_s = self.period_s - (time.monotonic() - begun_s)
        while not self._stop.wait(max(0.0, wait_s)):
            self.sample()
            wait_s = self.period_s
