"""
The conformance kit: what each kind of plugin promises, as tests that a plugin's author inherits.

A kit needs one fixture, named after its kind:

    class TestEcho(SolverConformance):
        entry_point = "echo"

        @pytest.fixture
        def solver(self) -> EchoSolver:
            return EchoSolver()

New required tests come with a minor release and a line in the changelog, never with a patch. The
same tests run without pytest through `self_check`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.conformance.answerer import AnswererConformance
    from fairtrial.conformance.auditor import AuditorConformance
    from fairtrial.conformance.base import Conformance
    from fairtrial.conformance.check import Outcome, run_kit, self_check
    from fairtrial.conformance.gateway import GatewayConformance
    from fairtrial.conformance.meter import MeterConformance
    from fairtrial.conformance.reporter import ReporterConformance
    from fairtrial.conformance.sandbox import SandboxConformance
    from fairtrial.conformance.selector import SelectorConformance
    from fairtrial.conformance.solver import SolverConformance
    from fairtrial.conformance.suite import SuiteConformance

_HOMES = {
    "AnswererConformance": "answerer",
    "AuditorConformance": "auditor",
    "Conformance": "base",
    "GatewayConformance": "gateway",
    "MeterConformance": "meter",
    "Outcome": "check",
    "ReporterConformance": "reporter",
    "SandboxConformance": "sandbox",
    "SelectorConformance": "selector",
    "SolverConformance": "solver",
    "SuiteConformance": "suite",
    "run_kit": "check",
    "self_check": "check",
}

__all__ = [
    "AnswererConformance",
    "AuditorConformance",
    "Conformance",
    "GatewayConformance",
    "MeterConformance",
    "Outcome",
    "ReporterConformance",
    "SandboxConformance",
    "SelectorConformance",
    "SolverConformance",
    "SuiteConformance",
    "run_kit",
    "self_check",
]


def __getattr__(name: str) -> object:
    """Imports the kit that is asked for, and no other."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
