"""The program ends whatever a plugin has left running."""

import subprocess
import sys

import pytest

LEFT = {
    "a thread": "threading.Thread(target=threading.Event().wait, name='stuck').start()",
    "a pool": "concurrent.futures.ThreadPoolExecutor(thread_name_prefix='stuck').submit("
    "threading.Event().wait)",
}
PROGRAM = """
import concurrent.futures, sys, threading
import fairtrial.__main__ as program
program.PATIENCE_S = 0.1
sys.argv = ["fairtrial", "--version"]
{left}
sys.exit(program.command())
"""


@pytest.mark.parametrize("left", LEFT)
def test_a_thread_that_never_ends_is_left_behind(left: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(left=LEFT[left])],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert 0 == done.returncode
    assert done.stdout.startswith("fairtrial ")
    assert done.stderr.startswith("left behind: threads that did not end (stuck")


def test_nothing_is_said_where_nothing_is_left() -> None:
    code = PROGRAM.format(left="")

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert b"" == done.stderr


def test_what_has_ended_by_then_is_waited_for() -> None:
    code = PROGRAM.format(left="program.PATIENCE_S = 0; program._leave(3)")

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)

    assert (0, b"") == (done.returncode, done.stderr)
