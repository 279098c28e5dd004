"""Asking the auditors of a run about one attempt, and entering what they said in its ledger."""

import json
from pathlib import Path

import structlog
from attrs import field, frozen

from fairtrial.api import Auditor, Evidence, Finding, Numbered
from fairtrial.engine import artifacts
from fairtrial.engine.attempt import Outcome
from fairtrial.engine.grading import Graded
from fairtrial.engine.plan import Cell
from fairtrial.engine.room import Room
from fairtrial.engine.session import now

log = structlog.get_logger()

LEDGER = "audit.jsonl"
"""Beside the log that was audited; one line an audit, appended to, never changed."""


@frozen(kw_only=True)
class Audit:
    """
    What the auditors of a run said of one attempt.

    Attributes:
        findings: What they found; None where there is no auditor, or none that could judge.
        unheard: Those that had nothing to judge by.
        audited_by: The others, with the numbers of their pattern sets.
    """

    findings: tuple[Finding, ...] | None = None
    unheard: tuple[str, ...] = ()
    audited_by: dict[str, int] = field(factory=dict)


def audit(cell: Cell, room: Room, outcome: Outcome, graded: Graded) -> Audit:
    """Asks every auditor; control arms are not audited."""
    if not room.auditors or cell.control:
        return Audit()
    place = room.directory.trial(cell.task.id, cell.solver, cell.rollout)
    evidence = Evidence(
        task=cell.task,
        attempt=outcome.attempt,
        patch=graded.patch,
        dropped=tuple(graded.dropped),
        events=artifacts.events(place),
        refused=graded.refused,
        before=graded.before,
        tests=graded.tests,
    )
    findings: list[Finding] = []
    audited_by: dict[str, int] = {}
    for name, auditor in room.auditors.items():
        found = auditor.audit(evidence)
        if found is None:
            continue
        audited_by[name] = pattern_set(auditor)
        findings += found
        enter(place, auditor, name, evidence, tuple(found))
    unheard = tuple(name for name in room.auditors if name not in audited_by)
    if not audited_by:
        return Audit(unheard=unheard)
    return Audit(findings=tuple(findings), unheard=unheard, audited_by=audited_by)


def pattern_set(auditor: Auditor) -> int:
    """Returns the number of an auditor's pattern set; 0 for one that numbers none."""
    return auditor.pattern_set if isinstance(auditor, Numbered) else 0


def enter(
    place: Path, auditor: Auditor, name: str, evidence: Evidence, found: tuple[Finding, ...]
) -> None:
    """Appends an audit to the ledger at a place; where that can't be written, it only warns."""
    row = {
        "ts": now(),
        "monitor": auditor.monitor if isinstance(auditor, Numbered) else name,
        "pattern_set": pattern_set(auditor),
        "events": None if evidence.events is None else len(evidence.events),
        "hits": [finding.rule for finding in found],
        "clean": not any(finding.enforcing for finding in found),
    }
    try:
        place.mkdir(parents=True, exist_ok=True)
        with (place / LEDGER).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
    except OSError as error:
        log.warning("audit not entered", place=str(place), because=error.strerror)
