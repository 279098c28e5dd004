"""
GPUs as counters.

The energy counter is the whole board's, or on Grace Hopper the whole module's with its CPU. A GPU
that is cut into slices (MIG) has one counter for all of them, so the GPU is counted once and marked
as shared.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from fairtrial.api import Boundary, Counter, Label

from fairtrial_meter_nvml.library import Handle, Nvml

T = TypeVar("T")

UPDATE_S = 0.1
"""The slowest update of an energy counter that is published for GPUs since Volta."""

_MODULE = re.compile(r"\bG[HB]\d00\b|Grace")
_WIDEST = 2**64 - 1
"""The energy counter is as wide and never gets there: a step back is a driver loaded again."""
_SCOPE_GPU, _SCOPE_MODULE = 0, 1


class Source(NamedTuple):
    """A counter and how to read it."""

    counter: Counter
    read: Callable[[], int]


class Found(NamedTuple):
    """What the library shows: counters, what can't be read, and what idle depends on."""

    sources: tuple[Source, ...] = ()
    unavailable: Mapping[str, str] = MappingProxyType({})
    conditions: Mapping[str, str] = MappingProxyType({})


def find(nvml: Nvml, wanted: Sequence[str]) -> Found:
    """
    Lists counters of GPUs.

    Args:
        nvml: The library, initialised.
        wanted: UUIDs of GPUs; none for all.
    """
    sources: list[Source] = []
    unavailable: dict[str, str] = {}
    conditions: dict[str, str] = {}
    for index in range(nvml.nvmlDeviceGetCount()):
        name = f"gpu{index}"
        try:
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
            uuid = _text(nvml.nvmlDeviceGetUUID(handle))
            if wanted and uuid not in wanted:
                continue
            own = _sources(nvml, handle, index, uuid)
        except nvml.NVMLError as error:
            unavailable[name] = f"the driver says: {error}"
            continue
        sources += own
        if not any(not source.counter.is_power for source in own):
            unavailable[name] = "this GPU has no energy counter; those before Volta have none"
        conditions |= _conditions(nvml, handle, name)
    return Found(sources=tuple(sources), unavailable=unavailable, conditions=conditions)


def _sources(nvml: Nvml, handle: Handle, index: int, uuid: str) -> list[Source]:
    """Returns a GPU's counter of energy and its power, whichever can be read."""
    is_module = bool(_MODULE.search(_text(nvml.nvmlDeviceGetName(handle))))
    grace = {f"pkg{index}", f"dram{index}"} if is_module else set()
    limits = _try(nvml, lambda: nvml.nvmlDeviceGetPowerManagementLimitConstraints(handle))
    mig = _try(nvml, lambda: nvml.nvmlDeviceGetMigMode(handle))

    def counter(name: str, *, is_power: bool) -> Counter:
        return Counter(
            id=name,
            microjoules_per_count=1000.0,
            modulus=None if is_power else _WIDEST,
            atoms=frozenset({f"gpu{index}", *grace}),
            label=Label.HARDWARE_SHUNT,
            boundary=Boundary.MODULE if is_module else Boundary.GPU,
            sensor="shunt",
            update_s=UPDATE_S,
            max_watts=1.5 * limits[1] / 1000 if limits and limits[1] > 0 else None,
            identity=uuid,
            is_power=is_power,
            is_shared=bool(mig and mig[0]),
        )

    found = []
    if _try(nvml, lambda: nvml.nvmlDeviceGetTotalEnergyConsumption(handle)) is not None:
        energy = counter(f"gpu{index}", is_power=False)
        found.append(
            Source(counter=energy, read=lambda: nvml.nvmlDeviceGetTotalEnergyConsumption(handle))
        )
    scope = _SCOPE_MODULE if is_module else _SCOPE_GPU
    if _try(nvml, lambda: _instant_mw(nvml, handle, scope)) is not None:
        power = counter(f"gpu{index}/power-instant", is_power=True)
        found.append(Source(counter=power, read=lambda: _instant_mw(nvml, handle, scope)))
    elif not is_module and _try(nvml, lambda: nvml.nvmlDeviceGetPowerUsage(handle)) is not None:
        power = counter(f"gpu{index}/power-usage", is_power=True)
        found.append(Source(counter=power, read=lambda: nvml.nvmlDeviceGetPowerUsage(handle)))
    return found


def _instant_mw(nvml: Nvml, handle: Handle, scope: int) -> int:
    """Returns the power now, of the GPU or of its module; the average field is another one."""
    (found,) = nvml.nvmlDeviceGetFieldValues(handle, [(nvml.NVML_FI_DEV_POWER_INSTANT, scope)])
    if found.nvmlReturn != 0:
        raise nvml.NVMLError(found.nvmlReturn)
    return int(getattr(found.value, "uiVal"))  # noqa: B009 - a member of a C union


def _conditions(nvml: Nvml, handle: Handle, name: str) -> Iterator[tuple[str, str]]:
    asked: Mapping[str, Callable[[], object]] = {
        "persistence": lambda: nvml.nvmlDeviceGetPersistenceMode(handle),
        "mig": lambda: nvml.nvmlDeviceGetMigMode(handle)[0],
        "temperature_c": lambda: nvml.nvmlDeviceGetTemperature(handle, 0),
    }
    for what, ask in asked.items():
        answer = _try(nvml, ask)
        if answer is not None:
            yield f"{name}.{what}", str(answer)


def _try(nvml: Nvml, ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except nvml.NVMLError:
        return None


def _text(text: str | bytes) -> str:
    return text.decode() if isinstance(text, bytes) else text
