"""
CPU time of the machine and of this process's own cgroup, to tell who else was busy.

Formats: proc(5) for `stat` (in ticks of 1/100 s to user space) and the kernel's cgroup v2
documentation for `cpu.stat`.
"""

from pathlib import Path

from attrs import frozen

from fairtrial.api.meter import Host

_TICK_US = 10_000
_IDLE_FIELDS = (3, 4)  # idle and iowait; guest time (8, 9) is already inside user time


@frozen(kw_only=True)
class CpuClock:
    """
    Reads CPU time so far.

    Attributes:
        stat: The machine's `stat` file.
        group: The `cpu.stat` of this process's cgroup; None where there is none of its own.
    """

    stat: Path
    group: Path | None = None

    def busy_us(self) -> int | None:
        """Returns microseconds in which any CPU was busy; None where that can't be read."""
        try:
            with self.stat.open("rb") as file:
                fields = [int(word) for word in file.readline().split()[1:9]]
        except (OSError, ValueError):
            return None
        if len(fields) <= max(_IDLE_FIELDS):
            return None
        return (sum(fields) - sum(fields[index] for index in _IDLE_FIELDS)) * _TICK_US

    def own_us(self) -> int | None:
        """Returns microseconds that this process's cgroup used, its past children included."""
        if self.group is None:
            return None
        try:
            for line in self.group.read_bytes().splitlines():
                if line.startswith(b"usage_usec "):
                    return int(line.split()[1])
        except (OSError, ValueError):
            return None
        return None


def cpu_clock(host: Host) -> CpuClock:
    """
    Returns the clock of this process on a host.

    The root cgroup holds the whole machine, so it tells nobody's share and is not used.
    """
    try:
        lines = (host.proc / "self" / "cgroup").read_text().splitlines()
    except (OSError, ValueError):
        lines = []
    inside = next((line[3:] for line in lines if line.startswith("0::")), "/")
    group = host.sysfs / "fs" / "cgroup" / inside.lstrip("/") / "cpu.stat"
    known = inside != "/" and group.is_file()
    return CpuClock(stat=host.proc / "stat", group=group if known else None)


def processors(host: Host) -> int | None:
    """Returns how many CPUs the machine has; None where that can't be read."""
    try:
        lines = (host.proc / "stat").read_text().splitlines()
    except (OSError, ValueError):
        return None
    return sum(line[:3] == "cpu" and line[3:4].isdigit() for line in lines) or None
