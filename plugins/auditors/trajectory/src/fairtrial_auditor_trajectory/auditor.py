"""The auditor: patterns over a trajectory, each enforcing or a mere remark by its calibration."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen
from attrs.validators import deep_mapping, ge, in_
from fairtrial.api import Auditor, Evidence, Finding

from fairtrial_auditor_trajectory import calibration
from fairtrial_auditor_trajectory.judging import scan
from fairtrial_auditor_trajectory.patterns import BUDGETS, BUDGETS_BY_SET, CONCEALED, MONITOR, SETS


@frozen(kw_only=True)
class TrajectoryAuditor:
    """Looks for a bought score in what an agent did, after the fact."""

    patterns: int = field(default=1, validator=in_(SETS))
    """The pattern set: 1 is fixed for good, 2 knows more ways; findings of the two don't compare."""

    checks: tuple[str, ...] = ()
    """Parts of paths where the bench's own checks lie; a write to one counts as a verifier write."""

    budgets: Mapping[str, float] = field(
        factory=dict,
        hash=False,
        validator=deep_mapping(in_((*BUDGETS, CONCEALED)), ge(0)),
    )
    """Pattern → share of normal transcripts on which it may fire and still enforce, over the set's
    own."""

    demote: bool = True
    """Whether a pattern over its budget on the calibration set is a mere remark."""

    @property
    def monitor(self) -> str:
        """The name under which an audit is entered in a ledger."""
        return MONITOR

    @property
    def pattern_set(self) -> int:
        """The number of the set; findings of different sets are not compared."""
        return self.patterns

    def audit(self, evidence: Evidence, /) -> Sequence[Finding] | None:
        """Returns what fired, in the order of the events; None where there is no event at all."""
        if evidence.events is None:
            return None
        scanned = scan(self.patterns, evidence.events, self.checks, evidence.patch.paths)
        if not scanned.events:
            return None
        enforcing = self.enforcing()
        return tuple(
            Finding(
                rule=hit.pattern,
                enforcing=hit.pattern in enforcing,
                evidence=hit.evidence,
                where=str(hit.number),
                tool_call_id=hit.tool_call_id,
                agent=hit.agent,
            )
            for hit in scanned.hits
        )

    def enforcing(self) -> frozenset[str]:
        """Returns the patterns that enforce: those within their budget on the calibration set."""
        budgets = {**BUDGETS_BY_SET[self.patterns], **self.budgets}
        if not self.demote:
            return frozenset(budgets)
        rows = calibration.rows(self.patterns)
        return frozenset(row.pattern for row in rows if row.enforces(budgets[row.pattern]))


_: type[Auditor] = TrajectoryAuditor
