"""A host without hardware: its files are a directory, its clocks are set by hand."""

from pathlib import Path
from typing import Self

from attrs import define, field, frozen

NS_PER_S = 1_000_000_000


@define(kw_only=True)
class FakeClock:
    """
    A clock that only moves when it is told to.

    Attributes:
        now_ns: Nanoseconds that the machine was awake.
        asleep_ns: Nanoseconds that it slept.
    """

    now_ns: int = 1_000 * NS_PER_S
    asleep_ns: int = 0

    def advance(self, seconds: float) -> None:
        """Lets time pass, awake."""
        self.now_ns += round(seconds * NS_PER_S)

    def sleep(self, seconds: float) -> None:
        """Lets time pass while the machine sleeps."""
        self.asleep_ns += round(seconds * NS_PER_S)


@frozen(kw_only=True)
class FakeHost:
    """
    What a meter is shown instead of the machine.

    Attributes:
        sysfs: Stands for `/sys`.
        proc: Stands for `/proc`.
        clock: Moved by the test.
    """

    sysfs: Path
    proc: Path
    clock: FakeClock = field(factory=FakeClock)

    @classmethod
    def below(cls, directory: Path) -> Self:
        """Makes a host with an empty `/sys` and `/proc` in a directory."""
        host = cls(sysfs=directory / "sys", proc=directory / "proc")
        host.sysfs.mkdir(parents=True, exist_ok=True)
        host.proc.mkdir(parents=True, exist_ok=True)
        return host

    def put(self, path: str, text: str) -> None:
        """Writes one file, such as `sys/class/powercap/intel-rapl:0/name`."""
        root, _, rest = path.partition("/")
        place = {"sys": self.sysfs, "proc": self.proc}[root] / rest
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def monotonic_ns(self) -> int:
        """Returns the clock's time awake."""
        return self.clock.now_ns

    def boottime_ns(self) -> int:
        """Returns the clock's time awake and asleep."""
        return self.clock.now_ns + self.clock.asleep_ns
