"""
Which meters a run uses, where it leaves the choice to the machine.

`auto` takes what can really be read and, where nothing covers the host, an estimate; `measured`
takes only what can be read. Both are words of the config, like the control arms: no plugin can
have their names. They look at the meters that are known here, and at those that the config has a
table for.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import field, frozen

from fairtrial.api.errors import ConfigError, MachineError
from fairtrial.api.meter import Host, Meter
from fairtrial.api.reading import Boundary, Label, Probe
from fairtrial.energy.guard import GuardedMeter
from fairtrial.energy.labels import MEASURED
from fairtrial.energy.reasons import VIRTUALISED, worded

AUTO = "auto"
MEASURED_ONLY = "measured"
RESERVED = (AUTO, MEASURED_ONLY)
"""Names in `run.meters` that are no plugins."""

COUNTERS = ("rapl", "nvml", "apple")
"""Meters that `auto` and `measured` look for, where they are installed."""

ESTIMATE = "estimator"
"""The meter that `auto` falls back on, unless the config has a table for another estimate."""

ESTIMATED = f'write meters = ["{AUTO}"] for an estimate'
"""The last way on where no counter can be read."""

_HOSTS = frozenset({Boundary.HOST, Boundary.MODULE, Boundary.WALL})


@frozen(kw_only=True)
class Choice:
    """
    The meters of a run, and why these.

    Attributes:
        meters: By name, in the order of the config.
        notes: One line a decision, for a reader.
        probes: What each meter that was looked at can read.
        estimate: The meter by which `auto` estimates the host, for want of a counter; empty for
            none.
    """

    meters: Mapping[str, Meter]
    notes: tuple[str, ...] = ()
    probes: Mapping[str, Probe] = field(factory=dict)
    estimate: str = ""

    @property
    def searched(self) -> tuple[str, ...]:
        """The meters in which a counter of joules was looked for; those that estimate have none."""
        return tuple(
            own for own, probe in self.probes.items() if not probe.counters or _measures(probe)
        )


def candidates(
    asked: Sequence[str], installed: Collection[str], tables: Mapping[str, str]
) -> tuple[str, ...]:
    """
    Returns the names of the meters to build for what a config asks for.

    Args:
        asked: `run.meters` as written.
        installed: Names of the meter plugins that are installed.
        tables: The plugin of each table `[meters.*]`, by the table's name. Such a table stands for
            its plugin: that is not looked at as it is besides.
    """
    plain = {own for own in installed if own not in tables.values()}
    found: dict[str, None] = {}
    for name in asked:
        if name not in RESERVED:
            found[name] = None
            continue
        last = (ESTIMATE,) if name == AUTO else ()
        written = (own for own, plugin in tables.items() if last or plugin != ESTIMATE)
        found |= dict.fromkeys(own for own in COUNTERS if own in plain)
        found |= dict.fromkeys(written)
        found |= dict.fromkeys(own for own in last if own in plain)
    return tuple(found)


def choose(
    asked: Sequence[str], meters: Mapping[str, Meter], host: Host, *, otherwise: str = ESTIMATED
) -> Choice:
    """
    Decides which meters a run uses.

    Args:
        asked: `run.meters` as written; none is no meter.
        meters: The meters that `candidates` named, built, in that order.
        host: Where they look.
        otherwise: What an error advises where no counter can be had.

    Returns:
        The meters that have a counter, and what was decided.

    Raises:
        ConfigError: A meter that is needed refuses what a person set, such as a variable.
        MachineError: A meter that was asked for by name, or `measured`, has no counter here.
    """
    guarded = {
        name: GuardedMeter(name=name, meter=meter, host=host) for name, meter in meters.items()
    }
    probes = {name: meter.probe() for name, meter in guarded.items()}
    chosen: dict[str, Meter] = {}
    notes: list[str] = []
    try:
        for name in asked:
            _refuse_without_counter(name, probes, guarded, otherwise)
            picked = _picked(name, asked, probes, guarded)
            chosen |= {own: meters[own] for own in picked}
            if name in RESERVED:
                notes += _notes(name, picked, {*asked}, probes)
    finally:
        for meter in guarded.values():
            meter.close()
    fallen = (own for own in chosen if own not in asked and not _measures(probes[own]))
    return Choice(meters=chosen, notes=tuple(notes), probes=probes, estimate=next(fallen, ""))


def doing(probe: Probe) -> str:
    """Says what a meter does with what it has: reads counters, estimates, or shares out."""
    joules = [own for own in probe.counters if not own.is_cpu_time]
    counted = [own for own in joules if own.label in MEASURED]
    guessed = [own for own in joules if own.label not in MEASURED]
    parts = []
    if counted:
        labels = ", ".join(sorted({own.label.value for own in counted}))
        parts.append(f"reads {', '.join(own.id for own in counted)} ({labels})")
    parts += [f"estimates {own.boundary.value} ({own.sensor})" for own in guessed]
    if len(joules) < len(probe.counters):
        parts.append("reads CPU time, to share joules out")
    return ", ".join(parts) or "reads nothing"


def _picked(
    name: str,
    asked: Sequence[str],
    probes: Mapping[str, Probe],
    guarded: Mapping[str, GuardedMeter],
) -> Sequence[str]:
    if name not in RESERVED:
        return [name]
    readable = [own for own in probes if _measures(probes[own])]
    if name == MEASURED_ONLY:
        return readable
    if any(_covers_host(probes[own]) for own in readable):
        return readable
    return [*readable, *_estimate(asked, probes, guarded)]


def _estimate(
    asked: Sequence[str], probes: Mapping[str, Probe], guarded: Mapping[str, GuardedMeter]
) -> Sequence[str]:
    """Returns the meter that estimates the host, if one does; one named besides comes first."""
    estimates = [own for own in probes if _estimates_host(probes[own])]
    if estimates:
        return [min(estimates, key=lambda own: own not in asked)]
    for own in probes:
        if not probes[own].counters:
            _refuse_wrong_setting(guarded[own])
    return []


def _refuse_without_counter(
    name: str, probes: Mapping[str, Probe], guarded: Mapping[str, GuardedMeter], otherwise: str
) -> None:
    """Raises where a name of `run.meters` asks for a counter, and there is none."""
    if name == MEASURED_ONLY and not any(map(_measures, probes.values())):
        problem = "“measured” was asked for, and no counter can be read here"
        raise _missing(problem, probes, otherwise)
    if name not in RESERVED and not probes[name].counters:
        _refuse_wrong_setting(guarded[name])
        problem = f"meter “{name}” has no counter to read here"
        raise _missing(problem, {name: probes[name]}, otherwise)


def _refuse_wrong_setting(meter: GuardedMeter) -> None:
    """Raises what a meter without a counter says of a setting; another reason is the machine's."""
    meter.open()
    if isinstance(meter.refused, ConfigError):
        raise meter.refused


def _measures(probe: Probe) -> bool:
    return any(own.label in MEASURED and not own.is_cpu_time for own in probe.counters)


def _covers_host(probe: Probe) -> bool:
    return any(own.boundary in _HOSTS and own.label in MEASURED for own in probe.counters)


def _estimates_host(probe: Probe) -> bool:
    return any(
        own.boundary in _HOSTS and own.label is Label.ESTIMATOR and not own.is_cpu_time
        for own in probe.counters
    )


def _notes(
    name: str, picked: Sequence[str], asked: Collection[str], probes: Mapping[str, Probe]
) -> Iterator[str]:
    """Says what was taken and what was not, each with the reason."""
    for own in picked:
        yield f"{name}: {own} {doing(probes[own])}"
    if not picked:
        lacks = "" if ESTIMATE in probes else " and no estimate is installed"
        yield f"{name}: nothing can be read{lacks}"
    for own, probe in probes.items():
        if own not in picked and own not in asked:
            yield f"{name}: not {own}: {_why_not(probe, [probes[each] for each in picked])}"


def _why_not(probe: Probe, taken: Sequence[Probe] = ()) -> str:
    """Says why `auto` or `measured` leaves a meter out."""
    if probe.unavailable or not probe.counters:
        return worded("; ".join(probe.unavailable.values())) or "it has no counter"
    if all(own.is_cpu_time for own in probe.counters):
        return "it shares joules out, for which it must be named in [run] meters itself"
    if any(_covers_host(each) for each in taken):
        return "a counter covers the host"
    if any(_estimates_host(each) for each in taken):
        return "another estimate was taken"
    return "it estimates"


def _missing(problem: str, tried: Mapping[str, Probe], otherwise: str) -> MachineError:
    facts = tuple((name, _why_not(probe)) for name, probe in tried.items())
    return MachineError(
        problem=problem,
        facts=facts or (("looked for", ", ".join(COUNTERS)),),
        way_on=_way_on(tried.values(), otherwise),
    )


def _way_on(tried: Collection[Probe], otherwise: str) -> str:
    """Says what can be done, by what was found: the hardware of a virtual machine is elsewhere."""
    whys = [why for probe in tried for why in probe.unavailable.values()]
    virtual = [why for why in whys if why.startswith(VIRTUALISED)]
    outside = "run outside of the virtual machine, or " if virtual else ""
    given = "where a line above names a way, take it; else " if len(whys) > len(virtual) else ""
    return f"{given}{outside}{otherwise}"
