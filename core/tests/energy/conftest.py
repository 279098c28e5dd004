"""What the tests of energy are made of: logs and meters from a few numbers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import define, field, frozen
from fairtrial.api import Boundary, Counter, Host, Label, Probe, RawReading
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy.ledger import EnergyLedger
from fairtrial.energy.log import Log, Snapshot

NS = 1_000_000_000


def make_counter(name: str = "pkg0", **changes: object) -> Counter:
    parts: dict[str, object] = {
        "id": name,
        "microjoules_per_count": 1.0,
        "modulus": 262143328850,
        "atoms": frozenset({name}),
        "label": Label.HARDWARE_SHUNT,
        "boundary": Boundary.HOST,
        "sensor": "vr-telemetry",
    }
    return Counter(**{**parts, **changes})


def make_log(
    counters: Sequence[Counter],
    rows: Sequence[tuple[float, Mapping[str, int]]],
    *,
    busy_us: Sequence[int] = (),
    own_us: Sequence[int] = (),
    asleep_s: Sequence[float] = (),
) -> Log:
    log = Log(counters={f"m/{own.id}": own for own in counters}, processors=1)
    for index, (at_s, counts) in enumerate(rows):
        at = round(at_s * NS)
        log.snapshots.append(
            Snapshot(
                before_ns=at,
                after_ns=at,
                boot_ns=at + round((asleep_s[index] if asleep_s else 0) * NS),
                counts={f"m/{name}": (count, at, at) for name, count in counts.items()},
                busy_us=busy_us[index] if busy_us else None,
                own_us=own_us[index] if own_us else None,
            )
        )
    return log


@define(kw_only=True, eq=False)
class ScriptedMeter:
    """A meter whose counts are set by the test, and which misbehaves when told to."""

    counters: tuple[Counter, ...] = field(factory=lambda: (make_counter(),))
    counts: dict[str, object] = field(factory=lambda: {"pkg0": 0})
    unavailable: Mapping[str, str] = field(factory=dict)
    conditions: Mapping[str, str] = field(factory=dict)
    on_read: Callable[[], object] = lambda: None
    host: Host | None = None
    reads: int = 0

    def probe(self, host: Host, /) -> Probe:
        return Probe(
            counters=self.counters, unavailable=self.unavailable, conditions=self.conditions
        )

    def open(self, host: Host, /) -> "ScriptedMeter":
        self.host = host
        return self

    def read(self) -> Sequence[RawReading]:
        self.reads += 1
        self.on_read()
        assert self.host is not None
        now = self.host.monotonic_ns()
        return [
            RawReading(counter=name, count=count, before_ns=now, after_ns=now)
            for name, count in self.counts.items()
        ]

    def close(self) -> None:
        pass


@frozen(kw_only=True)
class Rig:
    """One meter, one ledger, one hand-moved clock."""

    host: FakeHost
    meter: ScriptedMeter
    ledger: EnergyLedger

    def passes(self, seconds: float, **counted: int) -> None:
        """Lets time pass while counters count."""
        self.host.clock.advance(seconds)
        for name, count in counted.items():
            self.meter.counts[name] = int(self.meter.counts[name]) + count  # type: ignore[call-overload]  # counts are ints here

    def calibrate(self, idle_w: int = 25) -> None:
        """Lets the ledger measure a quiet machine of so many watts."""
        self.meter.on_read = lambda: self.meter.counts.update(
            pkg0=self.host.clock.now_ns * idle_w // 1000
        )
        self.ledger.calibrate()
        self.meter.on_read = lambda: None

    def busy(self, ticks: int) -> None:
        """Says how long CPUs were busy so far, in ticks."""
        self.host.put("proc/stat", f"cpu {ticks} 0 0 0 0 0 0 0 0 0\ncpu0 {ticks} 0 0 0\n")


@pytest.fixture
def counter() -> Callable[..., Counter]:
    return make_counter


@pytest.fixture
def log_of() -> Callable[..., Log]:
    return make_log


@pytest.fixture
def meter() -> Callable[..., ScriptedMeter]:
    return ScriptedMeter


@pytest.fixture
def host(tmp_path: Path) -> FakeHost:
    return FakeHost.below(tmp_path)


@pytest.fixture
def rig(host: FakeHost, tmp_path: Path) -> Callable[..., Rig]:
    def make(meter: ScriptedMeter | None = None, **settings: object) -> Rig:
        own = ScriptedMeter() if meter is None else meter
        settings = {"path": tmp_path / "energy.jsonl", **settings}
        ledger = EnergyLedger(
            meters={"m": own},
            host=host,
            keepalive_s=None,
            pause=host.clock.advance,
            **settings,
        )
        return Rig(host=host, meter=own, ledger=ledger)

    return make
