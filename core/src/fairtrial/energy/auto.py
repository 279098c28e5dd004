"""
Which meters a run uses, where it leaves the choice to the machine.

`auto` takes what can really be read and, where nothing covers the host, the estimate; `measured`
takes only what can be read. Both are words of the config, like the control arms: no plugin can
have their names.
"""

from collections.abc import Collection, Mapping, Sequence

from attrs import field, frozen

from fairtrial.api.errors import ConfigError, MachineError
from fairtrial.api.meter import Host, Meter
from fairtrial.api.reading import Boundary, Probe
from fairtrial.energy.guard import GuardedMeter
from fairtrial.energy.labels import MEASURED

AUTO = "auto"
MEASURED_ONLY = "measured"
RESERVED = (AUTO, MEASURED_ONLY)
"""Names in `run.meters` that are no plugins."""

COUNTERS = ("rapl", "nvml", "apple")
"""Meters that `auto` and `measured` look for, where they are installed."""

ESTIMATE = "estimator"
"""The meter that `auto` falls back on."""

_HOSTS = frozenset({Boundary.HOST, Boundary.MODULE, Boundary.WALL})


@frozen(kw_only=True)
class Choice:
    """
    The meters of a run, and why these.

    Attributes:
        meters: By name, in the order of the config.
        notes: One line a decision, for a reader.
        probes: What each meter that was looked at can read.
    """

    meters: Mapping[str, Meter]
    notes: tuple[str, ...] = ()
    probes: Mapping[str, Probe] = field(factory=dict)


def candidates(asked: Sequence[str], installed: Collection[str]) -> tuple[str, ...]:
    """
    Returns the names of the plugins to load for what a config asks for.

    Args:
        asked: `run.meters` as written.
        installed: Names of the meter plugins that are installed.
    """
    found: dict[str, None] = {}
    for name in asked:
        if name not in RESERVED:
            found[name] = None
            continue
        offered = (*COUNTERS, ESTIMATE) if name == AUTO else COUNTERS
        found |= dict.fromkeys(offer for offer in offered if offer in installed)
    return tuple(found)


def choose(asked: Sequence[str], meters: Mapping[str, Meter], host: Host) -> Choice:
    """
    Decides which meters a run uses.

    Args:
        asked: `run.meters` as written; none is no meter.
        meters: The plugins that `candidates` named, built.
        host: Where they look.

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
            picked = _picked(name, probes, guarded)
            chosen |= {own: meters[own] for own in picked}
            if name in RESERVED:
                notes += _notes(name, picked, probes)
    finally:
        for meter in guarded.values():
            meter.close()
    return Choice(meters=chosen, notes=tuple(notes), probes=probes)


def _picked(
    name: str, probes: Mapping[str, Probe], guarded: Mapping[str, GuardedMeter]
) -> Sequence[str]:
    if name not in RESERVED:
        if not probes[name].counters:
            _refuse_wrong_setting(guarded[name])
            raise _missing(f"meter “{name}” has no counter to read here", {name: probes[name]})
        return [name]
    readable = [own for own in COUNTERS if own in probes and _measures(probes[own])]
    if name == MEASURED_ONLY:
        if not readable:
            tried = {own: probes[own] for own in COUNTERS if own in probes}
            raise _missing("“measured” was asked for, and no counter can be read here", tried)
        return readable
    if any(_covers_host(probes[own]) for own in readable) or ESTIMATE not in probes:
        return readable
    if not probes[ESTIMATE].counters:
        _refuse_wrong_setting(guarded[ESTIMATE])
        return readable
    return [*readable, ESTIMATE]


def _refuse_wrong_setting(meter: GuardedMeter) -> None:
    """Raises what a meter without a counter says of a setting; another reason is the machine's."""
    meter.open()
    if isinstance(meter.refused, ConfigError):
        raise meter.refused


def _measures(probe: Probe) -> bool:
    return any(own.label in MEASURED and not own.is_cpu_time for own in probe.counters)


def _covers_host(probe: Probe) -> bool:
    return any(own.boundary in _HOSTS and own.label in MEASURED for own in probe.counters)


def _notes(name: str, picked: Sequence[str], probes: Mapping[str, Probe]) -> Sequence[str]:
    """Says what was taken and what was not, each with the reason."""
    lines = []
    for own in picked:
        read = ", ".join(counter.id for counter in probes[own].counters)
        label = ", ".join(sorted({counter.label.value for counter in probes[own].counters}))
        lines.append(f"{name}: {own} reads {read} ({label})")
    if not picked:
        lacks = "" if ESTIMATE in probes else " and no estimate is installed"
        lines.append(f"{name}: nothing can be read{lacks}")
    for own in (*COUNTERS, ESTIMATE):
        if own in probes and own not in picked:
            why = "; ".join(probes[own].unavailable.values())
            lines.append(f"{name}: not {own}: {why or 'a counter covers the host'}")
    return lines


def _missing(problem: str, tried: Mapping[str, Probe]) -> MachineError:
    facts = tuple((name, "; ".join(probe.unavailable.values())) for name, probe in tried.items())
    return MachineError(
        problem=problem,
        facts=facts or (("looked for", ", ".join(COUNTERS)),),
        way_on='do as the lines above say, or write meters = ["auto"] to fall back on an estimate',
    )
