"""A grader that believes what it is told: exit status 0, and a report in which nothing failed."""

from collections.abc import Callable, Mapping

import pytest
from fairtrial.api import Workspace
from fairtrial.stacks import runner_of

OWN_REPORT = {
    "pytest": ("--junitxml=report.xml",),
    "unittest": ("-v",),
    "node --test": ("--test-reporter=tap",),
    "go test": ("-v",),
    "cargo test": (),
}


@pytest.fixture
def believes(
    workspace: Workspace, offline: Mapping[str, str]
) -> Callable[[tuple[str, ...]], bool]:
    """Tells whether such a grader would call the tree resolved."""
    return lambda argv: _believes(workspace, argv, offline)


def _believes(workspace: Workspace, argv: tuple[str, ...], env: Mapping[str, str]) -> bool:
    runner = runner_of(argv)
    assert runner is not None
    after = argv.index(runner.words[-1]) + 1
    own = (*argv[:after], *OWN_REPORT[runner.name], *argv[after:])
    finished = workspace.run(own, timeout_s=120, env=env)
    text = (finished.stdout + b"\n" + finished.stderr).decode("utf-8", "replace")
    report = workspace.root / "report.xml"
    if report.is_file():
        results = runner.results(report.read_text())
        report.unlink()
        return finished.code == 0 and False not in results.values()
    return finished.code == 0 and "FAIL" not in text and "not ok" not in text
