from pathlib import Path

import pytest
from attrs import define, field, frozen
from fairtrial.api import Host, MachineError, Meter
from fairtrial.conformance import MeterConformance
from fairtrial.conformance.fakes import FakeHost
from fairtrial_meter_apple import AppleMeter
from fairtrial_meter_apple.channels import Channel, counters


def mj(**values: int) -> list[Channel]:
    return [
        Channel(name=name.replace("_Energy", " Energy"), unit="mJ", value=value)
        for name, value in values.items()
    ]


@define(kw_only=True)
class Chip:
    """Channels that a test moves."""

    channels: list[Channel] = field(
        factory=lambda: mj(CPU_Energy=36_170, ECPU0=9_000, PCPU1=11_000, DRAM0=500)
    )
    closed: int = 0

    def sample(self):
        return list(self.channels)

    def close(self):
        self.closed += 1


@frozen(kw_only=True)
class ChipHost(FakeHost):
    """A host with a chip of its own."""

    chip: Chip = field(factory=Chip)

    def open_channels(self):
        return self.chip


class TestApple(MeterConformance):
    entry_point = "apple"

    @pytest.fixture
    def meter(self) -> Meter:
        return AppleMeter()

    def host(self, directory: Path) -> Host:
        return ChipHost.below(directory)


@pytest.fixture
def chipped(tmp_path):
    def host(chip):
        return ChipHost(sysfs=tmp_path, proc=tmp_path, chip=chip)

    return host


def used_j(channels: list[Channel]) -> float:
    values = {own.name: own.value for own in channels}
    found = counters(channels, identity="")
    return sum(values[own.id] * own.microjoules_per_count for own in found) / 1e6


def test_v12_only_totals_are_counted_and_no_channel_inside_them() -> None:
    inside = [
        Channel(name=f"PACC{n}_CPU{n % 8}", unit="mJ", value=70_510 // 333) for n in range(333)
    ]

    assert 36.17 == used_j([*mj(CPU_Energy=36_170), *inside])


def test_row_34_the_dies_of_a_big_chip_are_added() -> None:
    assert 5.179 == pytest.approx(used_j(mj(DIE_0_CPU_Energy=4606, DIE_1_CPU_Energy=573)))


def test_row_34_a_whole_total_stands_for_those_of_its_dies() -> None:
    assert 5.0 == used_j(mj(CPU_Energy=5000, DIE_0_CPU_Energy=4606, DIE_1_CPU_Energy=573))


def test_row_32_each_channel_has_its_own_unit() -> None:
    gpu = Channel(name="GPU Energy", unit="nJ", value=2_500_000_000)

    assert 3.0 == pytest.approx(used_j([gpu, *mj(ANE0=500), *mj(GPU_SRAM0=99)]))


def test_a_unit_that_nobody_knows_is_not_counted() -> None:
    assert [] == list(counters([Channel(name="CPU Energy", unit="cal", value=1)], identity=""))


def test_a_session_reads_the_totals_and_lets_go_once(chipped) -> None:
    chip = Chip()
    session = AppleMeter().open(chipped(chip))
    found = {own.counter: own.count for own in session.read()}
    session.close()
    session.close()

    assert {"CPU Energy": 36_170, "DRAM0": 500} == found
    assert (1, ()) == (chip.closed, session.read())


def test_a_chip_without_a_known_total_is_refused_and_let_go(chipped) -> None:
    chip = Chip(channels=mj(ECPU0=5))

    with pytest.raises(MachineError):
        AppleMeter().open(chipped(chip))

    assert 1 == chip.closed


def test_elsewhere_than_on_a_mac_the_reason_is_the_system(tmp_path) -> None:
    host = FakeHost.below(tmp_path)

    assert AppleMeter().probe(host).unavailable["apple"].endswith("not macOS")
