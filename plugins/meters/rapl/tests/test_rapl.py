import os
import sys
from pathlib import Path

import pytest
from fairtrial.api import Host, Label, MachineError, Meter
from fairtrial.conformance import MeterConformance
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_rapl import RaplMeter
from fairtrial_meter_rapl.perf import events, open_event
from fairtrial_meter_rapl.session import count_of

ZONE = "sys/class/powercap/intel-rapl:0"


def put_zone(host: FakeHost, place: str = ZONE, name: str = "package-0", count: int = 5) -> None:
    host.put(f"{place}/name", f"{name}\n")
    host.put(f"{place}/energy_uj", f"{count}\n")
    host.put(f"{place}/max_energy_range_uj", "262143328850\n")


class TestRapl(MeterConformance):
    entry_point = "rapl"

    @pytest.fixture
    def meter(self) -> Meter:
        return RaplMeter()

    def host(self, directory: Path) -> Host:
        host = FakeHost.below(directory)
        put_zone(host)
        return host


@pytest.fixture
def host(tmp_path) -> FakeHost:
    return FakeHost.below(tmp_path)


def ids(host: FakeHost, **settings) -> list[str]:
    return [own.id for own in RaplMeter(**settings).probe(host).counters]


def test_the_nested_layout_is_found_where_the_flat_one_is_not_mounted(host) -> None:
    tree = "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0"
    put_zone(host, tree)
    put_zone(host, f"{tree}/intel-rapl:0:0", "dram")

    assert ["dram0", "pkg0"] == ids(host)


def test_both_layouts_together_are_one_tree(host) -> None:
    put_zone(host, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0")
    flat = host.sysfs / "class" / "powercap"
    flat.mkdir(parents=True)
    (flat / "intel-rapl:0").symlink_to("../../devices/virtual/powercap/intel-rapl/intel-rapl:0")

    assert ["pkg0"] == ids(host)


def test_the_same_package_by_tpmi_is_read_once_and_the_larger_range_wins(host) -> None:
    put_zone(host)
    put_zone(host, "sys/class/powercap/intel-rapl-tpmi:0")
    host.put("sys/class/powercap/intel-rapl-tpmi:0/max_energy_range_uj", "999999999999\n")

    (counter,) = RaplMeter().probe(host).counters

    assert (999999999999, " intel-rapl-tpmi:0") == (counter.modulus, counter.identity)


def test_an_inner_part_is_read_only_where_the_package_can_not_be(host) -> None:
    put_zone(host)
    put_zone(host, f"{ZONE}/intel-rapl:0:0", "core")
    assert ["pkg0"] == ids(host)

    host.put(f"{ZONE}/energy_uj", "garbage\n")

    assert ["pkg0/core"] == ids(host)
    assert RaplMeter().probe(host).unavailable["pkg0"].endswith("energy_uj holds no number")


@pytest.mark.parametrize(
    ("cpuinfo", "label", "sensor"),
    [
        ("vendor_id : GenuineIntel\ncpu family : 6\nmodel : 63\nflags : fpu", 0, "vr-telemetry"),
        ("vendor_id : GenuineIntel\ncpu family : 6\nmodel : 62\nflags : fpu", 1, "smu-model"),
        ("vendor_id : GenuineIntel\ncpu family : 19\nmodel : 1\nflags : fpu", 0, "vr-telemetry"),
        (
            "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 94\nflags : fpu sgx",
            1,
            "filtered-telemetry",
        ),
        ("vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\nflags : fpu", 1, "smu-model"),
        ("vendor_id : HygonGenuine\ncpu family : 24\nmodel : 1\nflags : fpu", 1, "smu-model"),
        ("", 1, "smu-model"),
    ],
)
def test_the_label_is_the_processors_and_not_the_interfaces(host, cpuinfo, label, sensor) -> None:
    put_zone(host)
    host.put("proc/cpuinfo", cpuinfo)

    (counter,) = RaplMeter().probe(host).counters

    labels = (Label.HARDWARE_SHUNT, Label.MODEL_BASED)
    assert (labels[label], sensor) == (counter.label, counter.sensor)


def test_the_cap_is_twice_the_highest_limit_that_firmware_allows(host) -> None:
    put_zone(host)
    host.put(f"{ZONE}/constraint_0_max_power_uw", "15000000\n")
    host.put(f"{ZONE}/constraint_1_power_limit_uw", "64000000\n")

    assert 128.0 == RaplMeter().probe(host).counters[0].max_watts


def test_without_zones_the_error_says_what_to_do(host) -> None:
    with pytest.raises(MachineError) as caught:
        RaplMeter().open(host)

    ((name, why),) = caught.value.facts
    assert "rapl" == name
    assert "load the module intel_rapl_msr" in why


def put_pmu(host: FakeHost) -> None:
    pmu = "sys/bus/event_source/devices/power"
    host.put(f"{pmu}/type", "10\n")
    host.put(f"{pmu}/cpumask", "0,24\n")
    host.put("sys/devices/system/cpu/cpu24/topology/physical_package_id", "1\n")
    for name, code in (("energy-pkg", "0x02"), ("energy-ram", "0x03"), ("energy-psys", "0x05")):
        host.put(f"{pmu}/events/{name}", f"event={code}\n")
        host.put(f"{pmu}/events/{name}.scale", "2.3283064365386962890625e-10\n")


def test_perf_names_an_event_for_each_package_and_its_memory(host) -> None:
    put_pmu(host)

    found = [(own.id, own.type, own.config, own.cpu) for own in events(host.sysfs)]

    assert [
        ("pkg0", 10, 2, 0),
        ("dram0", 10, 3, 0),
        ("pkg1", 10, 2, 24),
        ("dram1", 10, 3, 24),
    ] == (found)


def showing(*counts: int) -> int:
    """Opens what is read as an event of perf is: eight bytes a time, and never by position."""
    out, into = os.pipe()
    os.write(into, b"".join(count.to_bytes(8, "little") for count in counts))
    os.close(into)
    return out


def refused(*_: int) -> int:
    """Opens no event, as a kernel does whose `perf_event_paranoid` is above 0."""
    raise OSError(13, "Permission denied")


def test_perf_is_the_second_way_and_reads_eight_bytes(host) -> None:
    put_pmu(host)

    def open_event(_kind: int, config: int, _cpu: int) -> int:
        if config == 3:
            raise OSError(13, "Permission denied")
        return showing(0, 3 * 2**32, 7 * 2**32)

    session = RaplMeter().open_with(host, open_event)
    readings = [session.read() for _ in range(2)]
    session.close()

    assert ["pkg0", "pkg1"] == [own.id for own in session.counters]
    assert [{3 * 2**32}, {7 * 2**32}] == [{own.count for own in each} for each in readings]
    assert 7.0 == session.counters[0].microjoules_per_count * readings[1][0].count / 1e6


@pytest.mark.skipif(sys.platform != "linux", reason="perf is Linux's")
def test_perf_events_of_the_kernel_are_read_as_it_lets_them_be_read() -> None:
    software, cpu_clock = 1, 0
    try:
        descriptor = open_event(software, cpu_clock, 0)
    except OSError as error:
        pytest.skip(f"no event of perf may be opened here: {error}")

    counts = [count_of(descriptor, binary=True) for _ in range(2)]
    os.close(descriptor)

    assert 0 < counts[0] < counts[1]


def test_an_event_that_can_not_be_read_is_not_promised(host) -> None:
    put_pmu(host)

    with pytest.raises(MachineError) as caught:
        RaplMeter().open_with(host, lambda *_: showing())

    assert "an event of perf showed 0 bytes" == dict(caught.value.facts)["pkg0"]


def test_dies_of_one_package_are_events_of_their_own(host) -> None:
    put_pmu(host)
    for cpu, die in ((0, 0), (24, 1)):
        topology = f"sys/devices/system/cpu/cpu{cpu}/topology"
        host.put(f"{topology}/physical_package_id", "0\n")
        host.put(f"{topology}/die_id", f"{die}\n")

    found = [own.id for own in events(host.sysfs)]

    assert ["pkg0/die0", "dram0/die0", "pkg0/die1", "dram0/die1"] == found


def test_perf_reads_a_package_of_which_powercap_shows_the_memory_alone(host) -> None:
    put_zone(host)
    host.put(f"{ZONE}/energy_uj", "nothing\n")
    memory = f"{ZONE}/intel-rapl:0:0"
    host.put(f"{memory}/name", "dram\n")
    host.put(f"{memory}/energy_uj", "7\n")
    put_pmu(host)

    both = RaplMeter().open_with(host, lambda *_: showing(0, 1))
    alone = RaplMeter().open_with(host, refused)
    for session in (both, alone):
        session.close()

    assert ["pkg0", "pkg1", "dram0", "dram1"] == sorted(
        (own.id for own in both.counters), key=lambda name: name[0] == "d"
    )
    assert ["dram0"] == [own.id for own in alone.counters]
    why = RaplMeter()._open(host, refused).unavailable["pkg0"]
    assert "energy_uj holds no number; perf may not count" in why


def test_both_ways_to_a_package_are_named_where_neither_works(host) -> None:
    put_zone(host)
    host.put(f"{ZONE}/energy_uj", "nothing\n")
    put_pmu(host)

    with pytest.raises(MachineError) as caught:
        RaplMeter().open_with(host, refused)

    why = dict(caught.value.facts)["pkg0"]
    assert f"{ZONE.removeprefix('sys/')}/energy_uj holds no number; perf may not count" in why


def test_where_perf_is_forbidden_the_fix_is_named(host) -> None:
    put_pmu(host)

    with pytest.raises(MachineError) as caught:
        RaplMeter().open_with(host, refused)

    assert "`sudo sysctl kernel.perf_event_paranoid=0`" in dict(caught.value.facts)["pkg0"]


def test_a_lost_counter_changes_its_identity_so_that_no_window_spans_the_loss(host) -> None:
    put_zone(host)
    session = RaplMeter().open(host)
    before = session.counters[0].identity
    host.put(f"{ZONE}/energy_uj", "")

    assert [] == list(session.read())
    assert before + " (lost)" == session.counters[0].identity
