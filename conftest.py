"""Rules for the whole test suite."""

import os
from collections.abc import Generator

import pytest

STRICT = "FAIRTRIAL_NO_SKIP"


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
