"""Whether a run's figures can be believed, said on stderr and by the exit code."""

from fairtrial.api import RunRecord
from fairtrial.cli.log import tell
from fairtrial.engine.gates import failed_gates
from fairtrial.figures.markdown import safe

FAILED = 1


def judged(record: RunRecord) -> int:
    """Says which gates a run fails; returns the exit code, 1 where it fails any."""
    failed = failed_gates(record)
    for gate in failed:
        tell(
            "gate failed",
            f"gate failed: {safe(gate.why)}\n  {safe(gate.way_on)}",
            level="error",
            gate=gate.name,
            why=gate.why,
            way_on=gate.way_on,
        )
    return FAILED if failed else 0
