"""What a machine's idle power depends on, as far as its files tell without asking anybody."""

from collections.abc import Iterator, Mapping

from fairtrial.api.meter import Host
from fairtrial.energy.boot import boot_id

_FILES = {
    "governor": "devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "no_turbo": "devices/system/cpu/intel_pstate/no_turbo",
    "boost": "devices/system/cpu/cpufreq/boost",
}
_POWER_LIMITS = (
    "class/powercap/*/constraint_0_power_limit_uw",
    "devices/virtual/powercap/*/*/constraint_0_power_limit_uw",
)
"""Both layouts of the power capping framework; numbers of zones mean nothing, so all are read."""


def conditions(host: Host) -> Mapping[str, str]:
    """Returns boot id, governor, turbo, power limit and mains power, where they can be read."""
    return dict(_read(host))


def _read(host: Host) -> Iterator[tuple[str, str]]:
    boot = boot_id(host)
    if boot:
        yield "boot_id", boot
    places = {name: host.sysfs / path for name, path in _FILES.items()}
    for pattern in _POWER_LIMITS:
        found = sorted(host.sysfs.glob(pattern))
        places |= {f"power_limit_uw.{place.parent.name}": place for place in found}
    for name, place in places.items():
        try:
            text = place.read_text().strip()
        except (OSError, ValueError):
            continue
        if text:
            yield name, text
    yield from _mains(host)


def _mains(host: Host) -> Iterator[tuple[str, str]]:
    try:
        for supply in sorted((host.sysfs / "class" / "power_supply").iterdir()):
            online = supply / "online"
            if online.is_file():
                yield f"mains.{supply.name}", online.read_text().strip()
    except (OSError, ValueError):
        return
