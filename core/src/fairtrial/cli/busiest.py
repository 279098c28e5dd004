"""Which programs keep the machine busy, while nothing should."""

import time
from collections.abc import Callable, Mapping
from typing import Self

import psutil
from attrs import field, frozen

SHOWN = 3
_LEAST = 0.005
"""Below this share of the machine nobody is named."""


@frozen(kw_only=True)
class Busiest:
    """
    CPU time of all processes at one moment, to tell what they use from then on.

    Attributes:
        times: A name and seconds, by the id of a process and when it began, since ids come again.
        at_s: When that was.
        processors: How many CPUs share the work.
    """

    times: Mapping[tuple[int, float], tuple[str, float]]
    at_s: float
    processors: int
    _clock: Callable[[], float] = field(alias="clock", repr=False)

    @classmethod
    def from_now(cls, clock: Callable[[], float] = time.monotonic) -> Self:
        """Looks at all processes that can be seen."""
        count = psutil.cpu_count() or 1
        return cls(times=_times(), at_s=clock(), processors=count, clock=clock)

    def since(self) -> Mapping[str, float]:
        """
        Returns the programs that used most CPU time since, with their share of the machine's.

        Those that ended meanwhile are not seen.
        """
        span_s = max(self._clock() - self.at_s, 1e-3) * self.processors
        shares: dict[str, float] = {}
        for key, (name, now_s) in _times().items():
            _, before_s = self.times.get(key, (name, 0.0))
            shares[name] = shares.get(name, 0.0) + (now_s - before_s) / span_s
        most = sorted(shares.items(), key=lambda own: -own[1])[:SHOWN]
        return {name: share for name, share in most if share >= _LEAST}


def _times() -> dict[tuple[int, float], tuple[str, float]]:
    found = {}
    for process in psutil.process_iter(["create_time", "name", "cpu_times"]):
        told = process.info
        # What may not be looked at is None there.
        if told["cpu_times"] is not None and told["name"]:
            spent_s = told["cpu_times"].user + told["cpu_times"].system
            found[process.pid, told["create_time"] or 0.0] = (told["name"], spent_s)
    return found
