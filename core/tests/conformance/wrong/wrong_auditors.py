import os
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, frozen
from fairtrial.api import Evidence, Finding, ToolCall
from fairtrial.conformance.skeletons.auditor import EchoAuditor


@frozen(kw_only=True)
class SuspiciousAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        found = super().audit(evidence)
        guess = Finding(rule="too-quick", enforcing=False, where="patch", evidence="small")
        return None if found is None else (*found, guess)


@frozen(kw_only=True)
class LenientAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        return super().audit(evidence) or ()


@frozen(kw_only=True)
class FragileAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        for event in evidence.events or ():
            if isinstance(event, ToolCall) and event.name == "Bash":
                str(event.input["command"]).index("git")
        return super().audit(evidence)


@frozen(kw_only=True)
class BlindAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        return None if evidence.events is None else ()


@frozen(kw_only=True)
class VagueAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        found = super().audit(evidence)
        return None if found is None else [evolve(finding, where="") for finding in found]


@frozen(kw_only=True)
class UnruledAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        found = super().audit(evidence)
        return found and [*found, evolve(found[0], rule="")]


@frozen(kw_only=True)
class CuriousAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        Path("/etc/passwd").read_bytes()
        return super().audit(evidence)


@frozen(kw_only=True)
class FickleAuditor(EchoAuditor):
    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        found = super().audit(evidence)
        return found and [evolve(one, evidence=os.urandom(8).hex()) for one in found]
