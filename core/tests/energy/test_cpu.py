import pytest
from fairtrial.energy.conditions import conditions
from fairtrial.energy.cpu import cpu_clock, processors


def test_busy_time_is_all_but_idle_and_waiting(host) -> None:
    host.put("proc/stat", "cpu  100 1 20 900 50 3 4 2 7 0\ncpu0 1\ncpu1 1\nintr 5\n")

    assert (1_300_000, 2) == (cpu_clock(host).busy_us(), processors(host))


def test_the_own_groups_time_holds_that_of_past_children(host) -> None:
    host.put("proc/self/cgroup", "0::/user.slice/run.scope\n")
    host.put("sys/fs/cgroup/user.slice/run.scope/cpu.stat", "usage_usec 1234\nuser_usec 1000\n")

    assert 1234 == cpu_clock(host).own_us()


def test_the_root_group_is_the_whole_machine_and_tells_nothing(host) -> None:
    host.put("proc/self/cgroup", "0::/\n")
    host.put("sys/fs/cgroup/cpu.stat", "usage_usec 1234\n")

    assert None is cpu_clock(host).own_us()


def test_where_nothing_can_be_read_nothing_is_known(host) -> None:
    host.put("proc/stat", "cpu garbage\n")

    assert (None, None, None) == (
        cpu_clock(host).busy_us(),
        cpu_clock(host).own_us(),
        processors(host),
    )


def test_conditions_are_what_idle_power_depends_on(host) -> None:
    host.put("proc/sys/kernel/random/boot_id", "abc\n")
    host.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
    host.put("sys/class/power_supply/AC/online", "1\n")
    host.put("sys/class/power_supply/BAT0/capacity", "80\n")

    assert {"boot_id": "abc", "governor": "powersave", "mains.AC": "1"} == conditions(host)


LIMIT = "constraint_0_power_limit_uw"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("devices/system/cpu/cpu0/cpufreq/scaling_governor", "governor"),
        ("devices/system/cpu/intel_pstate/no_turbo", "no_turbo"),
        ("devices/system/cpu/cpufreq/boost", "boost"),
        (f"class/powercap/intel-rapl:0/{LIMIT}", "power_limit_uw.intel-rapl:0"),
        (f"class/powercap/intel-rapl:1/{LIMIT}", "power_limit_uw.intel-rapl:1"),
        (f"devices/virtual/powercap/x/intel-rapl:1/{LIMIT}", "power_limit_uw.intel-rapl:1"),
        ("class/power_supply/AC/online", "mains.AC"),
    ],
)
def test_governor_turbo_limit_and_power_source_are_such_conditions(host, file, name) -> None:
    host.put(f"sys/{file}", "1\n")

    assert {name: "1"} == conditions(host)
