import os
import pty
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fairtrial.api import EndedBy
from fairtrial.processes import Job, Limits, close, interrupt, run, start

Shell = Callable[[str], Job]


def test_exit_status_and_both_streams_come_apart(shell: Shell) -> None:
    finished = run(shell("echo out; echo err >&2; exit 7"), timeout_s=9)
    assert (7, EndedBy.EXIT) == (finished.code, finished.ended_by)
    assert (b"out\n", b"err\n") == (finished.stdout, finished.stderr)
    assert finished.signal is None
    assert not finished.truncated


def test_a_signal_is_told_by_its_number(shell: Shell) -> None:
    finished = run(shell("kill -SEGV $$"), timeout_s=9)
    assert (None, EndedBy.SIGNAL, 11) == (finished.code, finished.ended_by, finished.signal)


def test_what_was_printed_before_a_timeout_is_kept(shell: Shell) -> None:
    finished = run(shell("echo partial; echo why >&2; sleep 60"), timeout_s=0.2)
    assert (None, EndedBy.TIMEOUT) == (finished.code, finished.ended_by)
    assert (b"partial\n", b"why\n") == (finished.stdout, finished.stderr)
    assert 0.2 <= finished.wall_s < 1.0


@pytest.mark.parametrize("timeout_s", [3e6, 1e10, 1e300])
def test_a_limit_may_lie_further_off_than_the_system_can_wait(
    shell: Shell, timeout_s: float
) -> None:
    assert EndedBy.EXIT == run(shell("true"), timeout_s=timeout_s).ended_by
    program = start(shell("true"), timeout_s=timeout_s, idle_s=timeout_s)
    assert program.wait(timeout_s)


def test_an_idle_program_is_told_from_a_slow_one(shell: Shell) -> None:
    slow = start(
        shell("for i in 1 2 3 4; do echo $i >&2; sleep 0.1; done"), timeout_s=9, idle_s=0.3
    )
    idle = start(shell("echo 1; sleep 60"), timeout_s=9, idle_s=0.2)
    assert slow.wait(9)
    assert EndedBy.EXIT == slow.end().ended_by
    assert idle.wait(9)
    assert (EndedBy.IDLE, b"1\n") == (idle.end().ended_by, idle.end().stdout)


def test_a_program_without_stdin_reads_its_end_at_once(shell: Shell) -> None:
    assert (0, b"") == (run(shell("cat"), timeout_s=9).code, run(shell("cat"), timeout_s=9).stdout)
    program = start(shell("cat"), timeout_s=9)
    assert program.wait(9)
    assert EndedBy.EXIT == program.end().ended_by


def test_every_byte_comes_through_unchanged(shell: Shell) -> None:
    data = bytes(range(256)) * 300
    assert data == run(shell("cat"), timeout_s=9, stdin=data).stdout


def test_stdin_of_megabytes_is_no_dead_lock(shell: Shell) -> None:
    finished = run(shell("cat | wc -c"), timeout_s=9, stdin=b"x" * 5_000_000)
    assert 5_000_000 == int(finished.stdout)


def test_a_program_that_does_not_read_its_stdin_is_no_error(shell: Shell) -> None:
    assert 0 == run(shell("exit 0"), timeout_s=9, stdin=b"x" * 5_000_000).code
    program = start(shell("exec <&-; echo deaf; sleep 60"), timeout_s=9, stdin=True)
    assert "deaf" == next(program.lines())
    program.write(b"x" * 1_000_000)
    program.close_stdin()
    program.close_stdin()
    program.write(b"late")
    assert EndedBy.CALLER == program.end().ended_by


def test_a_dialogue_line_by_line(shell: Shell) -> None:
    program = start(shell("while read x; do echo got $x; done"), timeout_s=9, stdin=True)
    lines = program.lines()
    for word in ("one", "two"):
        program.write(f"{word}\n".encode())
        assert f"got {word}" == next(lines)
    program.close_stdin()
    assert [] == list(lines)
    assert program.wait(9)
    assert (0, EndedBy.EXIT) == (program.end().code, program.end().ended_by)


def test_a_chatty_program_is_drained_although_nobody_reads(shell: Shell) -> None:
    program = start(shell("head -c 300000000 /dev/zero; echo end >&2"), timeout_s=60)
    assert program.wait(60)
    finished = program.end()
    assert (0, b"end\n", True) == (finished.code, finished.stderr, finished.truncated)
    assert b"[... 299897600 bytes left out ...]" in finished.stdout
    assert len(finished.stdout) < 110_000


def test_output_without_end_is_cut_while_it_comes(shell: Shell) -> None:
    """evalscope#1685."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    finished = run(shell("yes"), timeout_s=0.3)
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (EndedBy.TIMEOUT, True) == (finished.ended_by, finished.truncated)
    assert finished.stdout.startswith(b"y\ny\n")
    assert len(finished.stdout) < 110_000
    assert grown_kib < 32 * 1024


@pytest.mark.parametrize("timeout_s", [-1, 0])
def test_no_time_at_all_is_no_time_without_end(shell: Shell, timeout_s: float) -> None:
    """evalscope#1688."""
    began = time.monotonic()
    assert EndedBy.TIMEOUT == run(shell("sleep 60"), timeout_s=timeout_s).ended_by
    program = start(shell("sleep 60"), timeout_s=timeout_s)
    assert program.wait(9)
    assert EndedBy.TIMEOUT == program.end().ended_by
    assert time.monotonic() - began < 5


def test_a_program_that_asks_again_and_again_is_ended_by_its_limit(shell: Shell) -> None:
    """SWE-ReX#281."""
    line = "until read answer; do echo 'yes or no?'; done"
    finished = run(shell(line), timeout_s=0.3)
    assert (EndedBy.TIMEOUT, True) == (finished.ended_by, finished.truncated)
    assert finished.stdout.startswith(b"yes or no?\n")


HARNESS = """
import fcntl, sys, termios
from pathlib import Path
from fairtrial.processes import Job, run

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for line in ("cat", "tty", "cat </dev/tty"):
    job = Job(argv=("sh", "-c", line), env={"PATH": "/usr/bin:/bin"}, cwd=Path(sys.argv[1]))
    done = run(job, timeout_s=9)
    print(done.ended_by, done.code, done.stdout.decode().strip(), flush=True)
"""


def test_a_program_never_gets_the_users_terminal(tmp_path: Path) -> None:
    """SWE-ReX#281: stdin that is inherited, and prompts that read the terminal itself."""
    ours, theirs = pty.openpty()
    argv = [sys.executable, "-c", HARNESS, str(tmp_path)]
    with subprocess.Popen(
        argv, stdin=theirs, stdout=subprocess.PIPE, start_new_session=True
    ) as harness:
        os.close(theirs)
        assert harness.stdout is not None
        said = harness.stdout.read().decode().splitlines()
    os.close(ours)
    assert ["exit 0 ", "exit 1 not a tty"] == said[:2]
    # There is no terminal to be opened: it fails at once, and waits for nobody.
    assert re.fullmatch(r"exit [12] ", said[2])


def test_a_slow_reader_of_lines_misses_nothing(shell: Shell) -> None:
    program = start(shell("seq 1 2000000"), timeout_s=60)
    lines = program.lines()
    first = next(lines)
    time.sleep(0.2)
    assert [first, *lines] == [str(number) for number in range(1, 2_000_001)]
    assert EndedBy.EXIT == program.end(grace_s=9).ended_by


def test_a_reader_that_stopped_reading_does_not_hold_up_the_end(shell: Shell) -> None:
    program = start(shell("yes"), timeout_s=0.3)
    lines = program.lines()
    assert "y" == next(lines)
    assert program.wait(9)
    assert EndedBy.TIMEOUT == program.end().ended_by


def test_lines_end_when_a_limit_fires(shell: Shell) -> None:
    program = start(shell("printf 'a\\nb'; sleep 60"), timeout_s=0.2)
    assert ["a", "b"] == list(program.lines())
    assert EndedBy.TIMEOUT == program.end().ended_by


def test_undecodable_lines_are_read_with_replacement(shell: Shell) -> None:
    program = start(shell("printf '\\377\\376x\\r\\n\\303\\244\\n\\n'"), timeout_s=9)
    assert ["\ufffd\ufffdx", "ä", ""] == list(program.lines())


def test_logs_are_private_and_hold_all(shell: Shell, tmp_path: Path) -> None:
    program = start(shell("seq 1 100000; echo err >&2"), timeout_s=9, log=tmp_path)
    assert program.wait(9)
    assert 100_000 == len((tmp_path / "stdout").read_text().splitlines())
    assert "err\n" == (tmp_path / "stderr").read_text()
    assert 0o600 == (tmp_path / "stdout").stat().st_mode & 0o777


def test_a_log_can_not_be_led_elsewhere_by_a_link(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log/stdout").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic links"):
        start(shell("echo x"), timeout_s=9, log=tmp_path / "log")
    assert not (tmp_path / "victim").exists()


def test_end_waits_for_the_grace_and_says_the_same_twice(shell: Shell) -> None:
    program = start(shell("sleep 0.1; exit 4"), timeout_s=9)
    finished = program.end(grace_s=9)
    assert (4, EndedBy.EXIT) == (finished.code, finished.ended_by)
    assert finished is program.end()


def test_interrupt_ends_all_that_runs_and_says_so(shell: Shell) -> None:
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(run(shell("sleep 60"), timeout_s=60)))
    thread.start()
    program = start(shell("echo up; sleep 60"), timeout_s=60)
    assert "up" == next(program.lines())
    while interrupt() and thread.is_alive():
        thread.join(0.01)
    thread.join(9)
    assert EndedBy.INTERRUPT == program.end().ended_by
    assert [EndedBy.INTERRUPT] == [outcome.ended_by for outcome in outcomes]
    assert 0 == interrupt()


def test_many_threads_start_programs_at_once(shell: Shell) -> None:
    codes: list[int | None] = []
    threads = [
        threading.Thread(
            target=lambda n=n: codes.extend(
                run(shell(f"exit {n}"), timeout_s=30).code for _ in range(5)
            )
        )
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(list(range(12)) * 5) == sorted(code for code in codes if code is not None)


def test_nothing_of_the_harness_reaches_the_program(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    with (tmp_path / "open file").open("w") as leaked:
        os.set_inheritable(leaked.fileno(), True)
        close()  # so that the nursery is started while the file is open
        line = "env; ls -l /proc/$$/fd; grep -E 'Sig(Blk|Ign)' /proc/self/status"
        seen = run(shell(line), timeout_s=9)
    text = seen.stdout.decode()
    assert "hunter2" not in text
    assert "open file" not in text
    assert "socket" not in text
    masks = [int(mask, 16) for mask in re.findall(r"Sig(?:Blk|Ign):\s(\w+)", text)]
    # Numbers 32 and 33 are the C library's own.
    assert [0, 0] == [mask & 0x7FFFFFFF for mask in masks]


def test_limits_are_held_and_no_core_file_is_written(shell: Shell, tmp_path: Path) -> None:
    job = Job(
        argv=(sys.executable, "-c", "open('big', 'wb').write(bytes(3 << 20))"),
        env={},
        cwd=tmp_path,
        limits=Limits(file_mb=1),
    )
    assert 0 != run(job, timeout_s=9).code
    assert 1 << 20 == (tmp_path / "big").stat().st_size
    greedy = Job(
        argv=(sys.executable, "-c", "bytes(300 << 20)"),
        env={},
        cwd=tmp_path,
        limits=Limits(memory_mb=100),
    )
    assert b"MemoryError" in run(greedy, timeout_s=9).stderr
    assert b"0\n" == run(shell("ulimit -c"), timeout_s=9).stdout


def test_programs_that_can_not_be_run_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no program")
    for argv, error in (
        (("nonesuch",), FileNotFoundError),
        (("./nonesuch",), FileNotFoundError),
        (("./plain",), PermissionError),
        (("sh", "x" * 200_000), OSError),
        (("sh", "a\0b"), ValueError),
    ):
        with pytest.raises(error):
            run(Job(argv=argv, env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path), timeout_s=9)


def test_a_killed_harness_leaves_nobody(
    tmp_path: Path, token: str, survivors: Callable[[], list[str]]
) -> None:
    script = tmp_path / "harness.py"
    script.write_text(
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from fairtrial.processes import Job, start, run\n"
        "def job(*tricks):\n"
        "    return Job(argv=(sys.executable, sys.argv[1], sys.argv[2], *tricks),\n"
        "               env={}, cwd=Path(sys.argv[3]))\n"
        "a = start(job('double_fork', 'new_session', 'linger'), timeout_s=60)\n"
        "b = start(job('holds_the_pipe', 'comet', 'linger'), timeout_s=60)\n"
        "print(next(b.lines()), flush=True)\n"
        "run(job('ignores_signals', 'linger'), timeout_s=60)\n"
    )
    escapes = str(Path(__file__).with_name("escapes.py"))
    argv = [sys.executable, str(script), escapes, token, str(tmp_path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as harness:
        assert harness.stdout is not None
        assert b"still here\n" == harness.stdout.readline()
        os.kill(harness.pid, signal.SIGKILL)
    assert [] == survivors()
