"""What other tools got wrong with GPUs, chips and shared machines, one test a row."""

import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import define, field, frozen
from fairtrial.api import Boundary, Label
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger
from fairtrial.energy.probing import look
from fairtrial_meter_apple import AppleMeter
from fairtrial_meter_apple.channels import Channel
from fairtrial_meter_cgroup import CgroupMeter
from fairtrial_meter_nvml import NvmlMeter
from fairtrial_meter_rapl import RaplMeter

BUSY_S = 0.2


class RefusedError(Exception):
    pass


@define(kw_only=True)
class Gpu:
    """One GPU of a driver made of numbers; its methods are found by name."""

    name: str = "NVIDIA A100"
    energy_mj: int = 10**9
    power_mw: int = 100_000
    slices: int = 0


@define(kw_only=True)
class Driver:
    NVMLError = RefusedError
    NVML_FI_DEV_POWER_INSTANT = 186
    gpus: list[Gpu] = field(factory=lambda: [Gpu()])

    def __getattr__(self, name):
        answers = {
            "nvmlInit": lambda: None,
            "nvmlShutdown": lambda: None,
            "nvmlDeviceGetCount": lambda: len(self.gpus),
            "nvmlDeviceGetHandleByIndex": lambda index: self.gpus[index],
            "nvmlDeviceGetUUID": lambda gpu: f"GPU-{self.gpus.index(gpu)}",
            "nvmlDeviceGetName": lambda gpu: gpu.name,
            "nvmlDeviceGetTotalEnergyConsumption": lambda gpu: gpu.energy_mj,
            "nvmlDeviceGetFieldValues": lambda gpu, _: [
                SimpleNamespace(nvmlReturn=0, value=SimpleNamespace(uiVal=gpu.power_mw))
            ],
            "nvmlDeviceGetPowerManagementLimitConstraints": lambda _: [100_000, 500_000],
            "nvmlDeviceGetMigMode": lambda gpu: [int(gpu.slices > 0), 0],
            "nvmlDeviceGetPersistenceMode": lambda _: 1,
            "nvmlDeviceGetTemperature": lambda *_: 40,
        }
        return answers[name]


@frozen(kw_only=True)
class Workstation(FakeHost):
    """A host with a driver and a chip of its own."""

    driver: Driver = field(factory=Driver)
    channels: list[Channel] = field(factory=list)

    def load_nvml(self):
        return self.driver

    def open_channels(self):
        return SimpleNamespace(sample=lambda: list(self.channels), close=lambda: None)


@pytest.fixture
def workstation(tmp_path: Path) -> Workstation:
    return Workstation.below(tmp_path)


def ledger(host, **meters):
    return EnergyLedger(meters=meters, host=host, keepalive_s=None, pause=host.clock.advance)


def test_v13_a_gpus_counter_gives_joules(workstation) -> None:
    (gpu,) = workstation.driver.gpus
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        workstation.clock.advance(3)
        gpu.energy_mj += 789_000

    (energy,) = window.energies()
    assert (789.0, Boundary.GPU, Label.HARDWARE_SHUNT) == (
        energy.joules,
        energy.boundary,
        energy.label,
    )


def test_row_13_a_counter_that_stands_still_under_power_has_stalled(workstation) -> None:
    workstation.driver.gpus.append(Gpu())
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        workstation.clock.advance(10)
        workstation.driver.gpus[0].energy_mj += 1_000_000

    (energy,) = window.energies()
    assert (None, "stalled-counter") == (energy.joules, energy.flags[-1])
    (seen,) = look({"nvml": NvmlMeter()}, workstation, workstation.clock.advance)
    assert "it stands still while the part draws 100 W" == seen.counters[0].problem


def test_row_14_a_counter_that_disagrees_with_the_power_is_flagged(workstation) -> None:
    (gpu,) = workstation.driver.gpus
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        for _ in range(20):
            workstation.clock.advance(0.25)
            gpu.energy_mj += 187_000 // 20
            own.sample()

    (energy,) = window.energies()
    assert (187.0, ("counter-power-mismatch",)) == (energy.joules, energy.flags)


@pytest.mark.parametrize(
    ("counted_w", "powers_w", "samples", "flags"),
    [
        (37, [65], 30, ("counter-power-mismatch",)),
        (60, [65], 30, ()),
        (37, [65], 10, ()),
        (110, [65], 30, ()),
        (150, [50, 300], 30, ()),
        (60, [50, 300], 30, ("counter-power-mismatch",)),
        (130, [50, 300], 30, ()),
        (250, [10, 10, 10, 10, 10, 10, 1500], 40, ()),
    ],
)
def test_row_14_a_counter_below_the_power_is_flagged_in_a_long_window_too(
    workstation, counted_w, powers_w, samples, flags
) -> None:
    (gpu,) = workstation.driver.gpus
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        for index in range(samples):
            workstation.clock.advance(10)
            gpu.energy_mj += counted_w * 10_000
            gpu.power_mw = powers_w[index % len(powers_w)] * 1000
            own.sample()

    (energy,) = window.energies()
    assert (counted_w * 10.0 * samples, flags) == (energy.joules, energy.flags)


def test_row_16_and_v15_a_module_and_its_processor_are_not_added(machine) -> None:
    host = Workstation(
        sysfs=machine.host.sysfs,
        proc=machine.host.proc,
        clock=machine.host.clock,
        driver=Driver(gpus=[Gpu(name="NVIDIA GH200 480GB")]),
    )
    machine.zone("intel-rapl:0", "package-0")
    with (
        ledger(host, nvml=NvmlMeter(), rapl=RaplMeter()) as own,
        own.window("a") as window,
    ):
        machine.used(10, z0=300)
        host.driver.gpus[0].energy_mj += 900_000

    assert [(900.0, Boundary.MODULE)] == [
        (energy.joules, energy.boundary) for energy in window.energies()
    ]


def test_row_17_slices_of_a_gpu_are_metered_once_and_marked_as_shared(workstation) -> None:
    gpu = workstation.driver.gpus[0]
    gpu.slices = 2
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        workstation.clock.advance(10)
        gpu.energy_mj += 900_000

    (energy,) = window.energies()
    assert (900.0, False, True) == (
        energy.joules,
        energy.reliable,
        "shared-counter" in energy.flags,
    )


def test_row_19_two_windows_on_one_host_do_not_double_its_energy(machine) -> None:
    machine.zone("intel-rapl:0", "package-0")
    with ledger(machine.host, rapl=RaplMeter()) as own:
        one, other = own.begin("a", group="x"), own.begin("b", group="x")
        machine.used(10, z0=100)
        one.end()
        other.end()
        (batch,) = own.batch("x")

        assert ([None, None], 100.0) == (
            [window.energies()[0].joules for window in (one, other)],
            batch.joules,
        )


def test_row_24_and_v20_a_group_keeps_the_time_of_children_that_ended(machine) -> None:
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    group = "sys/fs/cgroup/run.scope/cpu.stat"
    machine.host.put(group, "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    with (
        ledger(machine.host, rapl=RaplMeter(), cgroup=CgroupMeter()) as own,
        own.window("a") as window,
    ):
        machine.used(20, z0=500)
        machine.host.put("proc/stat", "cpu 1000 0 0 0 0 0 0 0\ncpu0 1000\n")
        machine.host.put(group, "usage_usec 6000000\n")

    (energy,) = window.energies()
    assert (300.0, Label.ESTIMATOR, ("cpu-share",), "cpu-share") == (
        energy.joules,
        energy.label,
        energy.flags,
        energy.sensor,
    )


@pytest.mark.parametrize(
    ("path", "joules", "flag"), [("", None, "share-unknown"), ("run.scope", 300.0, "cpu-share")]
)
def test_what_runs_in_other_groups_is_shared_out_only_by_a_group_that_was_named(
    machine, path: str, joules: float | None, flag: str
) -> None:
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    group = "sys/fs/cgroup/run.scope/cpu.stat"
    machine.host.put(group, "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    with ledger(machine.host, rapl=RaplMeter(), cgroup=CgroupMeter(path=path)) as own:
        window = own.begin("a", apart=True)
        machine.used(20, z0=500)
        machine.host.put("proc/stat", "cpu 1000 0 0 0 0 0 0 0\ncpu0 1000\n")
        machine.host.put(group, "usage_usec 6000000\n")
        window.end()

    (energy,) = window.energies()
    assert (joules, flag) == (energy.joules, energy.flags[-1])


@pytest.mark.parametrize(
    ("attempt_us", "joules", "flag"),
    [(None, None, "share-unknown"), (6_000_000, 300.0, "cpu-share")],
)
def test_beside_the_checks_of_another_trial_only_an_attempts_own_time_is_a_share(
    machine, attempt_us: int | None, joules: float | None, flag: str
) -> None:
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    group = "sys/fs/cgroup/run.scope/cpu.stat"
    machine.host.put(group, "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    with ledger(machine.host, rapl=RaplMeter(), cgroup=CgroupMeter()) as own, own.busy("b"):
        window = own.begin("a")
        machine.used(20, z0=500)
        machine.host.put("proc/stat", "cpu 1000 0 0 0 0 0 0 0\ncpu0 1000\n")
        machine.host.put(group, "usage_usec 10000000\n")
        window.end(cpu_us=attempt_us)

    (energy,) = window.energies()
    assert (joules, ("concurrent-trial", flag)) == (energy.joules, energy.flags)


@pytest.mark.parametrize(
    ("attempt_us", "joules", "label"),
    [(9_900_000, 500.0, Label.HARDWARE_SHUNT), (6_000_000, 300.0, Label.ESTIMATOR)],
)
def test_what_had_the_machine_to_itself_in_another_group_is_not_shared_out(
    machine, attempt_us: int, joules: float, label: Label
) -> None:
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    machine.host.put("sys/fs/cgroup/run.scope/cpu.stat", "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    with ledger(machine.host, rapl=RaplMeter(), cgroup=CgroupMeter()) as own:
        window = own.begin("a", apart=True)
        machine.used(20, z0=500)
        machine.host.put("proc/stat", "cpu 1000 0 0 0 0 0 0 0\ncpu0 1000\n")
        window.end(cpu_us=attempt_us)

    (energy,) = window.energies()
    assert (joules, label) == (energy.joules, energy.label)


def test_row_24_without_groups_a_child_that_exited_still_counts(machine) -> None:
    machine.host.put("proc/self/cgroup", "0::/run.scope\n")
    machine.host.put("sys/fs/cgroup/run.scope/cpu.stat", "usage_usec 0\n")
    machine.host.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    machine.zone("intel-rapl:0", "package-0")
    burn = (
        f"import time\nend = time.process_time() + {BUSY_S}\nwhile time.process_time() < end: pass"
    )
    with ledger(machine.host, rapl=RaplMeter(), cgroup=CgroupMeter()) as own:
        window, rival = own.begin("a"), own.begin("b")
        before = children_us()
        subprocess.run([sys.executable, "-c", burn], check=True)
        used_us = children_us() - before
        machine.used(1, z0=100)
        machine.host.put("proc/stat", f"cpu {2 * used_us // 10_000} 0 0 0 0 0 0 0\ncpu0 0\n")
        window.end(cpu_us=used_us)
        rival.end()
        (energy,), (other,) = window.energies(), rival.energies()

    assert used_us >= BUSY_S * 1e6
    assert (Label.ESTIMATOR, ("concurrent-window", "cpu-share")) == (energy.label, energy.flags)
    assert 50 == pytest.approx(energy.joules, rel=0.05)
    assert (None, "share-unknown") == (other.joules, other.flags[-1])


def children_us() -> int:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((used.ru_utime + used.ru_stime) * 1e6)


def test_row_27_and_v14_a_driver_that_was_loaded_again_leaves_no_figure(workstation) -> None:
    gpu = workstation.driver.gpus[0]
    gpu.energy_mj = 5 * 10**9
    with ledger(workstation, nvml=NvmlMeter()) as own, own.window("a") as window:
        workstation.clock.advance(10)
        gpu.energy_mj = 1200

    (energy,) = window.energies()
    assert (None, "counter-reset") == (energy.joules, energy.flags[-1])


def test_row_27_and_v14_a_spike_at_boot_is_not_believed(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0", span=None)
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)
        machine.show("intel-rapl:0", 3 * 10**12)

    assert (None, ("implausible-power",)) == (found[0].joules, found[0].flags)


def chip(cpu_mj: int) -> list[Channel]:
    return [
        Channel(name="CPU Energy", unit="mJ", value=cpu_mj),
        Channel(name="PCPU0", unit="mJ", value=cpu_mj * 2),
    ]


def test_row_32_and_v12_a_chip_that_publishes_every_two_seconds(workstation) -> None:
    workstation.channels[:] = chip(0)
    with ledger(workstation, apple=AppleMeter()) as own:
        whole = own.begin("whole")
        workstation.clock.advance(0.5)
        part = own.begin("part", parent=whole)
        workstation.clock.advance(1)
        part.end()
        for at_mj in (40_000, 80_000):
            workstation.clock.advance(1.35)
            workstation.channels[:] = chip(at_mj)
        whole.end()
        (short,), (long,) = part.energies(), whole.energies()

    assert (None, False) == (short.joules, short.reliable)
    assert (80.0, False, ("below-floor",)) == (long.joules, long.reliable, long.flags)


def test_row_33_a_frozen_processor_channel_is_unknown_and_not_zero(workstation) -> None:
    workstation.channels[:] = [*chip(5), Channel(name="DRAM0", unit="mJ", value=0)]
    workstation.put("proc/stat", "cpu 0 0 0 0 0 0 0 0\ncpu0 0\n")
    with ledger(workstation, apple=AppleMeter()) as own, own.window("a") as window:
        workstation.clock.advance(20)
        workstation.put("proc/stat", "cpu 800 0 0 0 0 0 0 0\ncpu0 800\n")
        workstation.channels[2] = Channel(name="DRAM0", unit="mJ", value=900)

    (energy,) = window.energies()
    assert (None, "stalled-counter") == (energy.joules, energy.flags[-1])


def test_row_34_the_dies_of_a_big_chip_are_added(workstation) -> None:
    def dies(left, right):
        return [
            Channel(name=f"DIE_{die}_CPU Energy", unit="mJ", value=value)
            for die, value in enumerate((left, right))
        ]

    workstation.channels[:] = dies(100, 100)
    with ledger(workstation, apple=AppleMeter()) as own, own.window("a") as window:
        workstation.clock.advance(30)
        workstation.channels[:] = dies(4706, 673)

    (energy,) = window.energies()
    assert 5.179 == energy.joules


def test_row_41_no_plugin_needs_the_deprecated_distribution() -> None:
    manifest = Path(__file__).parents[2] / "plugins/meters/nvml/pyproject.toml"

    assert '"nvidia-ml-py>=12.560"' in manifest.read_text()
    assert '"pynvml' not in manifest.read_text()


def test_row_42_a_constant_counter_has_no_cadence(machine) -> None:
    machine.zone("intel-rapl:0", "package-0", 7)

    (seen,) = look({"rapl": RaplMeter()}, machine.host, machine.host.clock.advance)

    assert (None, 0.1) == (seen.counters[0].update_s, seen.counters[0].floor_s)
