"""The skeletons keep every promise of their kinds."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import evolve
from fairtrial.api import (
    Answerer,
    Auditor,
    Evidence,
    Gateway,
    Host,
    Meter,
    Reporter,
    Sandbox,
    Selector,
    Solver,
    Suite,
    ToolCall,
)
from fairtrial.builtin.local import LocalSandbox
from fairtrial.conformance import (
    AnswererConformance,
    AuditorConformance,
    GatewayConformance,
    MeterConformance,
    ReporterConformance,
    SandboxConformance,
    SelectorConformance,
    SolverConformance,
    SuiteConformance,
)
from fairtrial.conformance.auditor import evidence
from fairtrial.conformance.fakes import FakeHost, ScriptedSolver, ThreeTaskSuite
from fairtrial.conformance.skeletons.answerer import EchoAnswerer
from fairtrial.conformance.skeletons.auditor import EchoAuditor
from fairtrial.conformance.skeletons.gateway import EchoGateway
from fairtrial.conformance.skeletons.meter import EchoMeter
from fairtrial.conformance.skeletons.reporter import EchoReporter
from fairtrial.conformance.skeletons.sandbox import EchoSandbox
from fairtrial.conformance.skeletons.selector import EchoSelector
from fairtrial.conformance.skeletons.solver import EchoSolver
from fairtrial.conformance.skeletons.suite import EchoSuite


class TestSolver(SolverConformance):
    @pytest.fixture
    def solver(self) -> Solver:
        return EchoSolver()

    def stuck(self, solver: Solver) -> Solver:
        return EchoSolver(argv=("sleep", "20"))


class TestScriptedSolver(SolverConformance):
    asks_questions = False

    @pytest.fixture
    def solver(self) -> Solver:
        return ScriptedSolver(writes={"answer.txt": "5\n"})


class TestMeter(MeterConformance):
    @pytest.fixture
    def meter(self) -> Meter:
        return EchoMeter(path="class/power/energy")

    def host(self, directory: Path) -> Host:
        host = FakeHost.below(directory)
        host.put("sys/class/power/energy", "123456\n")
        return host


class TestGateway(GatewayConformance):
    @pytest.fixture
    def gateway(self) -> Gateway:
        return EchoGateway()


class TestSuite(SuiteConformance):
    @pytest.fixture
    def suite(self) -> Suite:
        return EchoSuite()


class TestThreeTaskSuite(SuiteConformance):
    @pytest.fixture
    def suite(self) -> Suite:
        return ThreeTaskSuite()


class TestAuditor(AuditorConformance):
    @pytest.fixture
    def auditor(self) -> Auditor:
        return EchoAuditor()

    def planted(self) -> Mapping[str, Evidence]:
        call = ToolCall(tool_call_id="1", name="Bash", input={"command": "git log -p"})
        return {"reads-history": evidence(events=(call,))}


class TestReporter(ReporterConformance):
    @pytest.fixture
    def reporter(self) -> Reporter:
        return EchoReporter(title="Who did what")


class TestAnswerer(AnswererConformance):
    @pytest.fixture
    def answerer(self) -> Answerer:
        return evolve(EchoAnswerer(), reply='Ask "me" not: \x7f é 🦊')


class TestSelector(SelectorConformance):
    @pytest.fixture
    def selector(self) -> Selector:
        return EchoSelector(skip_unchanged=False)


class TestSandbox(SandboxConformance):
    @pytest.fixture
    def sandbox(self) -> Sandbox:
        return EchoSandbox()


class TestLocalSandbox(SandboxConformance):
    entry_point = "local"

    @pytest.fixture
    def sandbox(self) -> Sandbox:
        return LocalSandbox()
