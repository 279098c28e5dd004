"""Numbers that `fairtrial energy` can't do anything with, refused before anything starts."""

from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("watch", "--every-s", "inf"), "--every-s takes at most 3600 seconds"),
        (("watch", "--every-s", "1e12"), "--every-s takes at most 3600 seconds"),
        (("watch", "--lines", "9" * 20), "--lines takes a whole number from 0 to 1000000000"),
        (
            ("calibrate", "--window-s", "1e12"),
            "--window-s takes at most 3600 seconds",
        ),
        (("calibrate", "--windows", "9" * 20), "--windows takes a whole number from 1 to 1000"),
        (
            ("footprint", "r", "--usd-per-kwh", "inf"),
            "--usd-per-kwh takes a number from 0 to 1,000",
        ),
        (
            ("footprint", "r", "--usd-per-kwh", "nan"),
            "--usd-per-kwh takes a number from 0 to 1,000",
        ),
        (("footprint", "r", "--g-per-kwh", "1e308"), "--g-per-kwh takes a number from 0 to 1,000"),
        (("footprint", "r", "--pue", "inf"), "--pue takes a number from 1 to 1,000"),
        (("footprint", "r", "--pue", "0.9"), "--pue takes a number from 1 to 1,000"),
    ],
)
def test_a_number_beyond_all_use_is_refused(run: Run, words, said) -> None:
    done = run("energy", *words)

    assert (2, True) == (done.returncode, done.stderr.startswith(f"error: {said}"))
