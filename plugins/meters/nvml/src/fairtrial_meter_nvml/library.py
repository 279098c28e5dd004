"""
NVIDIA's management library, by way of the module `pynvml` of the distribution `nvidia-ml-py`.

A distribution that is itself called `pynvml` is deprecated and brings no bindings of its own; old
copies of it do, but without the energy counter.
"""

import importlib
from collections.abc import Sequence
from typing import Protocol, cast, runtime_checkable

from fairtrial.api import MachineError

Handle = object
"""What the library calls a device."""

_NEEDED = ("nvmlDeviceGetTotalEnergyConsumption", "_nvmlGetFunctionPointer")


class FieldValue(Protocol):
    """What a field of a device is."""

    @property
    def nvmlReturn(self) -> int:  # noqa: N802 - the library's spelling
        """0 where the field is there."""

    @property
    def value(self) -> object:
        """A union; `uiVal` holds milliwatts."""


class Nvml(Protocol):
    """The part of the library that is used, in its own spelling."""

    NVMLError: type[Exception]
    NVML_FI_DEV_POWER_INSTANT: int

    def nvmlInit(self) -> None:  # noqa: N802 - the library's spelling
        """Loads the driver's library."""

    def nvmlShutdown(self) -> None:  # noqa: N802 - the library's spelling
        """Lets go of it."""

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802 - the library's spelling
        """Returns how many whole GPUs there are; slices are not among them."""

    def nvmlDeviceGetHandleByIndex(self, index: int) -> Handle:  # noqa: N802 - as above
        """Returns a GPU."""

    def nvmlDeviceGetUUID(self, handle: Handle) -> str:  # noqa: N802 - as above
        """Returns what names the GPU whatever the order."""

    def nvmlDeviceGetName(self, handle: Handle) -> str:  # noqa: N802 - as above
        """Returns the product's name."""

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: Handle) -> int:  # noqa: N802 - as above
        """Returns millijoules since the driver was loaded."""

    def nvmlDeviceGetPowerUsage(self, handle: Handle) -> int:  # noqa: N802 - as above
        """Returns milliwatts; on newer GPUs the mean of a second."""

    def nvmlDeviceGetFieldValues(  # noqa: N802 - as above
        self, handle: Handle, fields: Sequence[tuple[int, int]]
    ) -> Sequence[FieldValue]:
        """Returns fields, each asked for by number and scope."""

    def nvmlDeviceGetPowerManagementLimitConstraints(  # noqa: N802 - as above
        self, handle: Handle
    ) -> Sequence[int]:
        """Returns the least and the most milliwatts that the limit can be set to."""

    def nvmlDeviceGetMigMode(self, handle: Handle) -> Sequence[int]:  # noqa: N802 - as above
        """Returns whether the GPU is cut into slices, now and after a reset."""

    def nvmlDeviceGetPersistenceMode(self, handle: Handle) -> int:  # noqa: N802 - as above
        """Returns whether the driver stays loaded."""

    def nvmlDeviceGetTemperature(self, handle: Handle, sensor: int) -> int:  # noqa: N802 - as above
        """Returns degrees Celsius."""


@runtime_checkable
class NvmlHost(Protocol):
    """A host that brings a library of its own, so that every case runs without a GPU."""

    def load_nvml(self) -> Nvml:
        """Returns the library to use in place of the installed one."""


def load() -> Nvml:
    """
    Imports the library.

    Raises:
        MachineError: It is not installed, or a deprecated copy stands in its place.
    """
    try:
        module = importlib.import_module("pynvml")
    except ImportError as error:
        raise MachineError(
            problem="the module pynvml is not installed",
            facts=(("because", str(error)),),
            way_on="install nvidia-ml-py",
        ) from error
    lacking = [name for name in _NEEDED if not hasattr(module, name)]
    if lacking:
        raise MachineError(
            problem="the module pynvml is a deprecated copy without energy counters",
            facts=(("found at", str(module.__file__)), ("it lacks", ", ".join(lacking))),
            way_on="uninstall the distribution pynvml, then install nvidia-ml-py again",
        )
    return cast("Nvml", module)
