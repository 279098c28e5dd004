"""Facts for the first receipt: which machine, and which code."""

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from fairtrial.api.meter import Host, Meter
from fairtrial.energy.boot import boot_id


def host_facts(host: Host) -> Mapping[str, str]:
    """Returns boot id, kernel and CPU, where they can be read."""
    facts = {"kernel": f"{platform.system()} {platform.release()}", "machine": platform.machine()}
    boot = boot_id(host)
    if boot:
        facts["boot_id"] = boot
    try:
        lines = (host.proc / "cpuinfo").read_text().splitlines()
    except (OSError, ValueError):
        return facts
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {**facts, "cpu": next(models, "")}


def package_hashes(meters: Iterable[Meter]) -> Mapping[str, str]:
    """
    Returns version and content hash of the core and of each meter's distribution.

    The hash is of the list of files that the installer wrote (`RECORD`), which holds a hash of
    each file.
    """
    names = ["fairtrial-core", *map(_package, meters)]
    return dict(_hashes(dict.fromkeys(names)))


def package_names(meters: Mapping[str, Meter]) -> Mapping[str, str]:
    """Returns the distribution of each meter, by the meter's name in the config."""
    return {name: _package(meter) for name, meter in meters.items()}


def _package(meter: Meter) -> str:
    return type(meter).__module__.partition(".")[0].replace("_", "-")


def _hashes(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        try:
            found: Distribution = distribution(name)
        except PackageNotFoundError:
            continue
        content = (found.read_text("RECORD") or "").encode()
        yield name, f"{found.version} sha256:{hashlib.sha256(content).hexdigest()}"
