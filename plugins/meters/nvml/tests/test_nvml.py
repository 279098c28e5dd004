import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from attrs import define, field, frozen
from fairtrial.api import Boundary, Host, MachineError, Meter
from fairtrial.conformance import MeterConformance
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_nvml import NvmlMeter
from fairtrial_meter_nvml.library import load


class Refused(Exception):
    pass


@define(kw_only=True)
class Gpu:
    name: str = "NVIDIA A100-SXM4-80GB"
    uuid: str = "GPU-1"
    energy_mj: int | None = 123_456_000_000
    power_mw: int | None = 300_000
    instant_mw: int | None = None
    slices: int = 0


@define(kw_only=True)
class Driver:
    """A driver without hardware, in the library's own spelling."""

    NVMLError = Refused
    NVML_FI_DEV_POWER_INSTANT = 186
    gpus: list[Gpu] = field(factory=lambda: [Gpu()])
    broken: bool = False
    asked: list[tuple[int, int]] = field(factory=list)

    def nvmlInit(self):  # noqa: N802 - the library's spelling
        if self.broken:
            raise Refused("Driver Not Loaded")

    def nvmlShutdown(self):  # noqa: N802 - the library's spelling
        pass

    def nvmlDeviceGetCount(self):  # noqa: N802 - the library's spelling
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, index):  # noqa: N802 - the library's spelling
        return self.gpus[index]

    def nvmlDeviceGetUUID(self, gpu):  # noqa: N802 - the library's spelling
        return gpu.uuid

    def nvmlDeviceGetName(self, gpu):  # noqa: N802 - the library's spelling
        return gpu.name

    def nvmlDeviceGetTotalEnergyConsumption(self, gpu):  # noqa: N802 - the library's spelling
        return self._known(gpu.energy_mj)

    def nvmlDeviceGetPowerUsage(self, gpu):  # noqa: N802 - the library's spelling
        return self._known(gpu.power_mw)

    def nvmlDeviceGetFieldValues(self, gpu, fields):  # noqa: N802 - the library's spelling
        self.asked += fields
        code = 0 if gpu.instant_mw is not None else 3
        return [SimpleNamespace(nvmlReturn=code, value=SimpleNamespace(uiVal=gpu.instant_mw))]

    def nvmlDeviceGetPowerManagementLimitConstraints(self, gpu):  # noqa: N802 - the library's spelling
        return [100_000, 400_000]

    def nvmlDeviceGetMigMode(self, gpu):  # noqa: N802 - the library's spelling
        return [int(gpu.slices > 0), 0]

    def nvmlDeviceGetPersistenceMode(self, gpu):  # noqa: N802 - the library's spelling
        return 1

    def nvmlDeviceGetTemperature(self, gpu, sensor):  # noqa: N802 - the library's spelling
        return 41

    def _known(self, value):
        if value is None:
            raise Refused("Not Supported")
        return value


@frozen(kw_only=True)
class DrivenHost(FakeHost):
    """A host with a driver of its own."""

    driver: Driver = field(factory=Driver)

    def load_nvml(self):
        return self.driver


class TestNvml(MeterConformance):
    entry_point = "nvml"

    @pytest.fixture
    def meter(self) -> Meter:
        return NvmlMeter()

    def host(self, directory: Path) -> Host:
        return DrivenHost.below(directory)


@pytest.fixture
def driven(tmp_path):
    def host(driver):
        return DrivenHost(sysfs=tmp_path, proc=tmp_path, driver=driver)

    return host


@pytest.fixture
def probed(driven):
    def probe(*gpus, **settings):
        return NvmlMeter(**settings).probe(driven(Driver(gpus=list(gpus))))

    return probe


def test_a_gpu_is_a_counter_of_millijoules_named_by_its_uuid(probed) -> None:
    counter, power = probed(Gpu()).counters

    assert ("gpu0", 1000.0, "GPU-1", Boundary.GPU, 600.0) == (
        counter.id,
        counter.microjoules_per_count,
        counter.identity,
        counter.boundary,
        counter.max_watts,
    )
    assert (True, counter.atoms) == (power.is_power, power.atoms)


def test_row_12_a_gpu_without_a_counter_is_unavailable_and_not_zero(probed) -> None:
    probe = probed(Gpu(energy_mj=None, power_mw=None))

    assert () == probe.counters
    assert {"gpu0": "this GPU has no energy counter; those before Volta have none"} == dict(
        probe.unavailable
    )


def test_row_15_the_power_now_and_the_averaged_one_have_different_names(probed, driven) -> None:
    driver = Driver(gpus=[Gpu(instant_mw=250_000), Gpu(name="NVIDIA GH200 480GB", instant_mw=1)])

    ids = [own.id for own in NvmlMeter().probe(driven(driver)).counters]

    assert ["gpu0", "gpu0/power-instant", "gpu1", "gpu1/power-instant"] == ids
    assert {(186, 0), (186, 1)} == set(driver.asked)
    assert "gpu0/power-usage" == probed(Gpu()).counters[1].id


def test_row_16_a_grace_hopper_module_covers_its_processor(probed) -> None:
    counter = probed(Gpu(name="NVIDIA GH200 480GB")).counters[0]

    assert (Boundary.MODULE, {"gpu0", "pkg0", "dram0"}) == (counter.boundary, counter.atoms)


def test_row_17_a_gpu_in_slices_is_one_shared_counter(probed) -> None:
    energies = [own for own in probed(Gpu(slices=2)).counters if not own.is_power]

    assert [("gpu0", True)] == [(own.id, own.is_shared) for own in energies]


def test_only_gpus_that_were_asked_for_are_read(probed) -> None:
    probe = probed(Gpu(uuid="GPU-1"), Gpu(uuid="GPU-2"), gpus=("GPU-2",))

    assert {"GPU-2"} == {own.identity for own in probe.counters}


def test_idle_depends_on_temperature_and_modes(probed) -> None:
    assert {"gpu0.persistence": "1", "gpu0.mig": "0", "gpu0.temperature_c": "41"} == dict(
        probed(Gpu()).conditions
    )


def test_without_a_driver_there_is_a_reason_and_a_way_on(driven) -> None:
    probe = NvmlMeter().probe(driven(Driver(broken=True)))

    assert {
        "nvml": "NVIDIA's driver can't be asked; install the driver, or start the container "
        "with access to the GPUs"
    } == dict(probe.unavailable)


def test_a_gpu_that_falls_off_the_bus_is_left_out_of_the_read(driven) -> None:
    driver = Driver(gpus=[Gpu(), Gpu(uuid="GPU-2")])
    session = NvmlMeter().open(driven(driver))
    driver.gpus[1].energy_mj = driver.gpus[1].power_mw = None

    assert {"gpu0", "gpu0/power-usage"} == {own.counter for own in session.read()}


def test_row_41_a_deprecated_copy_of_the_library_is_refused_by_name(monkeypatch) -> None:
    copy = ModuleType("pynvml")
    copy.__file__ = "somewhere/pynvml.py"
    monkeypatch.setitem(sys.modules, "pynvml", copy)

    with pytest.raises(MachineError) as caught:
        load()

    assert "the module pynvml is a deprecated copy without energy counters" == (
        caught.value.problem
    )
    assert caught.value.way_on.endswith("then install nvidia-ml-py again")


def test_row_41_the_real_library_has_all_that_is_used() -> None:
    names = [name for name in vars(Driver) if name.startswith(("nvml", "NVML"))]

    assert [] == [name for name in names if not hasattr(load(), name)]
