"""What other tools got wrong with counters of processors, one test a row of our list of faults."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from fairtrial.api import Label
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_estimator import EstimatorMeter
from fairtrial_meter_rapl import RaplMeter

R_INTEL = 262143328850
UNREADABLE = 0o400


def told(found):
    (energy,) = found
    return energy.joules, energy.flags


def test_rows_1_and_4_a_wrap_is_undone_with_the_range_from_the_file(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0", 262142328850)
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)
        machine.show("intel-rapl:0", 4_000_000)

    assert (5.0, ("wrapped",)) == told(found)


def test_rows_2_and_39_without_a_range_a_step_back_is_unknown(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0", 4 * 10**9, span=None)
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)
        machine.show("intel-rapl:0", 10_000)

    assert (None, ("wrap-uncorrectable",)) == told(found)


def test_row_5_only_the_zone_that_wrapped_gets_its_range_added(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0", R_INTEL - 10**6)
    machine.zone("intel-rapl:1", "package-1")
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=5, z1=80)

    assert (85.0, ("wrapped",)) == told(found)


def test_row_6_a_reset_is_unknown_and_not_sixty_two_thousand_joules(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0", 200 * 10**9)
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)
        machine.show("intel-rapl:0", 3 * 10**6)

    assert (None, ("counter-reset",)) == told(found)


def test_v3b_a_reset_in_a_long_bracket_leaves_a_lower_bound_that_is_not_ranked(
    machine, metered
) -> None:
    machine.zone("intel-rapl:0", "package-0", 200 * 10**9)
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(600)
        machine.show("intel-rapl:0", 3 * 10**6)

    assert (62_146.32885, ("wrapped", "wrap-ambiguous")) == told(found)
    assert not found[0].reliable


@pytest.mark.parametrize(
    ("second", "joules", "flags"), [(50, 100.0, ("mirrored-zone",)), (41.5, 183.0, ())]
)
def test_row_7_and_v6_dies_that_repeat_each_other_are_counted_once(
    machine, second, joules, flags
) -> None:
    from fairtrial.energy import EnergyLedger  # noqa: PLC0415 - only this test samples by hand

    for die in (0, 1):
        machine.zone(f"intel-rapl:{die}", f"package-0-die-{die}", 10**6)
    with EnergyLedger(meters={"rapl": RaplMeter()}, host=machine.host, keepalive_s=None) as ledger:
        window = ledger.begin("a")
        for _ in range(2):
            machine.used(5, z0=50, z1=second)
            ledger.sample()
        window.end()

        assert (joules, flags) == told(window.energies())


@pytest.mark.parametrize(
    ("prefer", "psys_j", "joules", "flags"),
    [
        ("package", 150, 100.0, ()),
        ("psys", 150, 150.0, ()),
        ("psys", 80, 100.0, ("psys-below-package",)),
    ],
)
def test_row_8_and_v7_nothing_is_counted_twice(
    machine, metered, prefer, psys_j, joules, flags
) -> None:
    machine.zone("intel-rapl:1", "psys")
    machine.zone("intel-rapl:0", "package-0")
    machine.zone("intel-rapl:0:0", "core")
    machine.zone("intel-rapl-mmio:0", "package-0", span=100)
    with metered(rapl=RaplMeter(prefer=prefer)) as found:
        machine.used(10, z0=100, z1=psys_j, z0_0=60)

    assert (joules, flags) == told(found)


def test_rows_9_and_11_and_v5_memory_is_beside_the_package_though_nested_in_it(
    machine, metered
) -> None:
    machine.zone("intel-rapl:0", "package-0")
    machine.zone("intel-rapl:0:0", "core")
    machine.zone("intel-rapl:0:1", "dram")
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=100, z0_0=60, z0_1=10)

    assert (110.0, ()) == told(found)
    assert ("dram0", "pkg0") == found[0].coverage


def test_row_10_no_estimate_is_added_to_a_measured_part(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0")
    machine.zone("intel-rapl:0:0", "dram")
    with metered(rapl=RaplMeter(), estimator=EstimatorMeter()) as found:
        machine.used(10, z0=100, z0_0=10)

    assert (110.0, ()) == told(found)
    assert Label.MODEL_BASED is found[0].label


def test_row_22_a_probe_starts_no_program(machine, tmp_path, monkeypatch) -> None:
    calls = tmp_path / "calls"
    for name in ("sudo", "nvidia-smi", "powermetrics"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho {name} >> {calls}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    RaplMeter().probe(machine.host)

    assert not calls.exists()


def test_row_23_no_memory_is_guessed_from_its_size(machine, metered) -> None:
    machine.host.put("proc/meminfo", "MemTotal: 1000000000 kB\n")
    machine.zone("intel-rapl:0", "package-0")
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=100)

    assert (100.0, ()) == told(found)


def test_row_28_a_virtual_machine_has_no_counter_and_no_crash(machine, metered) -> None:
    machine.host.put("proc/cpuinfo", "vendor_id : AuthenticAMD\nflags : fpu hypervisor\n")
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)

    assert (None, ("no-counter",)) == told(found)
    assert found[0].why.startswith("no-counter:virtualised: a virtual machine has no energy")


def test_row_29_a_link_that_leads_out_of_the_container_is_named(machine) -> None:
    powercap = machine.host.sysfs / "class" / "powercap"
    powercap.mkdir(parents=True)
    (powercap / "intel-rapl:0").symlink_to("../../devices/virtual/powercap/intel-rapl:0")

    probe = RaplMeter().probe(machine.host)

    assert () == probe.counters
    assert probe.unavailable["intel-rapl:0"].startswith("unmounted-symlink: ")
    assert "mount /sys/devices/virtual/powercap" in probe.unavailable["intel-rapl:0"]


def test_row_29_beside_a_zone_that_can_be_read_such_a_link_makes_the_sum_partial(
    machine, metered
) -> None:
    machine.zone("intel-rapl:0", "package-0")
    link = machine.host.sysfs / "class" / "powercap" / "intel-rapl:1"
    link.symlink_to("../../devices/virtual/powercap/intel-rapl:1")
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=100)

    assert (100.0, ("partial:intel-rapl:1",)) == told(found)
    assert "intel-rapl:1 can't be read and is not inside" == found[0].why


@contextmanager
def as_nobody():
    """Gives up root for a while, so that permissions mean something."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_machine(machine):
    """The same machine in a folder that anybody may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    machine.host = FakeHost.below(folder)
    yield machine
    shutil.rmtree(folder)


def test_row_30_and_v5_a_zone_that_only_root_may_read_makes_the_sum_partial(
    open_machine, metered
) -> None:
    machine = open_machine
    machine.zone("intel-rapl:0", "package-0")
    machine.zone("intel-rapl:0:0", "dram")
    dram = next(machine.host.sysfs.rglob("intel-rapl:0:0/energy_uj"))
    dram.chmod(UNREADABLE)
    with as_nobody():
        probe = RaplMeter().probe(machine.host)
    with metered(rapl=Nobody()) as found:
        machine.used(10, z0=100)

    assert f"`sudo chmod a+r {dram}`" in probe.unavailable["dram0"]
    assert (100.0, ("partial:dram",)) == told(found)
    assert "dram can't be read and is not inside" == found[0].why


class Nobody(RaplMeter):
    """The meter of a user who isn't root."""

    def probe(self, host, /):
        with as_nobody():
            return super().probe(host)

    def open(self, host, /):
        with as_nobody():
            return super().open(host)


@pytest.mark.parametrize(
    "zones",
    [
        {"intel-rapl:0": "psys", "intel-rapl:1": "package-0"},
        {"intel-rapl:1": "package-0-die-0"},
    ],
)
def test_row_31_and_v16_zones_go_by_name_and_not_by_number(machine, metered, zones) -> None:
    for entry, name in zones.items():
        machine.zone(entry, name)
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z1=100)

    assert (100.0, ()) == told(found)


def test_row_35_a_window_across_suspend_is_invalid(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0")
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.sleep(600)
        machine.used(20, z0=100)

    assert (None, ("suspended",)) == told(found)


def test_row_38_memory_of_two_hundred_watts_is_not_believed(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0")
    machine.zone("intel-rapl:0:0", "dram")
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=100, z0_0=2002)

    assert (None, ("implausible-power",)) == told(found)


def test_a_zone_that_turns_to_garbage_leaves_no_figure(machine, metered) -> None:
    machine.zone("intel-rapl:0", "package-0")
    with metered(rapl=RaplMeter()) as found:
        machine.host.clock.advance(10)
        machine.show("intel-rapl:0", "garbage")

    assert (None, ("counter-identity-changed",)) == told(found)


@pytest.mark.parametrize("shown", ["-1", "garbage", "18446744073709551615", "9" * 4000, ""])
@pytest.mark.parametrize("file", ["max_energy_range_uj", "constraint_0_max_power_uw"])
def test_a_nonsense_range_or_limit_costs_no_figure(machine, metered, file, shown) -> None:
    machine.zone("intel-rapl:0", "package-0")
    machine.host.put(f"sys/class/powercap/intel-rapl:0/{file}", shown)
    with metered(rapl=RaplMeter()) as found:
        machine.used(10, z0=100)

    assert (100.0, ()) == told(found)
