"""A machine made of files: zones, a driver's library, chip channels, and a ledger over them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field
from fairtrial.api import Energy, Meter
from fairtrial.conformance.fakes import FakeHost
from fairtrial.energy import EnergyLedger

R_INTEL = 262143328850
POWERCAP = "sys/class/powercap"
HASWELL = "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 63\nflags : fpu msr\n"


@define(kw_only=True)
class Machine:
    """Counters as the kernel shows them, moved by the test."""

    host: FakeHost
    counts: dict[str, int] = field(factory=dict)

    def zone(
        self,
        entry: str,
        name: str,
        count: int = 0,
        *,
        span: int | None = R_INTEL,
        tree: str = POWERCAP,
    ) -> None:
        """Shows one zone; an entry with two colons is also nested, as the kernel nests it."""
        places = [f"{tree}/{entry}"]
        if entry.count(":") > 1:
            places = [f"{tree}/{entry.rpartition(':')[0]}/{entry}"]
        for place in places:
            self.host.put(f"{place}/name", f"{name}\n")
            if span is not None:
                self.host.put(f"{place}/max_energy_range_uj", f"{span}\n")
        self.counts[entry] = count
        self.show(entry, count)

    def show(self, entry: str, count: int | str, *, tree: str = POWERCAP) -> None:
        """Makes a zone's counter show something."""
        place = f"{tree}/{entry}"
        if entry.count(":") > 1:
            place = f"{tree}/{entry.rpartition(':')[0]}/{entry}"
        # The file is written in place: a meter keeps it open.
        file = self.host.sysfs.parent / place / "energy_uj"
        with file.open("r+" if file.exists() else "w") as counter:
            counter.truncate(0)
            counter.write(f"{count}\n")

    def used(self, seconds: float, **joules: float) -> None:
        """Lets time pass while zones count; `_` stands for the colons after `intel-rapl`."""
        self.host.clock.advance(seconds)
        for name, used in joules.items():
            entry = "intel-rapl:" + name.removeprefix("z").replace("_", ":")
            self.counts[entry] = (self.counts[entry] + round(used * 1e6)) % R_INTEL
            self.show(entry, self.counts[entry])


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    own = Machine(host=FakeHost.below(tmp_path))
    own.host.put("proc/cpuinfo", HASWELL)
    own.host.put("proc/sys/kernel/random/boot_id", "first\n")
    return own


@pytest.fixture
def metered(machine: Machine) -> Callable[..., Iterator[list[Energy]]]:
    """Opens meters around a block; the list that it gives holds the block's figures after it."""

    @contextmanager
    def window(**meters: Meter) -> Iterator[list[Energy]]:
        found: list[Energy] = []
        with EnergyLedger(
            meters=meters, host=machine.host, keepalive_s=None, pause=machine.host.clock.advance
        ) as ledger:
            own = ledger.begin("block")
            yield found
            own.end()
            found += own.energies()

    return window
