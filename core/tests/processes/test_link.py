import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import EndedBy
from fairtrial.processes import Job, Limits, close, run, start
from fairtrial.processes.link import LINK

Shell = Callable[[str], Job]


def test_a_nursery_that_was_killed_is_replaced(shell: Shell) -> None:
    run(shell("true"), timeout_s=9)
    os.kill(LINK.pid, signal.SIGKILL)
    for _ in range(3):
        assert 0 == run(shell("true"), timeout_s=9).code


def test_a_nursery_that_was_stopped_goes_on(shell: Shell) -> None:
    run(shell("true"), timeout_s=9)
    os.kill(LINK.pid, signal.SIGSTOP)
    assert 0 == run(shell("true"), timeout_s=9).code


def test_closing_ends_what_runs_and_leaves_no_process(shell: Shell) -> None:
    program = start(shell("echo up; sleep 60"), timeout_s=60)
    assert "up" == next(program.lines())
    nursery = LINK.pid
    close()
    with pytest.raises(ProcessLookupError):
        os.kill(nursery, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(program.pid, 0)
    assert EndedBy.INTERRUPT == program.end().ended_by


def test_a_polite_kill_does_not_end_the_nursery(shell: Shell) -> None:
    run(shell("true"), timeout_s=9)
    nursery = LINK.pid
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(nursery, number)
    assert EndedBy.EXIT == run(shell("true"), timeout_s=9).ended_by
    assert nursery == LINK.pid


def test_a_harness_that_ends_by_itself_leaves_no_nursery() -> None:
    code = (
        "from pathlib import Path\n"
        "from fairtrial.processes import Job, run\n"
        "from fairtrial.processes.link import LINK\n"
        "run(Job(argv=('true',), env={'PATH': '/usr/bin:/bin'}, cwd=Path('/')), timeout_s=9)\n"
        "print(LINK.pid)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=20
    )
    assert b"" == ended.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)


def test_a_fork_of_the_harness_has_a_nursery_of_its_own(shell: Shell) -> None:
    run(shell("true"), timeout_s=9)
    before = LINK.pid
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        code = run(shell("exit 3"), timeout_s=9).code
        os.write(write, f"{code} {LINK.pid}".encode())
        close()
        os._exit(0)
    os.waitpid(child, 0)
    said, other = os.read(read, 99).split()
    os.close(read)
    os.close(write)
    assert b"3" == said
    assert int(other) != before
    assert 0 == run(shell("true"), timeout_s=9).code
    assert before == LINK.pid


def test_a_warden_serves_again_and_again_as_long_as_it_is_clean(shell: Shell) -> None:
    close()
    wardens = {run(shell("echo $PPID"), timeout_s=9).stdout for _ in range(5)}
    assert 1 == len(wardens)
    stray = run(shell("echo $PPID; setsid sleep 60 &"), timeout_s=9).stdout
    assert {stray} == wardens
    limited = evolve(shell("echo $PPID; ulimit -f"), limits=Limits(file_mb=1))
    assert {run(limited, timeout_s=9).stdout.split()[0] + b"\n"} == wardens
    after = run(shell("echo $PPID; ulimit -f"), timeout_s=9).stdout.split()
    assert b"unlimited" == after[1]
    assert {after[0] + b"\n"} != wardens


def test_an_idle_warden_that_was_killed_or_stopped_is_no_loss(shell: Shell) -> None:
    for number in (signal.SIGKILL, signal.SIGSTOP):
        warden = int(run(shell("echo $PPID"), timeout_s=9).stdout)
        os.kill(warden, number)
        assert b"fine\n" == run(shell("echo fine"), timeout_s=9).stdout


def test_an_end_that_comes_too_late_does_not_hit_the_next_program(shell: Shell) -> None:
    for _ in range(50):
        first = start(shell("true"), timeout_s=9)
        first.end(grace_s=0.003)
        assert b"whole\n" == run(shell("sleep 0.001; echo whole"), timeout_s=9).stdout


def test_what_a_harness_had_asked_for_when_it_died_is_not_begun(
    shell: Shell, tmp_path: Path
) -> None:
    requests, nurserys = socket.socketpair()
    control, wardens = socket.socketpair()
    with requests, control, wardens, Path(os.devnull).open("rb") as nothing:
        handles = [nothing.fileno()] * 3
        socket.send_fds(control, [shell("echo begun > begun").encode()], handles)
        socket.send_fds(requests, [b"w"], [wardens.fileno()])
    with nurserys:
        code = f"from fairtrial.processes.nursery import main; main({nurserys.fileno()})"
        begun = [sys.executable, "-c", code]
        subprocess.run(begun, pass_fds=[nurserys.fileno()], check=True, timeout=20)

    assert [] == list(tmp_path.iterdir())
