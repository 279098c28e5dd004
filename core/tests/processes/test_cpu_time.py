"""The CPU time of a workspace's programs: all of it, or not known."""

import sys
from collections.abc import Callable

import pytest
from fairtrial.api import SandboxDied
from fairtrial.processes import Crew, Job

BURN = "import time\nwhile time.process_time() < {seconds}: pass\n"
ORPHAN = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while time.process_time() < 0.2:
            pass
        print("burnt", flush=True)
        while True:
            pass
    os._exit(0)
os.wait()
time.sleep(60)
"""
CHILD = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
child.stdout.readline()
child.kill()
os._exit(0)
"""
US = 1_000_000


@pytest.fixture
def crew(shell: Callable[[str], Job]) -> Crew:
    return Crew(shell("").cwd)


@pytest.fixture
def python(shell: Callable[[str], Job]) -> Callable[..., Job]:
    """A job that runs a Python program."""

    def job(code: str, *args: str) -> Job:
        return Job(
            argv=(sys.executable, "-c", code, *args), env={}, cwd=shell("").cwd, label="burns"
        )

    return job


def test_programs_add_up_and_none_is_counted_for_another(
    crew: Crew, python: Callable[..., Job], shell: Callable[[str], Job]
) -> None:
    assert 0 == crew.cpu_us()
    found = []
    for job in (python(BURN.format(seconds=0.2)), shell("true"), shell("true"), shell("exit 3")):
        before_us = crew.cpu_us()
        crew.run(job, timeout_s=20)
        found.append((crew.cpu_us() or 0) - (before_us or 0))
    assert 0.2 * US <= found[0] < 0.6 * US
    assert all(0 < used_us < 0.1 * US for used_us in found[1:])
    assert sum(found) == crew.cpu_us()


def test_an_orphan_that_was_killed_is_counted(crew: Crew, python: Callable[..., Job]) -> None:
    running = crew.start(python(ORPHAN), timeout_s=20)
    assert "burnt" == next(running.lines()).strip()
    assert crew.cpu_us() is None
    running.end()
    assert (crew.cpu_us() or 0) >= 0.2 * US


def test_a_killed_child_that_nobody_waited_for_is_counted(
    crew: Crew, python: Callable[..., Job]
) -> None:
    code = BURN.format(seconds=0.2) + "print('burnt', flush=True)\n" + BURN.format(seconds=60)
    crew.run(python(CHILD, code), timeout_s=20)
    assert (crew.cpu_us() or 0) >= 0.2 * US


def test_one_whose_warden_was_killed_leaves_it_unknown(
    crew: Crew, escape: Callable[..., Job], shell: Callable[[str], Job]
) -> None:
    with pytest.raises(SandboxDied):
        crew.run(escape("kills_the_warden"), timeout_s=20)
    assert crew.cpu_us() is None
    crew.run(shell("true"), timeout_s=20)
    assert crew.cpu_us() is None
