"""What fairtrial itself has here: plugins that can be loaded, meters."""

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from typing import cast

from fairtrial.api import FairtrialError, Meter, Probe
from fairtrial.cli.health import Health
from fairtrial.energy.auto import doing
from fairtrial.energy.host import ThisHost
from fairtrial.energy.probing import ask
from fairtrial.registry import load, scan
from fairtrial.serial import structure

_NEEDED = frozenset(
    {("suite", "folder"), ("reporter", "table"), ("answerer", "prefer"), ("sandbox", "local")}
)
"""Plugins of a first run, by kind and name."""


def plugins() -> Iterator[Health]:
    """Loads every installed plugin; a broken one is told with its reason."""
    installed = scan()
    present = {(each.kind, each.name) for each in installed.plugins}
    for kind, name in sorted(_NEEDED - present):
        yield Health(
            group="plugin",
            name=f"{kind} {name}",
            here=False,
            found="not installed",
            needed=True,
            way_on="reinstall fairtrial with its default plugins",
        )
    for each in installed.plugins:
        try:
            load(each.kind, each.name, asked_in="fairtrial doctor", installed=installed)
            because = ""
        except FairtrialError as error:
            because = dict(error.facts).get("because", error.problem)
        yield Health(
            group="plugin",
            name=f"{each.kind} {each.name}",
            here=not because,
            found=because or each.provider,
            needed=(each.kind, each.name) in _NEEDED,
            weaker="configs that name it can't be run",
            way_on=f"reinstall {each.distribution} with its dependencies",
        )
    for damaged in installed.damaged:
        yield Health(
            group="plugin",
            name=damaged.distribution,
            here=False,
            found=damaged.because,
            weaker="its plugins, if it has any, can't be found",
            way_on="reinstall that distribution",
        )


def meters() -> Iterator[Health]:
    """Probes every installed meter and reads it once; whatever it does wrong is told."""
    for each in scan().of("meter"):
        try:
            cls = load("meter", each.name, asked_in="fairtrial doctor")
        except FairtrialError:
            # A meter that can't be loaded is told among the plugins.
            continue
        try:
            meter = cast("Meter", structure(cls, {}, where=f"[meters.{each.name}]"))
            probe, faults = ask(each.name, meter, ThisHost())
        except FairtrialError as error:
            # Such as a key without a default: it is nothing that the machine lacks.
            probe, faults = Probe(unavailable={each.name: error.problem}), ()
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything when it is made
            probe, faults = Probe(unavailable={each.name: f"{type(error).__name__}: {error}"}), ()
        yield Health(
            group="meter",
            name=f"joules by {each.name}",
            here=bool(probe.counters) and not faults,
            found="; ".join(_found(each.name, probe, faults)) or "nothing to read",
            weaker="what it would read is estimated, or not known",
        )


def deprecated() -> Iterator[Health]:
    """Tells of an installed distribution that stands in another one's way; nothing without one."""
    try:
        found = distribution("pynvml").version
    except PackageNotFoundError:
        return
    yield Health(
        group="meter",
        name="pynvml from nvidia-ml-py",
        here=False,
        found=f"the deprecated distribution pynvml {found} is installed",
        weaker="each start of Python that imports it warns, and an old copy reads no energy",
        way_on="uninstall the distribution pynvml, then install nvidia-ml-py again",
    )


def _found(name: str, probe: Probe, faults: Sequence[str]) -> Iterator[str]:
    if probe.counters:
        yield doing(probe)
    yield from faults
    for what, why in probe.unavailable.items():
        yield why if what == name else f"{what}: {why}"
