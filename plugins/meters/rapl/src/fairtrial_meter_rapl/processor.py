"""
How a processor comes by its figures, which is not the same for all that have RAPL counters.

Intel since Haswell measures the package at the voltage regulator (Hackenberg et al., "An Energy
Efficiency Feature Survey of the Intel Haswell Processor", 2015). Before that, and on AMD Zen
(Schöne et al., "Energy Efficiency Aspects of the AMD Zen 2 Architecture", 2021), a model counts.
Where SGX is on, Intel blurs the values (advisory SA-00389).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fairtrial.api import Label

if TYPE_CHECKING:
    from pathlib import Path  # takes longer to import than the whole of this package

_BEFORE_HASWELL = frozenset({0x2A, 0x2D, 0x3A, 0x3E})
_ATOMS_THAT_MODEL = frozenset({0x37, 0x4A, 0x4C, 0x4D, 0x5A, 0x5D})
_FAMILY_WITH_MODELS = 6


class Processor(NamedTuple):
    """
    What `/proc/cpuinfo` says of the first CPU.

    Attributes:
        vendor: Such as `GenuineIntel`; empty where not known.
        family: The vendor's family number.
        model: The model number.
        features: The flags.
    """

    vendor: str = ""
    family: int = 0
    model: int = 0
    features: frozenset[str] = frozenset()

    @property
    def is_virtual(self) -> bool:
        """Whether this is a virtual machine, which has no counters of its own."""
        return "hypervisor" in self.features

    def source(self, zone: str) -> tuple[Label, str]:
        """Returns label and sensor of a zone's counter."""
        if zone.startswith("dram"):
            return Label.MODEL_BASED, "dram-model"
        if zone == "psys" or not self._measures_packages():
            return Label.MODEL_BASED, "smu-model"
        if "sgx" in self.features:
            return Label.MODEL_BASED, "filtered-telemetry"
        return Label.HARDWARE_SHUNT, "vr-telemetry"

    def _measures_packages(self) -> bool:
        if self.vendor != "GenuineIntel":
            return False
        if self.family != _FAMILY_WITH_MODELS:
            return self.family > _FAMILY_WITH_MODELS
        return self.model not in _BEFORE_HASWELL | _ATOMS_THAT_MODEL


def processor(proc: Path) -> Processor:
    """Reads what the processor is; one that can't be read is believed to model."""
    try:
        lines = (proc / "cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return Processor()
    facts: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    return Processor(
        vendor=facts.get("vendor_id", ""),
        family=_number(facts.get("cpu family", "")),
        model=_number(facts.get("model", "")),
        features=frozenset(facts.get("flags", "").split()),
    )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
