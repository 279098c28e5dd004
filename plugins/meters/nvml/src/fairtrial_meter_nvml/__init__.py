"""A meter for fairtrial: the energy counters of NVIDIA GPUs."""

import contextlib
from collections.abc import Sequence

from attrs import define, frozen
from fairtrial.api import (
    Counter,
    Host,
    MachineError,
    Meter,
    MeterSession,
    Probe,
    RawReading,
)

from fairtrial_meter_nvml.devices import Found, Source, find
from fairtrial_meter_nvml.library import Nvml, NvmlHost, load

__all__ = ["NvmlMeter", "NvmlSession"]


@frozen(kw_only=True)
class NvmlMeter:
    """
    Reads the energy counter of each GPU, and its power where the driver tells it.

    Attributes:
        gpus: UUIDs of the GPUs to read, as `nvidia-smi -L` lists them; empty for all. Indices are
            no names: CUDA_VISIBLE_DEVICES changes their order.
    """

    gpus: tuple[str, ...] = ()

    def probe(self, host: Host, /) -> Probe:
        """Says which GPUs can be read, and what stands against it."""
        try:
            nvml = _started(host)
        except MachineError as error:
            return Probe(unavailable={"nvml": f"{error.problem}; {error.way_on}"})
        try:
            found = self._found(nvml)
        finally:
            _ended(nvml)
        return Probe(
            counters=tuple(source.counter for source in found.sources),
            unavailable=found.unavailable,
            conditions=found.conditions,
        )

    def open(self, host: Host, /) -> MeterSession:
        """
        Opens the GPUs' counters.

        Raises:
            MachineError: There is no driver, or no GPU with a counter.
        """
        nvml = _started(host)
        found = self._found(nvml)
        if not found.sources:
            _ended(nvml)
            raise MachineError(
                problem="no GPU has an energy counter to read",
                facts=tuple(found.unavailable.items()),
                way_on="where a line above names a way, take it; else use another meter",
            )
        return NvmlSession(host=host, nvml=nvml, sources=found.sources)

    def _found(self, nvml: Nvml) -> Found:
        try:
            found = find(nvml, self.gpus)
        except nvml.NVMLError as error:
            return Found(unavailable={"nvml": f"the driver says: {error}"})
        if found.sources or found.unavailable:
            return found
        return Found(unavailable={"nvml": "the driver shows no GPU of those asked for"})


@define(kw_only=True, eq=False)
class NvmlSession:
    """
    GPUs held open.

    Attributes:
        host: Whose clock dates the readings.
        nvml: The library, initialised.
        sources: What is read.
    """

    host: Host
    nvml: Nvml | None
    sources: tuple[Source, ...]

    @property
    def counters(self) -> tuple[Counter, ...]:
        """What is read."""
        return tuple(source.counter for source in self.sources)

    def read(self) -> Sequence[RawReading]:
        """Reads every counter; one that the driver refuses this time is left out."""
        nvml = self.nvml
        if nvml is None:
            return ()
        clock = self.host.monotonic_ns
        found = []
        for source in self.sources:
            before_ns = clock()
            with contextlib.suppress(nvml.NVMLError):
                count = source.read()
                name = source.counter.id
                found.append(
                    RawReading(counter=name, count=count, before_ns=before_ns, after_ns=clock())
                )
        return found

    def close(self) -> None:
        """Lets go of the library; may be called twice."""
        nvml, self.nvml = self.nvml, None
        if nvml is not None:
            _ended(nvml)


def _started(host: Host) -> Nvml:
    nvml = host.load_nvml() if isinstance(host, NvmlHost) else load()
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        raise MachineError(
            problem="NVIDIA's driver can't be asked",
            facts=(("because", str(error)),),
            way_on="install the driver, or start the container with access to the GPUs",
        ) from error
    return nvml


def _ended(nvml: Nvml) -> None:
    with contextlib.suppress(nvml.NVMLError):
        nvml.nvmlShutdown()


_: type[Meter] = NvmlMeter
