"""
Raw readings of counters, as meters give them.

A meter hands over `Counter` and `RawReading`; only the core builds an `Energy` of them, so that no
plugin can strengthen a label or hide a wrap.
"""

import enum
from collections.abc import Mapping

from attrs import field, frozen
from attrs.validators import gt, min_len, optional


class Label(enum.StrEnum):
    """How a figure of joules was come by, strongest first; a sum takes its weakest part's."""

    HARDWARE_SHUNT = "measured-hardware-shunt"
    MODEL_BASED = "measured-model-based"
    ESTIMATOR = "estimator"
    UNAVAILABLE = "unavailable"


class Boundary(enum.StrEnum):
    """What a figure of joules includes; figures of different boundaries are never ranked."""

    HOST = "host"
    GPU = "gpu"
    MODULE = "module"
    WALL = "wall"
    REMOTE = "remote-inference"


@frozen(kw_only=True)
class Counter:
    """
    One counter, described once.

    Attributes:
        id: Unique in the meter.
        microjoules_per_count: For a counter of energy, the microjoules of one count; for one of
            power (`is_power`), the microwatts of one count; for one of CPU time
            (`is_cpu_time`), the microseconds of one count.
        modulus: Where the counter wraps, in counts (it never shows this value); None where it is
            not known, so that a step back can't be corrected.
        atoms: The parts of the machine that it covers, such as `{"pkg0"}`; two counters that
            share an atom are never added. `pkg0/core` is a part of `pkg0`, and a trailing `*`
            stands for every atom that begins so.
        label: How the hardware comes by the figure.
        boundary: What the figure includes.
        sensor: What measures, such as `vr-telemetry` or `smu-model`; of an estimate, after a comma,
            also what it takes for granted: `tdp-model, 15 W`. Estimates that take other things
            for granted are never ranked together.
        update_s: Seconds between updates of the counter; None where not known.
        max_watts: More than this over an interval is not believed; None for the core's default.
        identity: Changes if the counter is another one (boot id and path, a device's UUID).
        is_power: Whether the counter shows power now instead of energy so far.
        is_cpu_time: Whether it shows CPU time so far instead of energy; such a counter is used
            to share out another's joules, which makes them an estimate.
        is_shared: Whether others that no run controls may use the same part, such as the other
            slices of a GPU; figures are then marked and left out of ranking.
    """

    id: str = field(validator=min_len(1))
    microjoules_per_count: float = field(validator=gt(0))
    modulus: int | None = field(default=None, validator=optional(gt(0)))
    atoms: frozenset[str] = field(validator=min_len(1))
    label: Label
    boundary: Boundary
    sensor: str
    update_s: float | None = field(default=None, validator=optional(gt(0)))
    max_watts: float | None = field(default=None, validator=optional(gt(0)))
    identity: str = ""
    is_power: bool = False
    is_cpu_time: bool = False
    is_shared: bool = False


@frozen(kw_only=True)
class RawReading:
    """
    One reading of one counter.

    Attributes:
        counter: The `Counter.id`.
        count: What the counter showed, unchanged.
        before_ns: Monotonic nanoseconds just before it was read.
        after_ns: Monotonic nanoseconds just after.
    """

    counter: str
    count: int
    before_ns: int
    after_ns: int


@frozen(kw_only=True)
class Probe:
    """
    What a meter can read on a host.

    Attributes:
        counters: What is here.
        unavailable: What can't be read, and why, in words that a user can act on; keyed by the
            atom (`dram0`) where that is known, so that a sum without it is marked as partial.
        conditions: What an idle calibration depends on, such as a GPU's temperature
            (`gpu0.temperature_c`) or its persistence mode.
    """

    counters: tuple[Counter, ...] = ()
    unavailable: Mapping[str, str] = field(factory=dict)
    conditions: Mapping[str, str] = field(factory=dict)
