"""Joules, as the core makes them of a meter's readings; no plugin builds one."""

from attrs import field, frozen
from attrs.validators import ge, optional

from fairtrial.api.reading import Boundary, Label


@frozen(kw_only=True)
class Energy:
    """
    Joules of one window at one boundary, as the core worked them out.

    Attributes:
        joules: The figure to show: net of idle where idle is known, else gross; None where
            nothing valid can be said, with the reason in `why`.
        boundary: What it includes.
        label: How it was come by.
        meter: The names of the meters behind it.
        gross_j: All joules in the window.
        idle_j: Joules that the machine would have used idle; None where idle is not known.
        uncertainty_j: One standard uncertainty of `joules`; None where not known.
        low_j: The lower end of an estimate's range; None for a measurement.
        high_j: The upper end of an estimate's range; None for a measurement.
        reliable: False below the measurement floor or with a flag that forbids ranking; such a
            figure is shown with `~`.
        granularity: What the window holds: `trial`, or `batch` where trials ran at once.
        flags: Machine words of what happened: `wrapped`, `counter-reset`, `clipped`, ….
        why: For people: why it is None, or not reliable.
        sensor: What measured, strongest first, such as `vr-telemetry`.
        coverage: The atoms that the figure includes; figures of different coverage differ in what
            they leave out.
        floor_s: Windows shorter than this are below what the counters can tell.
        significant: Whether `joules` stands above twice its uncertainty; None where idle or the
            uncertainty is not known.
    """

    joules: float | None
    boundary: Boundary
    label: Label
    meter: str = ""
    gross_j: float | None = None
    idle_j: float | None = None
    uncertainty_j: float | None = field(default=None, validator=optional(ge(0)))
    low_j: float | None = None
    high_j: float | None = None
    reliable: bool = True
    granularity: str = "trial"
    flags: tuple[str, ...] = ()
    why: str = ""
    sensor: str = ""
    coverage: tuple[str, ...] = ()
    floor_s: float | None = None
    significant: bool | None = None
