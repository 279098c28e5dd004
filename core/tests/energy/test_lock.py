import subprocess
import sys

from fairtrial.energy.lock import HostLock

CLAIM = """
import sys
from pathlib import Path
from fairtrial.energy.lock import HostLock
lock = HostLock(folder=Path(sys.argv[1]))
print(lock.claim(), flush=True)
sys.stdin.readline()
"""


def test_row_18_a_second_process_is_told_who_was_first_and_the_first_of_the_second(
    tmp_path,
) -> None:
    lock = HostLock(folder=tmp_path)
    assert "" == lock.claim()
    command = [sys.executable, "-c", CLAIM, str(tmp_path)]

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        told = other.stdout.readline().strip()
        seen = lock.intruders()
        other.communicate("\n", timeout=5)

    assert [f"process {__import__('os').getpid()}", f"process {other.pid}"] == [told, seen]
    assert "" == lock.intruders()
    lock.release()


def test_a_lock_that_was_released_can_be_taken_again(tmp_path) -> None:
    for _ in range(2):
        lock = HostLock(folder=tmp_path)
        assert "" == lock.claim()
        lock.release()
        lock.release()


def test_where_no_lock_can_be_kept_nobody_is_sure(tmp_path) -> None:
    (tmp_path / "file").write_text("")

    lock = HostLock(folder=tmp_path / "file" / "below")

    assert "an unknown process, because no lock can be kept (Not a directory)" == lock.claim()
    lock.release()


def test_what_a_lock_cant_write_about_itself_costs_no_run(tmp_path) -> None:
    (tmp_path / "energy.owner").mkdir()
    for name in ("for-tea", "0", "9" * 30):
        (tmp_path / f"energy-waits-{name}").touch()
    lock = HostLock(folder=tmp_path)

    assert ("", True, "") == (lock.claim(), lock.owned, lock.intruders())
    assert "another process" == HostLock(folder=tmp_path).claim()
    lock.release()
