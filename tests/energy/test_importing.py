"""A meter is imported with little beside it: attrs, and the part of the interface that it needs."""

import subprocess
import sys

import pytest

SLOW = {"asyncio", "cattrs", "ctypes", "logging", "pathlib", "pynvml", "structlog", "subprocess"}
"""What takes as long as a meter itself, or longer."""


@pytest.mark.parametrize("name", ["apple", "cgroup", "estimator", "nvml", "rapl"])
def test_a_meter_brings_nothing_slow(name: str) -> None:
    code = f"import sys, fairtrial_meter_{name}; print(*sys.modules)"
    # Isolated and without `site`, whose own imports differ from one environment to the next.
    found = f"import sys; sys.path[:] = {sys.path!r}; {code}"

    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", found], check=True, capture_output=True, text=True
    ).stdout.split()

    assert f"fairtrial_meter_{name}" in loaded
    assert SLOW.isdisjoint(loaded)
