"""
Fakes of all that a plugin meets: hosts, sessions, workspaces, a suite, solvers, records.

Complete enough to test a plugin without hardware, money or time; each is free to use in any
plugin's own tests.
"""

from fairtrial.conformance.fakes.host import FakeClock, FakeHost
from fairtrial.conformance.fakes.records import (
    big_run,
    empty_run,
    silent_run,
    three_trial_run,
    two_runs,
)
from fairtrial.conformance.fakes.selecting import FakeSelectionSession
from fairtrial.conformance.fakes.session import CannedAnswers, FakeSession
from fairtrial.conformance.fakes.solvers import ScriptedSolver
from fairtrial.conformance.fakes.suite import ThreeTaskSuite, sample_task
from fairtrial.conformance.fakes.workspace import (
    ScriptedRunning,
    ScriptedWorkspace,
    open_local,
)

__all__ = [
    "CannedAnswers",
    "FakeClock",
    "FakeHost",
    "FakeSelectionSession",
    "FakeSession",
    "ScriptedRunning",
    "ScriptedSolver",
    "ScriptedWorkspace",
    "ThreeTaskSuite",
    "big_run",
    "empty_run",
    "open_local",
    "sample_task",
    "silent_run",
    "three_trial_run",
    "two_runs",
]
