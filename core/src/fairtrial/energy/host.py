"""This machine, as a meter sees it: where its files are, and its two clocks."""

import sys
import time
from pathlib import Path

from attrs import frozen

from fairtrial.api.meter import Host
from fairtrial.energy.boot import this_session


@frozen(kw_only=True)
class ThisHost:
    """
    The machine that the program runs on.

    Attributes:
        sysfs: Where the kernel shows its devices.
        proc: Where it shows its processes.
    """

    sysfs: Path = Path("/sys")
    proc: Path = Path("/proc")

    def monotonic_ns(self) -> int:
        """Nanoseconds that stop while the machine sleeps."""
        return time.monotonic_ns()

    def boottime_ns(self) -> int:
        """Nanoseconds that go on while the machine sleeps."""
        # macOS has no CLOCK_BOOTTIME; its CLOCK_MONOTONIC is the one that counts sleep.
        if sys.platform == "darwin":
            return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        if sys.platform == "linux":
            return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        return time.monotonic_ns()

    def boot_session(self) -> str:
        """What names this boot where no file does, on macOS."""
        return this_session()


_: type[Host] = ThisHost
