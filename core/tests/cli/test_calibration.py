"""An idle calibration as the command line makes it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import define, frozen
from fairtrial.api import Boundary, Counter, Host, Label, MeterSession, Probe, RawReading
from fairtrial.cli.busiest import SHOWN, Busiest
from fairtrial.cli.calibration import Calibration, calibrated
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger


@define(kw_only=True, eq=False)
class Steady:
    """Counts 25 W, and moves the machine's CPU time on: busy from some second on."""

    busy_from_s: float
    fake: FakeHost
    update_s: float = 0.001

    @property
    def counters(self) -> tuple[Counter, ...]:
        return (
            Counter(
                id="pkg0",
                microjoules_per_count=1.0,
                atoms=frozenset({"pkg0"}),
                label=Label.HARDWARE_SHUNT,
                boundary=Boundary.HOST,
                sensor="vr-telemetry",
                update_s=self.update_s,
            ),
        )

    def probe(self, _: Host, /) -> Probe:
        return Probe(counters=self.counters)

    def open(self, _: Host, /) -> MeterSession:
        self.put()
        return self

    def put(self) -> None:
        ticks = max(0, round((self.fake.clock.now_ns / 1e9 - 1000 - self.busy_from_s) * 100))
        self.fake.put("proc/stat", f"cpu {ticks} 0 0 0 0 0 0 0 0 0\ncpu0 {ticks} 0 0 0\n")

    def read(self) -> Sequence[RawReading]:
        self.put()
        now = self.fake.clock.now_ns
        step_ns = round(self.update_s * 1e9)
        count = now // step_ns * step_ns // 40
        return (RawReading(counter="pkg0", count=count, before_ns=now, after_ns=now),)

    def close(self) -> None: ...


@frozen(kw_only=True)
class Seen(Busiest):
    """Saw one program at work."""

    def since(self) -> Mapping[str, float]:
        return {"cc1": 0.98}


@pytest.fixture
def calibrate(tmp_path: Path) -> Callable[..., Calibration]:
    def run(**meter: float) -> Calibration:
        host = FakeHost.below(tmp_path)
        host.put("proc/sys/kernel/random/boot_id", "b-1\n")
        steady = Steady(fake=host, **meter)
        ledger = EnergyLedger(
            meters={"m": steady}, host=host, keepalive_s=None, pause=host.clock.advance
        )
        with ledger:
            return calibrated(
                ledger,
                tmp_path / "kept",
                windows=5,
                window_s=5.0,
                look=lambda: Seen(times={}, at_s=0.0, processors=1, clock=float),
            )

    return run


def test_a_quiet_machine_is_measured_to_the_end_and_kept(calibrate, tmp_path, capsys) -> None:
    found = calibrate(busy_from_s=10_000)

    assert (True, 5, {}) == (found.kept, found.windows, found.busy)
    assert (tmp_path / "kept").is_file()
    said = capsys.readouterr().err
    assert "measuring 5 windows of 5 s, 25 s in all; leave the machine alone\n" == said
    assert "Ended" not in found.page
    assert "At work" not in found.page


def test_a_busy_machine_is_not_measured_to_the_end_and_who_is_at_work_is_named(
    calibrate, tmp_path
) -> None:
    found = calibrate(busy_from_s=12)

    assert (False, 5, 3) == (found.kept, found.plain["windows_asked"], found.plain["windows"])
    assert {"cc1": 0.98} == found.plain["busy"]
    assert not (tmp_path / "kept").exists()
    assert found.page.endswith(
        "\nNot kept: figures stay gross. Close what keeps the machine busy, and try again.\n"
        "Ended after 3 of 5 windows: one in which the machine is busy makes all of no use.\n"
        "At work meanwhile, of all CPUs: cc1 98%; what has ended is not seen.\n"
    )


def test_the_length_that_slow_counters_need_is_told(calibrate, capsys) -> None:
    calibrate(busy_from_s=10_000, update_s=0.16)

    assert "measuring 5 windows of 16 s, 80 s in all" in capsys.readouterr().err


def test_the_busiest_programs_are_named_and_idle_ones_are_not() -> None:
    since_boot = Busiest(times={}, at_s=0.0, processors=1, clock=lambda: 1.0).since()

    assert 0 < len(since_boot) <= SHOWN
    assert sorted(since_boot.values(), reverse=True) == list(since_boot.values())
    times = iter((0.0, 1e9))
    assert {} == Busiest.from_now(lambda: next(times)).since()
