from pathlib import Path

import pytest
from fairtrial.api import Host, MachineError, Meter
from fairtrial.conformance import MeterConformance
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_cgroup import CgroupMeter


def put_times(host: FakeHost, ticks: int = 1000, usage_us: int = 4_000_000) -> None:
    host.put("proc/self/cgroup", "0::/run.scope\n")
    host.put("proc/stat", f"cpu {ticks} 0 0 90000 5 0 0 0 0 0\n")
    host.put("sys/fs/cgroup/run.scope/cpu.stat", f"usage_usec {usage_us}\nuser_usec 1\n")


class TestCgroup(MeterConformance):
    entry_point = "cgroup"
    estimates = True

    @pytest.fixture
    def meter(self) -> Meter:
        return CgroupMeter()

    def host(self, directory: Path) -> Host:
        host = FakeHost.below(directory)
        put_times(host)
        return host


@pytest.fixture
def host(tmp_path) -> FakeHost:
    return FakeHost.below(tmp_path)


def read(meter: CgroupMeter, host: FakeHost) -> dict[str, int]:
    return {own.counter: own.count for own in meter.open(host).read()}


def test_it_reads_the_machines_ticks_and_the_groups_microseconds(host) -> None:
    put_times(host)

    assert {"host": 1000, "group": 4_000_000} == read(CgroupMeter(), host)


def test_another_group_can_be_named(host) -> None:
    put_times(host)
    host.put("sys/fs/cgroup/other/cpu.stat", "usage_usec 7\n")

    assert 7 == read(CgroupMeter(path="other"), host)["group"]


def test_a_group_that_is_not_there_is_named_in_words(host) -> None:
    put_times(host)

    (why,) = CgroupMeter(path="gone").probe(host).unavailable.values()

    assert f"there is no control group of version 2 at {host.sysfs}/fs/cgroup/gone" == why


def test_in_the_root_group_there_is_nothing_to_share_out(host) -> None:
    put_times(host)
    host.put("proc/self/cgroup", "0::/\n")

    with pytest.raises(MachineError, match="CPU time can't be shared out here"):
        CgroupMeter().open(host)


def test_a_group_that_ended_is_left_out(host) -> None:
    put_times(host)
    session = CgroupMeter().open(host)
    (host.sysfs / "fs/cgroup/run.scope/cpu.stat").unlink()

    assert ["host"] == [own.counter for own in session.read()]


@pytest.mark.parametrize("stat", ["", "cpu 1 2\n", "cpu a b c d e f g h\n"])
def test_a_stat_of_garbage_is_unavailable(host, stat) -> None:
    put_times(host)
    host.put("proc/stat", stat)

    assert () == CgroupMeter().probe(host).counters
