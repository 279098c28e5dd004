"""Rules for the whole test suite."""

import os
import shutil
import tempfile
from collections.abc import Generator

import pytest

STRICT = "FAIRTRIAL_NO_SKIP"

_data = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Keeps what tests spend out of the user's own journal."""
    config.stash[_data] = os.environ["FAIRTRIAL_DATA"] = tempfile.mkdtemp(prefix="fairtrial-data-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clears it away."""
    shutil.rmtree(config.stash[_data], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,  # noqa: ARG001 - pluggy goes by the names
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turns a skip into a failure where skipping is forbidden, as it is in CI."""
    report = yield
    if os.environ.get(STRICT) and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and {STRICT} forbids it: {call.excinfo}"
    return report
