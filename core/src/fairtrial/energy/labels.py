"""
How strong a figure is, and that no plugin can make it stronger.

A meter says how its hardware comes by the figure; the core grants at most what the named sensor
can support, so that a model of power is never shown as a measurement.
"""

from collections.abc import Iterable

from attrs import evolve

from fairtrial.api.reading import Boundary, Counter, Label

STRENGTH = (Label.HARDWARE_SHUNT, Label.MODEL_BASED, Label.ESTIMATOR, Label.UNAVAILABLE)
"""Strongest first."""

MEASURED = frozenset({Label.HARDWARE_SHUNT, Label.MODEL_BASED})
"""Labels of figures that a counter of the machine stands behind."""

_BEST_BY_SENSOR = {
    **dict.fromkeys(
        ("wall-meter", "bmc-psu", "vr-telemetry", "shunt", "battery-gauge"), Label.HARDWARE_SHUNT
    ),
    **dict.fromkeys(
        ("smu-model", "soc-model", "dram-model", "filtered-telemetry"), Label.MODEL_BASED
    ),
    **dict.fromkeys(("tdp-model", "token-model", "cpu-share"), Label.ESTIMATOR),
}


def weakest(labels: Iterable[Label]) -> Label:
    """Returns the weakest label, which is the one of a sum; `unavailable` for none."""
    return max(labels, key=STRENGTH.index, default=Label.UNAVAILABLE)


def granted(counter: Counter) -> Label:
    """
    Returns the label that a counter gets, never a stronger one than it claims.

    A label outside the closed set is an estimate; so is all that is remote. A sensor that the
    core doesn't know is believed to be a model at best.
    """
    # The member itself: a plain text is equal to one, and lacks what a member has.
    claim = next((own for own in STRENGTH if own == counter.label), Label.ESTIMATOR)
    if counter.boundary is Boundary.REMOTE:
        return weakest((claim, Label.ESTIMATOR))
    sensor = counter.sensor.partition(",")[0]
    return weakest((claim, _BEST_BY_SENSOR.get(sensor, Label.MODEL_BASED)))


def admitted(counter: Counter) -> Counter:
    """Returns the counter with the label that it gets."""
    return evolve(counter, label=granted(counter))
