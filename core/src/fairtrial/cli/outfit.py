"""What fairtrial itself has here: plugins that can be loaded, sandboxes, meters."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from fairtrial.api import FairtrialError, Meter, Probe
from fairtrial.cli.health import Health
from fairtrial.energy.host import ThisHost
from fairtrial.registry import load, scan

_NEEDED = frozenset(
    {("suite", "folder"), ("reporter", "table"), ("answerer", "prefer"), ("sandbox", "local")}
)
"""Plugins of a first run, by kind and name."""

_NAMESPACES = (
    ("sys/kernel/unprivileged_userns_clone", "1"),
    ("sys/kernel/apparmor_restrict_unprivileged_userns", "0"),
)
"""Files of /proc, and what stands in them where any user may make a namespace."""


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


def sandboxes(proc: Path = Path("/proc")) -> Iterator[Health]:
    """
    Looks for what fences are made of.

    Args:
        proc: Where the kernel shows its settings.
    """
    bwrap = shutil.which("bwrap")
    yield Health(
        group="sandbox",
        name="bwrap",
        here=bwrap is not None,
        found=bwrap or "not found on PATH",
        weaker="attempts are kept apart but not fenced in: they can read what you can",
        way_on="install bubblewrap",
    )
    because = _no_namespaces(proc)
    yield Health(
        group="sandbox",
        name="user namespaces",
        here=not because,
        found=because or "may be made by any user",
        weaker="bwrap can't fence attempts in",
        way_on="let unprivileged users make namespaces (a setting of the kernel)",
    )
    docker = shutil.which("docker")
    socket = Path("/var/run/docker.sock")
    reachable = docker is not None and os.access(socket, os.R_OK | os.W_OK)
    yield Health(
        group="sandbox",
        name="docker",
        here=reachable,
        found="not found on PATH"
        if docker is None
        else docker
        if reachable
        else f"{docker}, but its socket can't be used",
        weaker="suites whose tasks are container images can't be run",
        way_on="install Docker, and let this user use its socket",
    )


def meters() -> Iterator[Health]:
    """Probes every installed meter."""
    for each in scan().of("meter"):
        try:
            cls = load("meter", each.name, asked_in="fairtrial doctor")
            probe = cast("Meter", cls()).probe(ThisHost())
        except FairtrialError:
            # A meter that can't be loaded is told among the plugins.
            continue
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything, and must not here
            probe = Probe(unavailable={each.name: f"{type(error).__name__}: {error}"})
        counters = ", ".join(counter.id for counter in probe.counters)
        whys = "; ".join(f"{what}: {why}" for what, why in probe.unavailable.items())
        yield Health(
            group="meter",
            name=f"counters of {each.name}",
            here=bool(probe.counters),
            found=counters or whys or "nothing to read",
            weaker="joules are estimated, or not known",
        )


def _no_namespaces(proc: Path) -> str:
    """Says why unprivileged users can't make namespaces; empty where they can."""
    for name, wanted in _NAMESPACES:
        try:
            value = (proc / name).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
        if value != wanted:
            return f"/proc/{name} is {value}"
    try:
        most = (proc / "sys/user/max_user_namespaces").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return "this kernel has none, as far as can be told"
    return "/proc/sys/user/max_user_namespaces is 0" if most == "0" else ""
