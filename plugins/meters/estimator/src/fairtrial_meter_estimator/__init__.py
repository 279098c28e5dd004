"""A meter for fairtrial: watts times seconds, always labelled an estimate."""

import math
import os
from collections.abc import Sequence

from attrs import field, frozen
from attrs.validators import ge, le
from fairtrial.api import (
    Boundary,
    ConfigError,
    Counter,
    Host,
    Label,
    Meter,
    MeterSession,
    Probe,
    RawReading,
)

__all__ = ["EstimatorMeter", "EstimatorSession"]

VARIABLE = "FAIRTRIAL_ACTIVE_WATTS"
"""Environment variable that overrides `EstimatorMeter.watts`; an empty one is not set."""

COUNTER = "assumed"
"""The counter's id."""

LEAST_WATTS, MOST_WATTS = 1e-6, 1e9
"""Outside of these is no power that a machine could draw."""


@frozen(kw_only=True)
class EstimatorMeter:
    """
    Counts what a machine would use at a fixed power.

    It reads no hardware: its counter is the host's clock times the watts, so it can't tell a busy
    machine from an idle one. The core labels it `estimator` wherever it is shown.

    Attributes:
        watts: The power assumed while an attempt runs; `FAIRTRIAL_ACTIVE_WATTS` overrides it.
    """

    watts: float = field(default=15.0, validator=[ge(LEAST_WATTS), le(MOST_WATTS)])

    def probe(self, host: Host, /) -> Probe:
        """Says that the estimate is here, or what is wrong with the environment variable."""
        try:
            return Probe(counters=(_counter(self._active_watts()),))
        except ConfigError as error:
            return Probe(unavailable={"estimator": f"{error.problem}; {error.way_on}"})

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens the estimate.

        Raises:
            ConfigError: `FAIRTRIAL_ACTIVE_WATTS` is no power of a machine.
        """
        watts = self._active_watts()
        return EstimatorSession(host=host, watts=watts, counters=(_counter(watts),))

    def _active_watts(self) -> float:
        text = os.environ.get(VARIABLE, "")
        if not text.strip():
            return self.watts
        try:
            watts = float(text)
        except ValueError:
            watts = math.nan
        if not LEAST_WATTS <= watts <= MOST_WATTS:
            raise ConfigError(
                problem=f"{VARIABLE} is “{text}”, which is not a power in watts",
                facts=(("asked for in", "the environment"),),
                way_on=f"set {VARIABLE} to a number above 0, or unset it",
            )
        return watts


@frozen(kw_only=True)
class EstimatorSession:
    """
    The clock, read as if it were a counter of energy.

    Attributes:
        host: Where the time comes from.
        watts: The power assumed.
        counters: The one counter that is read.
    """

    host: Host
    watts: float
    counters: tuple[Counter, ...]

    def read(self) -> Sequence[RawReading]:
        """Reads the clock; watts times microseconds are microjoules."""
        now_ns = self.host.monotonic_ns()
        count = round(now_ns * self.watts / 1000)
        return (RawReading(counter=COUNTER, count=count, before_ns=now_ns, after_ns=now_ns),)

    def close(self) -> None:
        """Lets go of nothing."""


def _counter(watts: float) -> Counter:
    return Counter(
        id=COUNTER,
        microjoules_per_count=1.0,
        atoms=frozenset({"pkg*", "dram*", "board"}),
        label=Label.ESTIMATOR,
        boundary=Boundary.HOST,
        sensor=f"tdp-model, {watts:g} W",
        max_watts=2 * watts,
        identity=f"{watts:g} W",
    )


_: type[Meter] = EstimatorMeter
