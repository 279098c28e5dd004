"""The kits as the authors of the skeletons would set them up."""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve
from fairtrial.api import Evidence, GatewaySession, Host, Solver, ToolCall
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
from fairtrial.conformance.base import Conformance
from fairtrial.conformance.fakes import FakeHost


class Meters(MeterConformance):
    def host(self, directory: Path) -> Host:
        host = FakeHost.below(directory)
        host.put("sys/class/hwmon/hwmon0/energy1_input", "123456\n")
        return host


class Auditors(AuditorConformance):
    def planted(self) -> Mapping[str, Evidence]:
        call = ToolCall(tool_call_id="1", name="Bash", input={"command": "git log -p"})
        return {"reads-history": evidence(events=(call,))}


class Solvers(SolverConformance):
    def stuck(self, solver: Solver) -> Solver:
        return evolve(solver, argv=("sleep", "20"))  # type: ignore[misc,type-var]  # attrs classes all


class Budgets(GatewayConformance):
    enforces_budget = True

    def spend(self, session: GatewaySession) -> None:
        session.request(0.01)  # type: ignore[attr-defined]  # the wrong gateway's own


KITS: Mapping[str, type[Conformance]] = {
    "answerer": AnswererConformance,
    "auditor": Auditors,
    "gateway": GatewayConformance,
    "meter": Meters,
    "reporter": ReporterConformance,
    "sandbox": SandboxConformance,
    "selector": SelectorConformance,
    "solver": Solvers,
    "suite": SuiteConformance,
}
